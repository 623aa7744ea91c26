import { unreachable } from '../../core/unreachable.ts';
import type { PageEvent } from '../messages.ts';
import { siteAt } from '../sites/index.ts';
import type { SiteDescription } from '../sites/site.ts';
import { removeHosts } from './dom.ts';
import type { ExtensionPort } from './extension-port.ts';
import { PageSession, type PageTimes } from './page-session.ts';
import { Teacher } from './teach/teacher.ts';

/** A later content script of ours on the same page says this to the earlier one, which then stops. */
const START = 'skein-content-start';

/** Runs Skein on this page until a later content script takes over. */
export async function startOnPage(
  port: ExtensionPort,
  { site, times }: { site?: SiteDescription; times?: PageTimes } = {},
): Promise<PageControl> {
  document.dispatchEvent(new CustomEvent(START));
  removeHosts();
  const page = new PageControl(port, times);
  document.addEventListener(START, () => page.stop(), { once: true });
  await page.begin(site);
  return page;
}

/** Listens to the extension and holds the session of the page, once its site is known. */
export class PageControl {
  session: PageSession | undefined;
  readonly #unlisten: () => void;
  #teacher: Teacher | undefined;
  #stopped = false;

  constructor(
    private readonly port: ExtensionPort,
    private readonly times: PageTimes | undefined,
  ) {
    this.#unlisten = port.listen((event) => this.#on(event));
  }

  async begin(site = siteAt(location.href)): Promise<void> {
    const found = site ?? (await this.#taught());
    if (found && !this.#stopped && !this.session)
      this.session = new PageSession(found, this.port, this.times);
  }

  stop(): void {
    this.#stopped = true;
    this.#unlisten();
    this.#teacher?.close();
    this.session?.stop();
  }

  async #taught(): Promise<SiteDescription | undefined> {
    try {
      return (await this.port.request({ kind: 'taught-site' })) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** A person points at the parts of this page, which becomes a known site. */
  async #teach(): Promise<void> {
    this.#teacher?.close();
    const teacher = new Teacher(this.port);
    this.#teacher = teacher;
    const site = await teacher.teach();
    if (this.#teacher === teacher) this.#teacher = undefined;
    if (!site || this.#stopped) return;
    this.session?.stop();
    this.session = new PageSession(site, this.port, this.times);
  }

  async #on(event: PageEvent): Promise<unknown> {
    switch (event.kind) {
      case 'capture-changed':
        return this.session?.setState(event.state);
      case 'leave':
        this.stop();
        return undefined;
      case 'recall-now':
        return this.session?.recall();
      case 'insert':
        return { inserted: (await this.session?.insertEpisodes(event.episodes)) ?? false };
      case 'describe':
        return this.session?.report();
      case 'teach':
        void this.#teach();
        return undefined;
      default:
        return unreachable(event);
    }
  }
}
