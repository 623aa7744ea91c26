/**
 * Room for what a question is told of every exchange, a number each. It is kept from one question to the next: to make
 * such arrays takes Chromium longer than to fill them. What is made of columns holds until the next question.
 */
export interface ScoreColumns {
  readonly ownWords: Float64Array;
  readonly ownGrams: Float64Array;
  readonly wordsAround: Float64Array;
  readonly gramsAround: Float64Array;
  readonly sums: Float64Array;
  readonly means: Float64Array;
  readonly closest: Float64Array;
  readonly closestAround: Float64Array;
  readonly meaning: Float64Array;
  readonly own: Float64Array;
  readonly around: Float64Array;
  readonly matterByEpisode: Float64Array;
  readonly matterByExchange: Float64Array;
  readonly total: Float64Array;
}

export function scoreColumns(exchanges: number): ScoreColumns {
  const column = () => new Float64Array(exchanges);
  return {
    ownWords: column(),
    ownGrams: column(),
    wordsAround: column(),
    gramsAround: column(),
    sums: column(),
    means: column(),
    closest: column(),
    closestAround: column(),
    meaning: column(),
    own: column(),
    around: column(),
    matterByEpisode: column(),
    matterByExchange: column(),
    total: column(),
  };
}
