import { ICE } from './constants.ts';

export const INTENTS = ['question', 'instruction', 'code', 'creative', 'statement', 'smalltalk'] as const;
export type Intent = (typeof INTENTS)[number];

/** Where a prompt's answer comes from. */
export const SOURCES = ['Zero_Shot', 'Long_Term_Memory', 'Real_Time_Search'] as const;
export type Source = (typeof SOURCES)[number];

export interface Classification {
  readonly intent: Intent;
  readonly topics: readonly string[];
  readonly source: Source;
  /** How sure the rules are of `source`, 0 to 1. */
  readonly confidence: number;
}

const CODE =
  /```|[{};]\s*$|\b(?:function|regex|stack trace|compile|refactor|unit test|SQL query|script|typescript|python)\b/im;
const CREATIVE = /\b(?:poem|haiku|limerick|story|rhyme|lyrics|fairy tale|joke|toast|slogan|song)\b/i;
const SMALLTALK =
  /^(?:ok(?:ay)?|thanks?(?: you)?|thx|cheers|great|perfect|nice|cool|lol|ha+|hi|hello|good (?:morning|night)|bye|sent|done)\b[^?]{0,30}$/i;
const QUESTION =
  /\?\s*$|^(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have)\b/i;
const INSTRUCTION =
  /^(?:please\s+)?(?:write|draft|tell|give|list|make|put|fill|send|order|print|invite|answer|quote|explain|translate|summarise|summarize|show|add|plan|remind|check|compare|convert|suggest|help|find|fix|look|set|keep|rewrite|shorten)\b|\bplease\b/i;

/** Words that point at what only the person or an earlier talk knows. */
const REFERENCE =
  /\b(?:my|our|ours|mine|we|us|i|i'm|i've|me|earlier|before|again|last time|previous(?:ly)?|yesterday|remember|remind|as (?:always|usual)|still|so far|at first|these days|back then|the (?:project|exhibition|house|flat|plan|list|site))\b/gi;
const LIVE =
  /\b(?:right now|today's|tonight's|latest|breaking|live score|stock price|exchange rate|news|open now|current (?:weather|price|time|version)|weather (?:in|for|today|tomorrow)|traffic)\b/i;

const TOPICS: Readonly<Record<string, RegExp>> = {
  work: /\b(?:project|meeting|boss|deadline|invoice|client|office|release|deploy|exhibition)\b/i,
  tech: /\b(?:server|database|code|app|site|bug|laptop|software|tests?)\b/i,
  home: /\b(?:flat|rent|kitchen|paint|garden|dog|cat|car|laundry)\b/i,
  family: /\b(?:mum|dad|wife|husband|daughter|son|sister|brother|school)\b/i,
  health: /\b(?:doctor|dentist|allerg\w+|medicine|tablets?|run(?:ning)?|sleep)\b/i,
  money: /\b(?:euros?|pounds?|price|cost|insur\w+|budget|tax(?:es)?)\b/i,
  food: /\b(?:bread|recipe|coffee|cook|dinner|cake)\b/i,
  travel: /\b(?:holiday|trip|flight|ferry|train|hotel)\b/i,
  culture: /\b(?:book|music|piano|film|museum|poem|history)\b/i,
};

/**
 * Classifies a prompt by rules alone. Past ten `turns` of history, or where the rules are not sure, a prompt that
 * seems to need no memory is given it all the same. Choice: turns of all conversations count, because what a prompt
 * asks for may lie in another one.
 */
export function classify(text: string, turns: number): Classification {
  const { source, confidence } = sourceOf(text);
  const { escalation } = ICE;
  const raised = source === 'Zero_Shot' && (turns > escalation.turns || confidence < escalation.confidence);
  return {
    intent: intentOf(text),
    topics: topicsOf(text),
    source: raised ? 'Long_Term_Memory' : source,
    confidence,
  };
}

/** What the person wants with a prompt. */
export function intentOf(text: string): Intent {
  const trimmed = text.trim();
  if (SMALLTALK.test(trimmed)) return 'smalltalk';
  if (CREATIVE.test(trimmed) && INSTRUCTION.test(trimmed)) return 'creative';
  if (CODE.test(trimmed)) return 'code';
  if (/\?\s*$/.test(trimmed)) return 'question';
  if (INSTRUCTION.test(trimmed)) return 'instruction';
  return QUESTION.test(trimmed) ? 'question' : 'statement';
}

/** Before escalation: reference density against words that want the live world. */
export function sourceOf(text: string): { source: Source; confidence: number } {
  const words = text.split(/\s+/).length;
  const references = text.match(REFERENCE)?.length ?? 0;
  if (LIVE.test(text) && references === 0) return { source: 'Real_Time_Search', confidence: 0.9 };
  const density = references / words;
  if (references > 0) return { source: 'Long_Term_Memory', confidence: Math.min(0.99, 0.7 + 2 * density) };
  return { source: 'Zero_Shot', confidence: words >= 5 ? 0.96 : 0.8 };
}

export function topicsOf(text: string): string[] {
  return Object.keys(TOPICS).filter((topic) => TOPICS[topic]!.test(text));
}
