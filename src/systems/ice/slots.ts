import { estimateTokens } from '../../core/tokens.ts';
import { sentences } from '../sentences.ts';
import type { Thread } from '../thread.ts';
import { topicsOf } from './classifier.ts';
import { ICE } from './constants.ts';
import { withoutFences } from './extraction.ts';

/** The slots, in the order in which they stand in every prompt. */
const SLOTS = [
  'persona',
  'user preferences',
  'tool guidelines',
  'project context',
  'guidance',
  'pending items',
  'session patterns',
] as const;
type Slot = (typeof SLOTS)[number];

/** Which sentences of the user fill a slot; the first that matches takes the sentence. */
const FILLED_BY: readonly (readonly [Slot, RegExp])[] = [
  ['pending items', /\b(?:remind me|don't let me forget|to-?do)\b/i],
  [
    'tool guidelines',
    /\b(?:code only|use the \w+ (?:tool|search)|name the line|cite|no code|bullet points)\b/i,
  ],
  [
    'user preferences',
    /\b(?:I prefer|I(?:'d| would) rather|always answer|please (?:use|answer|write|always)|I'm allergic)\b/i,
  ],
  ['guidance', /\b(?:from now on|never|always|whatever happens)\b/i],
  [
    'persona',
    /\b(?:my name is|I'm (?:a |an )?[A-Z]?\w+,|I am an? |I live|I work|my (?:wife|husband|daughter|son|brother|sister|boss) is)\b/i,
  ],
  [
    'project context',
    /\b(?:I'm (?:building|putting together|writing|making|planning)|we're (?:building|making|planning)|the project is|I want to keep|I'd like you to help)\b/i,
  ],
];

const LONGEST_SENTENCE = 40;
const LATELY = 40;

/** Short facts about the person and the work that stand in every prompt as they were said. */
export class SlotStore {
  private readonly said = new Map<Slot, string[]>();
  private readonly topics: string[] = [];
  private seen = 0;

  extend(thread: Thread): void {
    for (; this.seen < thread.size; this.seen++) {
      const { role, text } = thread.at(this.seen);
      if (role === 'user') this.read(withoutFences(text));
    }
  }

  /** The slots as text, a line each; empty while nothing fills them. */
  text(): string {
    return SLOTS.flatMap((slot) => {
      const lines = slot === 'session patterns' ? this.patterns() : (this.said.get(slot) ?? []);
      return lines.length > 0 ? [`${slot}: ${lines.join(' ')}`] : [];
    }).join('\n');
  }

  private read(text: string): void {
    this.topics.push(...topicsOf(text));
    for (const sentence of sentences(text)) {
      const length = sentence.split(/\s+/).length;
      if (sentence.endsWith('?') || length > LONGEST_SENTENCE || length < 3) continue;
      const slot = FILLED_BY.find(([, pattern]) => pattern.test(sentence))?.[0];
      if (slot) this.fill(slot, sentence);
    }
  }

  /** The oldest make room. */
  private fill(slot: Slot, sentence: string): void {
    const lines = (this.said.get(slot) ?? []).filter((line) => line !== sentence);
    lines.push(sentence);
    while (lines.length > 1 && estimateTokens(lines.join(' ')) > ICE.slotTokens) lines.shift();
    this.said.set(slot, lines);
  }

  private patterns(): string[] {
    const counts = new Map<string, number>();
    for (const topic of this.topics.slice(-LATELY)) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    const common = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 3);
    return common.length > 0 ? [`lately about ${common.map(([topic]) => topic).join(', ')}`] : [];
  }
}
