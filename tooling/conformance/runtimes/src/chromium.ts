/** A page in headless Chromium, whose every request is answered here: there is no server. */
import { launchChromium } from '../browsers.mjs';
import type { Report } from './report.js';
import { answer, pathOf } from './site.js';

const ORIGIN = 'http://localhost';

/** Runs a bundle in a page, under a Content-Security-Policy if one is given. */
export async function runChromium(
  program: string,
  bundle: string,
  policy?: string,
): Promise<Report> {
  const browser = await launchChromium(program);
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
