import { sentences } from '../sentences.ts';

/** `property` overwrites; `single` expires the earlier edge of the same source and relation; `multi` accumulates. */
export type RelationKind = 'property' | 'single' | 'multi';

/** One thing that a sentence states. */
export interface Assertion {
  readonly source: string;
  readonly relation: string;
  readonly target: string;
  readonly kind: RelationKind;
  /** How sure the rule is, 0 to 1. */
  readonly confidence: number;
  /** What the new value replaces by name, where the source is left unsaid ("switched from A to B"). */
  readonly replaces?: string;
}

/** Port: finds what a turn states. ICE's own is a language model. */
export interface RelationExtractor {
  extract(text: string, signal?: AbortSignal): Promise<readonly Assertion[]>;
}

/** Who speaks, as an entity. */
const SPEAKER = 'user';

const LONGEST_SENTENCE = 320;
/** Sentences that state nothing: questions, wishes, what is not so. */
const UNREAL =
  /\?|\b(?:should|could|would|whether|if|maybe|might|asks|asked|wants?|never|not|no longer|don't|doesn't|didn't|isn't|aren't|wasn't|can't|won't|hasn't|haven't)\b/i;

const NP = "(?:[\\p{L}'’-]+ ){0,4}?[\\p{L}'’-]+";
/** As many words as there are, for what stands behind its verb. */
const OBJECT = "[\\p{L}'’-]+(?: [\\p{L}'’-]+){0,3}";
const VALUE = "[\\p{L}\\p{N}&][\\p{L}\\p{N}.,'’&+#/-]*(?: [\\p{L}\\p{N}&][\\p{L}\\p{N}.,'’&+#/-]*){0,4}";
const NAME = '(?:(?:Dr|Mrs|Mr|Ms|Professor)\\.? )?\\p{Lu}[\\p{L}-]+(?: \\p{Lu}[\\p{L}-]+){0,2}';
const AMOUNT = '\\p{N}[\\p{N}.,]*(?: (?:percent|euros?|pounds?|dollars?|hours?|days?|km|kg|lux|times))?';
const SOFT = '(?:now |anew |again |over |out |up |also |will |must |then |will now )*';
const START = '(?<![\\p{L}\\p{N}])';
const END = '(?![\\p{L}\\p{N}])';

interface Rule {
  readonly pattern: RegExp;
  readonly relation?: string;
  readonly kind: RelationKind;
  readonly confidence: number;
}

const rule = (source: string, kind: RelationKind, confidence: number, relation?: string): Rule => ({
  pattern: new RegExp(source, 'gu'),
  relation,
  kind,
  confidence,
});

/** In order: what an earlier rule has found in a sentence, a later one does not find again. */
const RULES: readonly Rule[] = [
  rule(`${START}[Mm]y name is (?<t>${NAME})`, 'property', 0.95, 'name'),
  rule(`switched from (?<o>${VALUE}) to (?<t>${VALUE})`, 'single', 0.9, 'at'),
  rule(`(?<s>${NP}) (?:is|are) ${SOFT}called (?<t>${VALUE})`, 'single', 0.9, 'called'),
  rule(
    `${START}(?:[Ww]e|I)(?:'ve| have)? ${SOFT}(?:keep|kept|put|moved?|switched|run|spend|host|store|set|take|took|send|use|do) (?<s>${NP}) ${SOFT}(?:in|on|to|with|through|at|via) (?<t>${VALUE})`,
    'single',
    0.9,
    'at',
  ),
  rule(
    `${START}(?<t>${NAME}) ${SOFT}(?:makes|treats|brings|prints|records|gives|lends|teaches|leads|plays|takes over|does|looks after) (?:us |me |her |him )?(?<s>${OBJECT})`,
    'single',
    0.85,
    'by',
  ),
  rule(
    `(?:[Ww]e|I)(?:'m| am|'re| are)? ${SOFT}(?:pay|ask for|use|charge|to) (?<t>${AMOUNT}) (?<s>\\p{L}+)`,
    'property',
    0.9,
  ),
  rule(`(?<s>${NP}) costs? (?<t>${AMOUNT})`, 'property', 0.9),
  rule(
    `${START}(?:[Ww]e|I) ${SOFT}(?<s>launch|open|deploy|release|meet|close|start|leave|fly) ${SOFT}(?:on|at|in|to) (?<t>${VALUE})`,
    'single',
    0.9,
    'at',
  ),
  rule(`${START}I(?:'m| am) (?:also )?(?<r>allergic to|afraid of|good at) (?<t>${VALUE})`, 'multi', 0.9),
  rule(
    `${START}(?:I|[Ww]e)(?:'ve| have)? (?<r>signed up for|signed up with|bought) (?<t>${VALUE})`,
    'multi',
    0.8,
  ),
  rule(`${START}(?:I|[Ww]e) (?:also )?(?<r>prefer|like|love|hate|own) (?<t>${VALUE})`, 'multi', 0.7),
  rule(
    `(?<s>${NP}) ${SOFT}(?:comes?|visits?|meets?|happens?) (?<t>(?:once|twice|\\p{L}+ times) a (?:day|week|month|year))`,
    'property',
    0.8,
    'frequency',
  ),
  rule(`(?<s>${NP}) ${SOFT}(?:ends?|starts?|begins?) ${SOFT}(?<t>${AMOUNT})`, 'property', 0.8),
  rule(`(?<s>${NP}) (?:has |have )?(?:chosen|chose|picked) (?<t>${VALUE})`, 'single', 0.8, 'chosen'),
  rule(
    `(?<s>${NP})(?:'s| is|'re| are|'m| am) ${SOFT}(?<r>reading|training for) (?<t>${VALUE})`,
    'single',
    0.8,
  ),
  rule(
    `(?<s>${NP}) ${SOFT}(?:is|are|was|be|runs?|comes?|go|goes|moves?|begins?|starts?|ends?|stays?|lives?) ${SOFT}(?:moved |insured |set |reading )?(?:to|from|on|at|in|with|for|by|the age of) (?<t>${VALUE})`,
    'single',
    0.75,
    'at',
  ),
  rule(`(?<s>${NP}) ${SOFT}(?:is|are|be) ${SOFT}(?<t>${VALUE})`, 'property', 0.6, 'is'),
];

/** Without a language model: sentence patterns of what people set, move, name, pay and prefer. */
export const patternExtractor: RelationExtractor = {
  async extract(text) {
    return sentences(withoutFences(text)).flatMap(assertionsOf);
  },
};

function assertionsOf(sentence: string): Assertion[] {
  if (sentence.length > LONGEST_SENTENCE) return [];
  const found: Assertion[] = [];
  // Clause by clause, so that a doubt in one costs nothing in another.
  for (const clause of sentence.split(/[;:,] /u)) {
    if (UNREAL.test(clause)) continue;
    const assertion = firstAssertion(clause.trim());
    if (assertion) found.push(assertion);
  }
  return found;
}

function firstAssertion(clause: string): Assertion | undefined {
  for (const { pattern, relation, kind, confidence } of RULES) {
    for (const { groups } of clause.matchAll(pattern)) {
      const target = relation === 'frequency' ? groups!.t! : valueIn(groups!.t!);
      const source = groups!.s === undefined ? SPEAKER : sourceOf(groups!.s);
      if (target === '' || source === '' || source === target.toLowerCase()) continue;
      const replaces = groups!.o && valueIn(groups!.o);
      return {
        source,
        relation: relationOf(relation ?? groups!.r ?? 'amount', target),
        target,
        kind,
        confidence,
        ...(replaces && { replaces }),
      };
    }
  }
  return undefined;
}

const DATE =
  /^(?:\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)(?!\p{L})/iu;
const STARTS_WITH_AMOUNT = new RegExp(`^${AMOUNT}${END}`, 'u');

/** Dates and amounts say which relation they fill, whatever verb led to them. */
function relationOf(relation: string, target: string): string {
  if (DATE.test(target)) return 'when';
  if (STARTS_WITH_AMOUNT.test(target)) return 'amount';
  return relation;
}

/** Words that end a value. */
const VALUE_ENDS = new Set(
  'because since so and but which who that instead now anew from like as when until before after this here there where while for a an in with by per against already again too'.split(
    ' ',
  ),
);

function valueIn(text: string): string {
  const words: string[] = [];
  for (const word of text.replace(/^(?:the|an?|our|my|his|her|its) /iu, '').split(' ')) {
    const bare = word.replace(/[.,'’]+$/u, '');
    if (VALUE_ENDS.has(bare.toLowerCase())) break;
    words.push(bare);
    if (bare !== word) break;
  }
  const value = words.slice(0, 4).join(' ').trim();
  // A date or an amount is a value by itself, whatever follows.
  return (DATE.exec(value) ?? STARTS_WITH_AMOUNT.exec(value))?.[0] ?? value;
}

/** Words of a source that say nothing about what it is. */
const EMPTY = new Set(
  'the a an our my his her its their all this that these those new old first last small big printed now also and but so then in from may of free i we they it he she you there what which who one'.split(
    ' ',
  ),
);
const GENERIC = new Set(['date', 'day', 'number', 'numbers', 'name', 'colour', 'side']);

function sourceOf(text: string): string {
  if (/^(?:I|we)$/i.test(text.trim())) return SPEAKER;
  const words = text
    .toLowerCase()
    .replace(/['’]s\b/gu, '')
    .split(' ')
    .filter((word) => word !== '' && !EMPTY.has(word) && !VALUE_ENDS.has(word));
  if (words.length > 1 && GENERIC.has(words.at(-1)!)) words.pop();
  return words.slice(-2).join(' ');
}

/** A text without the fenced blocks in it. */
export function withoutFences(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/gu, ' ');
}
