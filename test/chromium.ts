import { existsSync } from 'node:fs';

const KNOWN_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the Chrome or Chromium that the tests drive: `SKEIN_CHROME`, or the first one installed. */
export function findChrome(): string | undefined {
  const chosen = process.env.SKEIN_CHROME;
  if (chosen) return chosen;
  return KNOWN_PLACES.find((path) => existsSync(path));
}

/** Launch options for a headless Chromium with WebGPU in software, and no background traffic of its own. */
export function chromiumLaunch(): { executablePath: string | undefined; args: string[] } {
  return {
    executablePath: findChrome(),
    args: [
      '--no-sandbox',
      '--enable-unsafe-webgpu',
      '--use-webgpu-adapter=swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}
