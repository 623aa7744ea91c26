import type { Role } from '../core/turn.ts';
import { asTime } from './values.ts';

/** Who speaks after a label; `other` is a system prompt or a tool. */
export type Speaker = Role | 'other';

/** How labels of one transcript look; labels of another look are text. */
export type LabelStyle = 'said' | `heading${number}` | 'bold' | 'plain';

/** A line, or the start of a line, that names the speaker of what follows. */
export interface Label {
  readonly style: LabelStyle;
  readonly name: string;
  readonly speaker: Speaker;
  /** What stands after the label on its line. */
  readonly rest: string;
  readonly time?: number;
}

const NAMES: Readonly<Record<Speaker, string>> = {
  user: 'user you human me ich du sie nutzer nutzerin benutzer vous moi tu utilisateur utilisatrice usuario tú',
  model:
    'assistant ai bot chatbot chatgpt gpt claude gemini copilot bard grok deepseek llm model ' +
    'assistent ki modell assistante ia modèle asistente',
  other: 'system tool système',
};
const SPEAKERS = speakersOf(NAMES);

/** Words that name a speaker only as a heading: as plain words they are too common. */
const HEADING_SPEAKERS = speakersOf({ user: 'prompt', model: 'response', other: '' });

function speakersOf(names: Readonly<Record<Speaker, string>>): ReadonlyMap<string, Speaker> {
  const speakers = Object.entries(names) as [Speaker, string][];
  return new Map(
    speakers.flatMap(([speaker, list]) => list.split(' ').map((name) => [name, speaker] as const)),
  );
}

const LONGEST_LABEL = 120;
const STAMP = String.raw`\s{0,3}(?:[[(]([^\])]{4,40})[\])])?\s{0,3}`;
const HEADING = new RegExp(`^(#{1,6})\\s+${STAMP}([^:：#[(]{1,40}?)${STAMP}[:：]?\\s*#*\\s*$`, 'u');
const BOLD = new RegExp(
  `^(\\*\\*|__)${STAMP}([^*_:：]{1,40}?)${STAMP}(?:[:：]\\1|\\1\\s*[:：]|\\1\\s*$)(.*)$`,
  'su',
);
const PLAIN = new RegExp(`^${STAMP}([^:：[(]{1,40}?)${STAMP}(?::(?=\\s|$)|：)(.*)$`, 'su');
const SAID =
  /^(?:(.{1,40}?) said|(.{1,40}?) (?:hast|hat|haben) gesagt|(.{1,40}?) (?:avez|as|a) dit)\s*:\s*$/iu;

/** The label at the start of `line`; undefined when it has none. */
export function labelOf(line: string): Label | undefined {
  const head = line.slice(0, LONGEST_LABEL).trimStart();
  const rest = (text: string) => (text + line.slice(LONGEST_LABEL)).trim();
  const short = line.trim().length <= LONGEST_LABEL;

  // Copied from a page, these labels may have become headings of several levels.
  const said = short && SAID.exec(head.replace(/^#{1,6}\s+/, '').trim());
  if (said) return label('said', said[1] ?? said[2] ?? said[3]!, '');
  const heading = short && HEADING.exec(head.replaceAll('*', '').trim());
  if (heading) return label(`heading${heading[1]!.length}`, heading[3]!, '', heading[2] ?? heading[4]);
  const bold = BOLD.exec(head);
  if (bold) return label('bold', bold[3]!, rest(bold[5]!), bold[2] ?? bold[4]);
  const plain = PLAIN.exec(head);
  if (plain) return label('plain', plain[2]!, rest(plain[4]!), plain[1] ?? plain[3]);
  return undefined;
}

function label(style: LabelStyle, rawName: string, rest: string, stamp?: string): Label | undefined {
  // Headings often begin with a picture of the speaker.
  const name = rawName
    .replace(/^(?:\p{Extended_Pictographic}|\u200d|\ufe0f|\s)+/u, '')
    .trim()
    .toLowerCase();
  const asHeading = style.startsWith('heading') ? HEADING_SPEAKERS.get(name) : undefined;
  const speaker = SPEAKERS.get(name) ?? asHeading ?? versionedModel(name);
  if (!speaker) return undefined;
  const time = asTime(stamp);
  const isClock = stamp !== undefined && /\d{1,2}[:.]\d{2}/.test(stamp);
  if (stamp !== undefined && time === undefined && !isClock) return undefined;
  return { style, name, speaker, rest, ...(time !== undefined && { time }) };
}

/** Names such as "GPT-4o" or "Claude 3.5 Sonnet". */
function versionedModel(name: string): Speaker | undefined {
  return /^(?:chatgpt|gpt|claude|gemini|llama|mistral)[- ]?\d[\w. -]{0,20}$/u.test(name)
    ? 'model'
    : undefined;
}
