/** Findings of axe in a page, in light and dark, on a desktop and on a phone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** Fails if axe finds anything, or if the page is wider than the screen. */
export async function checkAccess(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 375]) {
      await page.setViewport({ width, height: 900 });
      await page.evaluate((isDark) => {
        document.documentElement.classList.toggle('dark', isDark);
      }, scheme === 'dark');
      const found = await page.evaluate(async () => {
        // Colours that are on their way would be measured.
        for (const animation of document.getAnimations()) animation.finish();
        const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
        return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
      });
      const where = `${await page.evaluate(() => location.pathname)}, ${scheme}, ${width} pixels`;
      expect(found, where).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, where).toBe(0);
    }
  }
  await page.setViewport({ width: 1280, height: 900 });
}
