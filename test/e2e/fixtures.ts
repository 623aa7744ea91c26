import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { chromiumLaunch } from '../chromium.ts';
import { type Site, type SiteOptions, serveSite } from './site.ts';

export { expect };

/** Nothing outside this machine can be reached, whatever asks for it. */
const NOWHERE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** What must not happen during a test; each entry fails it. `allow` names what a test brings about on purpose. */
export class Problems {
  private readonly found: string[] = [];
  private readonly allowed: RegExp[] = [];

  add(problem: string): void {
    this.found.push(problem);
  }

  allow(pattern: RegExp): void {
    this.allowed.push(pattern);
  }

  get unexpected(): string[] {
    return this.found.filter((problem) => !this.allowed.some((pattern) => pattern.test(problem)));
  }
}

interface TestFixtures {
  /** Asks for a site that only this test uses, and can close. */
  ownSite: SiteOptions | undefined;
  site: Site;
  problems: Problems;
  /** The open page at the site's address. */
  openSite: (path?: string) => Promise<Page>;
}

interface WorkerFixtures {
  /** More flags for the browser. */
  chromeFlags: string[];
  /** False takes away what `chromiumLaunch` does for WebGPU in software. */
  webgpu: boolean;
  sharedSite: Site;
}

/** A test with a fresh browser profile on a site that all tests share, watched for problems. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  chromeFlags: [[], { scope: 'worker', option: true }],
  webgpu: [true, { scope: 'worker', option: true }],
  launchOptions: [
    async ({ chromeFlags, webgpu }, use) => {
      const launch = chromiumLaunch();
      const args = launch.args.filter((flag) => webgpu || !flag.includes('webgpu'));
      await use({ ...launch, args: [...args, NOWHERE, ...chromeFlags] });
    },
    { scope: 'worker' },
  ],
  sharedSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from the pattern.
    async ({}, use) => {
      const site = await serveSite({ cores: 1 });
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  ownSite: [undefined, { option: true }],
  site: async ({ sharedSite, ownSite }, use) => {
    const site = ownSite ? await serveSite(ownSite) : sharedSite;
    site.requested.length = 0;
    site.violations.length = 0;
    await use(site);
    site.answers.clear();
    if (ownSite) await site.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  problems: async ({}, use) => {
    await use(new Problems());
  },
  context: async ({ context, site, problems }, use) => {
    await watch(context, site, problems);
    await use(context);
    expect([...problems.unexpected, ...site.violations]).toEqual([]);
  },
  openSite: async ({ context, site }, use) => {
    await use(async (path = '') => {
      const page = await context.newPage();
      await page.goto(site.url + path);
      return page;
    });
  },
});

/** Notes requests to another origin, errors, and policy violations of every page and worker of `context`. */
export async function watch(context: BrowserContext, site: Site, problems: Problems): Promise<void> {
  const { origin } = new URL(site.url);
  context.on('request', (request) => {
    const url = request.url();
    const own = url.startsWith(`${origin}/`) || url.startsWith(`blob:${origin}/`) || url.startsWith('data:');
    if (!own) problems.add(`request to another origin: ${url}`);
  });
  context.on('weberror', (error) => problems.add(`page error: ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error') problems.add(`console error: ${message.text()}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`policy violation: ${violatedDirective} ${blockedURI} ${sourceFile}`);
    });
  });
}
