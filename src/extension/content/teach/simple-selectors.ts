/** A selector for one element by itself, without its surroundings. */
export interface SimpleSelector {
  selector: string;
  /** How likely it outlives a redesign: the higher the better. */
  rank: number;
}

/** Attributes that say what an element is for. */
const MEANT = /^(?:data-|role$|name$|aria-label$|placeholder$|title$|contenteditable$|itemprop$)/;
/** Words that a site uses for who speaks. */
const SPEAKER = /user|human|assistant|model|bot|author|role|query|prompt|answer|response|message|turn/i;
/** Lower-case words joined by hyphens: a name that a person gave, not a build tool. */
const GIVEN_NAME = /^[a-z]+(?:(?:--?|__?)[a-z]+)*$/;
/** A number of an item, a hash, a random id. */
const MADE_UP = /\d{3,}|[\da-f]{8,}|[A-Z]\w*\d|:r\w+:/;

/** Selectors that match `element`, the most lasting first. */
export function simpleSelectors(element: Element): SimpleSelector[] {
  const tag = CSS.escape(element.localName);
  const found: SimpleSelector[] = [];
  if (element.localName.includes('-')) found.push({ selector: tag, rank: 5 });
  for (const { name, value } of element.attributes) {
    if (name === 'id' && isGiven(value)) found.push({ selector: `#${CSS.escape(value)}`, rank: 3 });
    if (!MEANT.test(name) || name.startsWith('data-skein')) continue;
    const saysWho = SPEAKER.test(name) || SPEAKER.test(value) ? 1 : 0;
    const isShort = value !== '' && value.length <= 60 && !MADE_UP.test(value);
    if (isShort)
      found.push({ selector: `${tag}[${CSS.escape(name)}="${CSS.escape(value)}"]`, rank: 4 + saysWho });
    else if (name.startsWith('data-'))
      found.push({ selector: `${tag}[${CSS.escape(name)}]`, rank: 3 + saysWho });
  }
  const classes = [...element.classList].filter(isGiven);
  for (const name of classes)
    found.push({ selector: `${tag}.${CSS.escape(name)}`, rank: SPEAKER.test(name) ? 3 : 2 });
  if (classes.length > 1)
    found.push({ selector: tag + classes.map((name) => `.${CSS.escape(name)}`).join(''), rank: 1 });
  return found.sort((a, b) => b.rank - a.rank);
}

/** A selector for `element` alone, by the way from a lasting ancestor or from the page's root. */
export function pathTo(element: Element): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    const unique = simpleSelectors(at).find(
      ({ selector, rank }) => rank >= 2 && document.querySelectorAll(selector).length === 1,
    );
    if (unique) return [unique.selector, ...steps].join(' > ');
    const { localName, parentElement } = at;
    const alike = [...(parentElement?.children ?? [])].filter((child) => child.localName === localName);
    steps.unshift(`${CSS.escape(localName)}:nth-of-type(${alike.indexOf(at) + 1})`);
  }
  return ['body', ...steps].join(' > ');
}

function isGiven(name: string): boolean {
  return name.length >= 3 && GIVEN_NAME.test(name);
}
