import { toSkeinError } from '../../../core/errors.ts';
import type { SiteDescription } from '../../sites/site.ts';
import { taughtSite } from '../../sites/taught.ts';
import type { ExtensionPort } from '../extension-port.ts';
import { Picker } from './picker.ts';
import {
  buttonAt,
  composerAt,
  partSelectors,
  type TurnSelectors,
  turnSelectors,
} from './taught-selectors.ts';

/** Leads a person through pointing at the parts of this site, one at a time. */
export class Teacher {
  readonly #picker = new Picker();

  constructor(private readonly port: ExtensionPort) {}

  /** Resolves with the site as taught, once the extension has it; undefined where the person gave up. */
  async teach(): Promise<SiteDescription | undefined> {
    try {
      const turns = await this.#turns();
      const composer = turns && (await this.#composer());
      if (!turns || !composer) return undefined;
      const sendButton = await this.#sendButton();
      if (!sendButton) return undefined;
      const selectors = { ...turns, composer, sendButton };
      await this.port.request({ kind: 'taught', selectors });
      return taughtSite(location.origin, selectors);
    } catch (error) {
      const { message, remedy } = toSkeinError(error);
      await this.#picker.tell(`This site could not be kept. ${message} ${remedy}`);
      return undefined;
    } finally {
      this.#picker.close();
    }
  }

  close(): void {
    this.#picker.close();
  }

  async #turns(): Promise<TurnSelectors | undefined> {
    let problem = '';
    for (;;) {
      const user = await this.#picker.pick(`${problem}Click one of your own messages.`);
      if (!(user instanceof Element)) return undefined;
      const assistant = await this.#picker.pick('Click an answer.');
      if (!(assistant instanceof Element)) return undefined;
      const selectors = turnSelectors(user, assistant);
      problem = 'Nothing on this page tells those two apart. ';
      if (!selectors) continue;
      const [mine, answers] = [matches(selectors.userTurn), matches(selectors.assistantTurn)];
      this.#picker.outline(mine, answers);
      const isRight = await this.#picker.confirm(
        `Found ${count(mine.length, 'message')} of yours and ${count(answers.length, 'answer')}, all outlined.`,
      );
      if (isRight === 'cancelled') return undefined;
      if (isRight) return selectors;
      problem = '';
    }
  }

  async #composer(): Promise<string[] | undefined> {
    for (let problem = ''; ; problem = 'No one can write there. ') {
      const picked = await this.#picker.pick(`${problem}Click the field in which you write.`);
      if (!(picked instanceof Element)) return undefined;
      const composer = composerAt(picked);
      if (composer) return partSelectors(composer);
    }
  }

  async #sendButton(): Promise<string[] | undefined> {
    const picked = await this.#picker.pick('Click the button that sends, or skip it.', true);
    if (picked === 'skipped') return [];
    return picked instanceof Element ? partSelectors(buttonAt(picked)) : undefined;
  }
}

function matches(selectors: readonly string[]): Element[] {
  return [...document.querySelectorAll(selectors[0]!)];
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}
