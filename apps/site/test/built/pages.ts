/** The pages of the site: their links, their tables of vectors, their size, and their accessibility. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { vectors } from '@utf8/vectors';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../../packages/cli/src/main/dispatch.js';
import { pathOf } from '../../src/vector-page.js';
import { checkAccess } from './access.js';
import { dist, fileOf, launch, type Served, serve } from './served-site.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const FILES = 'https://github.com/utf8-codecs/utf8/blob/main/';

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#123;', '{')
    .replaceAll('&amp;', '&');

/** Registers the tests of pages. */
export function testPages(): void {
  describe('links', () => {
    const contents = new Map<string, string>();
    beforeAll(() => {
      for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
        if (!name.endsWith('.html') || name === '404.html') continue;
        contents.set(name.replaceAll(path.sep, '/'), readFileSync(path.join(dist, name), 'utf8'));
      }
    });

    it('lead to pages, places in pages and files that are there', () => {
      const anchors = new Map<string, Set<string>>();
      const anchorsOf = (file: string): Set<string> => {
        const known = anchors.get(file);
        if (known) return known;
        const html = readFileSync(file, 'utf8');
        const found = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => textOf(id!)));
        anchors.set(file, found);
        return found;
      };
      const broken: string[] = [];
      let count = 0;
      for (const [page, html] of contents) {
        for (const [, given = ''] of html.matchAll(/<a\b[^>]* href="([^"]*)"/g)) {
          count++;
          const url = new URL(textOf(given), `http://site/${page}`);
          if (given.startsWith(FILES)) {
            const file = path.join(root, decodeURIComponent(url.pathname.split('/main/')[1] ?? ''));
            try {
              readdirSync(path.dirname(file)).includes(path.basename(file)) || broken.push(given);
            } catch {
              broken.push(`${page}: ${given}`);
            }
          }
          if (url.host !== 'site') continue;
          const file = fileOf(url.pathname);
          const isPlayground = url.pathname === '/playground';
          const anchor = isPlayground ? '' : decodeURIComponent(url.hash.slice(1));
          if (!file || (anchor !== '' && !anchorsOf(file).has(anchor)))
            broken.push(`${page}: ${given}`);
        }
      }
      expect([...new Set(broken)]).toEqual([]);
      expect(count).toBeGreaterThan(10_000);
    });

    it('ask nothing of other hosts', () => {
      const loaded = [...contents].flatMap(([page, html]) =>
        Array.from(
          html.matchAll(
            /<(?:script|link|img|iframe)\b[^>]* (?:src|href)="((?:https?:)?\/\/[^"]*)"/g,
          ),
          ([, url]) => `${page}: ${url}`,
        ),
      );
      expect(loaded).toEqual([]);
    });
  });

  describe('the page of each vector', () => {
    it('shows what utf8 explain --json prints', async () => {
      let printed = '';
      const spy = vi.spyOn(process.stdout, 'write').mockImplementation((...args: unknown[]) => {
        printed += String(args[0]);
        const done = args.at(-1);
        if (typeof done === 'function') done();
        return true;
      });
      const expected: string[] = [];
      for (const { bytes } of vectors) {
        printed = '';
        // There is no empty word for no bytes.
        if (bytes !== '') await run(['explain', '--json', '--hex', bytes]);
        expected.push(printed.trim());
      }
      spy.mockRestore();
      expect(expected.filter((text) => text === '').length).toBeLessThan(2);
      for (const [i, { id }] of vectors.entries()) {
        const html = readFileSync(fileOf(`/vectors/${pathOf(id)}`) as string, 'utf8');
        const [, block = ''] = /<details>.*?<code>(?!utf8)(.*?)<\/code>/s.exec(html) ?? [];
        expect(textOf(block).trim(), id).toBe(expected[i]);
      }
    });
  });

  describe('what pages weigh', () => {
    /** Size of a page and of its requests before any click, compressed with gzip, in bytes. */
    const weigh = (name: string, others: readonly string[] = []): number => {
      const html = readFileSync(fileOf(name) as string, 'utf8');
      const linked = Array.from(
        html.matchAll(/<(?:script|link)\b[^>]* (?:src|href)="(\/[^"]+\.(?:js|css))"/g),
        ([, url]) => url as string,
      );
      const files = [name, ...new Set([...linked, ...others])].map((url) => fileOf(url) as string);
      return files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
    };

    it('is below 150 KB for the first page', () => expect(weigh('/')).toBeLessThan(150_000));

    it('is below 400 KB for the playground, with its worker and the scan of dumps', () => {
      const later = readdirSync(path.join(dist, 'assets')).filter((each) =>
        /^(?:worker|scan)-/.test(each),
      );
      expect(later.length).toBe(2);
      const weight = weigh(
        '/playground',
        later.map((each) => `/assets/${each}`),
      );
      expect(weight).toBeLessThan(400_000);
      console.log(`first page ${weigh('/')} bytes, playground ${weight} bytes`);
    });
  });

  describe('a page of each kind', () => {
    let browser: Awaited<ReturnType<typeof launch>>;
    let served: Served;
    beforeAll(async () => {
      [browser, served] = await Promise.all([launch('chromium'), serve()]);
    });
    afterAll(async () => {
      await Promise.all([browser?.close(), served?.close()]);
    });

    it('asks for less than 150 KB on the first page, with what comes in the background', async () => {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      const before = served.requests.length;
      await page.goto(served.origin, { waitUntil: 'networkidle0' });
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
      await page.waitForNetworkIdle();
      const asked = [...new Set(served.requests.slice(before))].map((each) => each.slice(4));
      await context.close();
      const missing = asked.filter((url) => fileOf(url) === undefined);
      expect(missing).toEqual([]);
      const weight = asked
        .map((url) => gzipSync(readFileSync(fileOf(url) as string)).length)
        .reduce((sum, size) => sum + size, 0);
      console.log(`first page with its background: ${weight} bytes in ${asked.length} requests`);
      expect(weight).toBeLessThan(150_000);
      expect(asked).toContain('/service-worker.js');
    });

    const kinds = [
      '/',
      '/guide/first-steps',
      '/guide/errors',
      '/variants/',
      '/variants/cesu8',
      '/command/convert',
      '/vectors/',
      '/vectors/pair-emoji',
      '/api/',
      '/api/core',
      '/databases/oracle',
      '/symptoms',
      '/minecraft',
      '/large-dumps',
      '/attacks',
      '/no-such-page',
    ];

    it('needs no sideways scrolling of code on a desktop', async () => {
      const page = await browser.newPage();
      await page.setViewport({ width: 1440, height: 900 });
      const wide: string[] = [];
      for (const url of [...kinds, '/engines', '/databases/mysql', '/api/mutf8-framing']) {
        await page.goto(served.origin + url);
        const count = await page.$$eval(
          'pre',
          (blocks) => blocks.filter((each) => each.scrollWidth > each.clientWidth).length,
        );
        if (count > 0) wide.push(`${url}: ${count}`);
      }
      await page.close();
      expect(wide).toEqual([]);
    });

    it('finds generated pages in the search box, with excerpts', async () => {
      const page = await browser.newPage();
      await page.goto(served.origin);
      await page.click('.DocSearch-Button');
      await page.waitForSelector('.search-input');
      await page.type('.search-input', '--unpaired-surrogates');
      await page.waitForFunction(
        () => document.querySelectorAll('.result').length > 5 && document.querySelector('.excerpt'),
      );
      const [first] = await page.$$eval('a.result', (links) =>
        links.map((link) => link.getAttribute('href')),
      );
      expect(first).toMatch(/^\/command\//);
      await page.close();
    });

    it('finds vectors by their bytes in the index, which is short', async () => {
      const page = await browser.newPage();
      await page.goto(`${served.origin}/vectors/`);
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6000);
      await page.type('.vector-filter input', 'ed a0 bd ed b8 80 pair/emoji');
      const link = await page.waitForSelector('.vector-filter a[href$="/vectors/pair-emoji"]');
      expect(link).not.toBeNull();
      await page.close();
    });

    it.each(kinds)('has no fault that axe finds: %s', async (url) => {
      const page = await browser.newPage();
      await page.goto(served.origin + url);
      await checkAccess(page);
      await page.close();
    });
  });
}
