import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Worker } from '@playwright/test';
import { build } from 'vite';
import { packExtension } from '../../scripts/extension-package.ts';
import { chromiumLaunch } from '../chromium.ts';
import type { Replica } from '../fixtures/sites/replica.ts';
import { SITE_FOLDER } from './site.ts';

export const FOLDER = '.cache/extension';
const REPLICA = '.cache/replica';
/** Nobody can answer a question for permission in a test: the build under test has it from the start. */
export const SITES = {
  chatgpt: 'https://chatgpt.com',
  claude: 'https://claude.ai',
  gemini: 'https://gemini.google.com',
} as const;
export type SiteName = keyof typeof SITES;
const PERMITTED = Object.values(SITES).map((origin) => `${origin}/*`);

/** Packs the extension out of the site under test, and the replicas' script. */
export async function buildExtension(): Promise<void> {
  await packExtension({
    site: SITE_FOLDER,
    folder: FOLDER,
    target: 'chromium',
    permitted: PERMITTED,
    // No language model is used here, and the lab's packages neither.
    wants: (path) => !/^models\/SmolLM2|^packages\//.test(path),
  });
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: REPLICA,
      emptyOutDir: true,
      minify: false,
      lib: {
        entry: 'test/fixtures/sites/page.ts',
        name: 'replica_page',
        formats: ['iife'],
        fileName: () => 'page.js',
      },
    },
  });
}

/** What the browser's own page for extensions can do. */
interface DeveloperChrome {
  readonly developerPrivate: {
    updateProfileConfiguration(change: { inDeveloperMode: boolean }): Promise<void>;
    reload(id: string, options: { failQuietly: boolean }): Promise<void>;
  };
}

/** A browser with the extension, in a profile of its own, whose sites are replicas. */
export class ExtensionBrowser {
  private constructor(
    readonly context: BrowserContext,
    readonly id: string,
    private readonly profile: string,
  ) {}

  static async open(): Promise<ExtensionBrowser> {
    const profile = await mkdtemp(join(tmpdir(), 'skein-extension-'));
    const { executablePath, args } = chromiumLaunch();
    const context = await chromium.launchPersistentContext(profile, {
      ...(executablePath !== undefined && { executablePath }),
      headless: false,
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      args: [
        ...args,
        '--headless=new',
        `--disable-extensions-except=${FOLDER}`,
        `--load-extension=${FOLDER}`,
        '--host-resolver-rules=MAP * ~NOTFOUND',
        // Every request of the browser, whichever page, worker or extension makes it.
        `--log-net-log=${join(profile, 'net-log.json')}`,
      ],
    });
    await serveReplicas(context);
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    return new ExtensionBrowser(context, new URL(worker.url()).host, profile);
  }

  /** The background worker, which may have been started anew. */
  async background(): Promise<Worker> {
    return this.context.serviceWorkers()[0] ?? (await this.context.waitForEvent('serviceworker'));
  }

  /** A page of the extension. */
  async openOwn(path: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`chrome-extension://${this.id}/${path}`);
    if (path.startsWith('index.html')) await page.waitForFunction(() => 'skein' in globalThis);
    return page;
  }

  async openReplica(site: SiteName, conversation: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`${SITES[site]}/#${conversation}`);
    return page;
  }

  /** The ids that the browser gave to the tabs that show a conversation. */
  async tabsOf(conversation: string): Promise<number[]> {
    const background = await this.background();
    return background.evaluate(async (name) => {
      const tabs = await chrome.tabs.query({});
      return tabs.filter(({ url }) => url?.endsWith(`/${name}`)).map(({ id }) => id!);
    }, conversation);
  }

  async tabOf(conversation: string): Promise<number> {
    const [id] = await this.tabsOf(conversation);
    if (id === undefined) throw new Error(`No tab shows ${conversation}.`);
    return id;
  }

  /** Stops the background worker in the middle of whatever it does; the next event starts it again. */
  async stopBackground(): Promise<void> {
    const page = await this.openOwn('icons/skein.svg');
    const session = await this.context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await page.close();
  }

  /** Has the browser load the extension anew while its tabs stay open, as an update does. */
  async updateExtension(): Promise<void> {
    const page = await this.context.newPage();
    await page.goto('chrome://extensions');
    const updated = this.context.waitForEvent('serviceworker');
    await page.evaluate(async (id) => {
      const { developerPrivate } = chrome as unknown as DeveloperChrome;
      // Without it the browser would not take an unpacked extension back.
      await developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
      await developerPrivate.reload(id, { failQuietly: true });
    }, this.id);
    await updated;
    await page.close();
  }

  /** Closes the browser; resolves with the addresses that it asked the network for. */
  async close(): Promise<string[]> {
    await this.context.close();
    const log = await readFile(join(this.profile, 'net-log.json'), 'utf8');
    await rm(this.profile, { recursive: true, force: true });
    return [...new Set([...log.matchAll(/"url":"((?:https?|wss?):[^"]+)"/g)].map(([, url]) => url!))];
  }
}

async function serveReplicas(context: BrowserContext): Promise<void> {
  const script = await readFile(join(REPLICA, 'page.js'), 'utf8');
  const html =
    '<!doctype html><meta charset="utf-8"><title>Replica</title><body><script src="/replica.js"></script>';
  for (const pattern of PERMITTED) {
    await context.route(pattern.replace(/\*$/, '**'), (route) => {
      const isScript = new URL(route.request().url()).pathname === '/replica.js';
      return route.fulfill(
        isScript
          ? { contentType: 'text/javascript', body: script }
          : {
              contentType: 'text/html',
              headers: { 'content-security-policy': "script-src 'self'; require-trusted-types-for 'script'" },
              body: html,
            },
      );
    });
  }
}

/** What a replica's page has. */
export type ReplicaWindow = Window & { readonly replica: Replica };

/** Clicks an element with this name and text, in whatever shadow root, closed ones included. */
export async function clickInClosedRoot(page: Page, name: string, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  const node = find(root, (one) => one.localName === name && textOf(one).startsWith(text));
  if (!node) throw new Error(`No ${name} says ${text}.`);
  const { model } = await session.send('DOM.getBoxModel', { nodeId: node.nodeId });
  const [x, y] = model.content;
  await page.mouse.click(x! + model.width / 2, y! + model.height / 2);
  await session.detach();
}

/** Part of a node in the protocol of the developer tools. */
interface PiercedNode {
  readonly nodeId: number;
  readonly localName: string;
  readonly nodeValue: string;
  readonly children?: PiercedNode[];
  readonly shadowRoots?: PiercedNode[];
}

function find(node: PiercedNode, fits: (node: PiercedNode) => boolean): PiercedNode | undefined {
  if (fits(node)) return node;
  for (const child of [...(node.shadowRoots ?? []), ...(node.children ?? [])]) {
    const found = find(child, fits);
    if (found) return found;
  }
  return undefined;
}

function textOf(node: PiercedNode): string {
  return node.nodeValue + (node.children ?? []).map(textOf).join('');
}
