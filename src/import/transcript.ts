import { SkeinError } from '../core/errors.ts';
import { wellFormed } from '../core/text.ts';
import type { NewTurn } from '../core/turn.ts';
import {
  type ConversationRead,
  ConversationReading,
  type MessageVerdict,
  type RecordPlace,
  skip,
  skipReasons,
} from './reading.ts';
import { type Label, type LabelStyle, labelOf } from './transcript-labels.ts';
import { asText, asTitle } from './values.ts';

/** A message of a transcript as it stands in the text. */
interface Message {
  readonly label: Label;
  /** Its line, from 1. */
  readonly line: number;
  readonly text: string;
}

interface Transcript {
  readonly preamble: string;
  readonly messages: readonly Message[];
}

/**
 * The turns of a pasted transcript; undefined when `text` is none. It is one when its first line names a
 * speaker and both sides speak, so that prose with a "Note: ..." or one "User: ..." in it stays prose, and so
 * does a question that only quotes a chat further down.
 */
export function detectTranscript(text: string): { turns: NewTurn[] } | undefined {
  const transcript = parseTranscript(text);
  if (transcript?.preamble !== '') return undefined;
  const spoken = transcript.messages.filter((m) => m.label.speaker !== 'other' && m.text !== '');
  const turns = spoken.map(({ label, text }): NewTurn => {
    const role = label.speaker === 'user' ? 'user' : 'model';
    return { role, text: wellFormed(text), ...(label.time !== undefined && { time: label.time }) };
  });
  return new Set(turns.map((turn) => turn.role)).size === 2 ? { turns } : undefined;
}

/** Reads a text file as one conversation. Throws `unknown-format` when it names no two speakers. */
export function readTranscript(text: string, title: string, where: RecordPlace): ConversationRead {
  const transcript = parseTranscript(text);
  if (!transcript) {
    throw new SkeinError(
      'unknown-format',
      'No two speakers are named in this text.',
      'Begin each message with a label such as "User:" or "Assistant:".',
    );
  }
  const { preamble, messages } = transcript;
  const heading = /^#{1,6}\s+(.+)$/m.exec(preamble)?.[1];
  const reading = new ConversationReading(where, { title: asText(heading) ?? title }, messages.length);
  if (preamble !== '') reading.mended(`text before the first speaker left out: “${asTitle(preamble)}”`);
  for (const message of messages) reading.add(`line ${message.line}`, judge(message));
  return reading.finish();
}

function judge({ label, text }: Message): MessageVerdict {
  if (label.speaker === 'other') return skip(label.name === 'tool' ? skipReasons.tool : skipReasons.system);
  if (text === '') return skip(skipReasons.empty);
  return { kind: 'keep', role: label.speaker, text, time: label.time };
}

/** Undefined when no style of label names both a user and a model. */
function parseTranscript(text: string): Transcript | undefined {
  const lines = text.split(/\r\n|[\n\r]/u);
  const labels = findLabels(lines);
  const style = pickStyle(labels);
  if (!style) return undefined;
  const starts = spokenLabels(labels, style);
  const messages = starts.map(({ label, index }, i): Message => {
    const end = starts[i + 1]?.index ?? lines.length;
    const body = [label.rest, ...lines.slice(index + 1, end)].join('\n');
    return { label, line: index + 1, text: trimBody(body) };
  });
  return { preamble: trimBody(lines.slice(0, starts[0]!.index).join('\n')), messages };
}

interface PlacedLabel {
  readonly label: Label;
  /** Its line, from 0. */
  readonly index: number;
}

/** Labels outside code blocks: code often holds chats. */
function findLabels(lines: readonly string[]): PlacedLabel[] {
  const fences = lines.flatMap((line, index) => (/^\s{0,3}(?:```|~~~)/.test(line) ? [index] : []));
  const labels: PlacedLabel[] = [];
  let fence = 0;
  lines.forEach((line, index) => {
    if (fences[fence] === index) fence++;
    // A last fence without a partner opens nothing.
    const inCode = fence % 2 === 1 && fence < fences.length;
    const label = inCode ? undefined : labelOf(line);
    if (label) labels.push({ label, index });
  });
  return labels;
}

/** The style that names both sides; of several, the one that comes first. */
function pickStyle(labels: readonly PlacedLabel[]): LabelStyle | undefined {
  const speakers = new Map<LabelStyle, Set<string>>();
  for (const { label } of labels) {
    const known = speakers.get(label.style) ?? new Set();
    speakers.set(label.style, known.add(label.speaker));
  }
  for (const [style, known] of speakers) if (known.has('user') && known.has('model')) return style;
  return undefined;
}

/**
 * The labels that begin a message. Plain labels are words of the language, so only the first name of each side
 * counts, and a system prompt only before the first message of either side.
 */
function spokenLabels(labels: readonly PlacedLabel[], style: LabelStyle): PlacedLabel[] {
  const ofStyle = labels.filter(({ label }) => label.style === style);
  if (style !== 'plain') return ofStyle;
  const names = new Map<string, string>();
  return ofStyle.filter(({ label }) => {
    if (label.speaker === 'other') return names.size === 0;
    if (!names.has(label.speaker)) names.set(label.speaker, label.name);
    return names.get(label.speaker) === label.name;
  });
}

/** `text` without the space around it and the rule that some exporters put between messages. */
function trimBody(text: string): string {
  const trimmed = text.trim();
  const lastLine = trimmed.slice(trimmed.lastIndexOf('\n') + 1);
  const isRule = lastLine.length < 100 && /^\s*(?:-{3,}|\*{3,}|_{3,})$/.test(lastLine);
  return isRule ? trimmed.slice(0, -lastLine.length).trim() : trimmed;
}
