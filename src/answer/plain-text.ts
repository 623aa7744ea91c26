// Characters that nobody sees and that could hide or split a tag: soft hyphen, zero-width space and word joiner, byte
// order mark, directional overrides, tag characters. The joiners that scripts and emoji need stay.
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const OTHER_CONTROLS = /(?![\t\n])\p{Cc}/gu;
const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
/** Forms of `<` and `|` that a normalising tokenizer or a reader takes for them. */
const WIDE_LESS = /[＜﹤]/g;
const WIDE_BAR = /[｜]/g;
/** A `<` that could begin a tag or a control token such as `<|im_start|>`, `</s>`, `<start_of_turn>`. */
const TAG_START = /<(?=\S|\s+\/?\s*(?:episode|recent|context|question)\b)/gi;
/** Control tokens in square brackets, such as `[INST]`, `[/INST]`, `[gMASK]` and `[|endofturn|]`. */
const BRACKET_TOKEN = /\[(?=\||\/?[a-z]?[A-Z][A-Z_]{2,}\d*\])/g;

/**
 * `text` as it may stand in a prompt: it can't close or open a delimiter, and no part of it can be read as a control
 * token of a chat template. What a person sees stays readable: `</episode>` becomes `&lt;/episode>`.
 */
export function plainText(text: string): string {
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(UNSEEN, '')
    .replace(OTHER_CONTROLS, '')
    .replace(WIDE_LESS, '<')
    .replace(WIDE_BAR, '|')
    .replace(TAG_START, '&lt;')
    .replace(BRACKET_TOKEN, '[ ');
}
