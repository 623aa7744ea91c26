import { cutText } from '../../core/text.ts';
import type { Thread } from '../thread.ts';
import { ICE } from './constants.ts';

/** A request that keeps coming, and how it was last answered. */
export interface Pattern {
  /** What it begins with, in lower case. */
  readonly trigger: string;
  /** How often it came: its reinforcement. */
  count: number;
  /** Turn of the last time. */
  turn: number;
  /** How it was last answered. */
  answer: string;
}

const TRIGGER_WORDS = [2, 6] as const;
const ANSWER_CHARACTERS = 160;

/** Notices openings of user turns that recur ("stand-up note please: ..."). */
export class ProceduralStore {
  /** Patterns, in the order in which they became one. */
  readonly patterns: Pattern[] = [];
  private readonly candidates = new Map<string, Pattern>();
  private seen = 0;

  extend(thread: Thread): void {
    for (; this.seen < thread.size; this.seen++) {
      const { role, text } = thread.at(this.seen);
      if (role === 'model') this.answer(thread, text);
      else this.ask(triggerOf(text));
    }
  }

  private ask(trigger: string | undefined): void {
    if (trigger === undefined) return;
    const candidate = this.candidates.get(trigger) ?? { trigger, count: 0, turn: 0, answer: '' };
    candidate.count++;
    candidate.turn = this.seen;
    this.candidates.set(trigger, candidate);
    if (candidate.count === ICE.recurring) this.patterns.push(candidate);
  }

  private answer(thread: Thread, text: string): void {
    const asked = this.seen > 0 ? thread.at(this.seen - 1) : undefined;
    const trigger = asked?.role === 'user' ? triggerOf(asked.text) : undefined;
    const candidate = trigger === undefined ? undefined : this.candidates.get(trigger);
    if (candidate) candidate.answer = cutText(text.replace(/\s+/g, ' '), ANSWER_CHARACTERS);
  }
}

/** How sure it is that a pattern is one: from its reinforcement, 0 to 1. */
function confidenceOf({ count }: Pattern): number {
  return count / (count + 2);
}

/** A pattern as it stands in a prompt. */
export function patternText(pattern: Pattern): string {
  const { trigger, count, answer } = pattern;
  return `Routine "${trigger}" (${count} times, confidence ${confidenceOf(pattern).toFixed(2)}), last answered: ${answer}`;
}

/** What a turn begins with, up to a colon; undefined where that is no short request. */
function triggerOf(text: string): string | undefined {
  const head = /^([^:\n.?!]{4,60}):/u.exec(text)?.[1]?.trim().toLowerCase();
  const words = head?.split(/\s+/).length ?? 0;
  return words >= TRIGGER_WORDS[0] && words <= TRIGGER_WORDS[1] ? head : undefined;
}
