/** A page in headless Chromium, whose every request is answered here: there is no server. */
import path from 'node:path';
import { chromium } from 'playwright-core';
import { cache } from './program.js';
import type { Report } from './report.js';
import { answer, pathOf } from './site.js';

const settings = path.join(cache, 'chromium');

const ORIGIN = 'http://localhost';

/** Runs a bundle in a page, under a Content-Security-Policy if one is given. */
export async function runChromium(
  program: string,
  bundle: string,
  policy?: string,
): Promise<Report> {
  const browser = await chromium.launch({
    executablePath: program,
    // What it would leave in the home folder.
    env: { ...process.env, XDG_CONFIG_HOME: settings, XDG_CACHE_HOME: settings },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage();
    await page.route('**/*', async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill(answer(pathname, '', policy));
    });
    await page.goto(ORIGIN);
    const url = `${ORIGIN}${pathOf(bundle)}`;
    // As a string, since vitest would make a call of its own of this import.
    return await page.evaluate(`import(${JSON.stringify(url)}).then(({ start }) => start())`);
  } finally {
    await browser.close();
  }
}
