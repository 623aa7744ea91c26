const NAMES = [
  'ownWords',
  'ownGrams',
  'wordsAround',
  'gramsAround',
  'sums',
  'means',
  'closest',
  'closestAround',
  'meaning',
  'own',
  'around',
  'matterByEpisode',
  'matterByExchange',
  'total',
] as const;

/**
 * Room for what a question is told of every exchange, a number each. It is kept from one question to the next: to make
 * such arrays takes Chromium longer than to fill them. What is made of columns holds until the next question.
 */
export type ScoreColumns = Readonly<Record<(typeof NAMES)[number], Float64Array>>;

export function scoreColumns(exchanges: number): ScoreColumns {
  return Object.fromEntries(NAMES.map((name) => [name, new Float64Array(exchanges)])) as ScoreColumns;
}
