/** The playground in real browsers, with and without WebAssembly. */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { labels } from '@utf8/detect';
import { errorsPolicies } from '@utf8/repair';
import { vectors } from '@utf8/vectors';
import fc from 'fast-check';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../../packages/cli/src/main/dispatch.js';
import { seed } from '../../../../tooling/tiers/tier.js';
import type { Conversion, Outcome } from '../../src/playground/conversion.js';
import { checkAccess } from './access.js';
import { browserNames, dist, launch, type Served, serve } from './served-site.js';

const folder = mkdtempSync(path.join(tmpdir(), 'utf8-playground-'));

interface Case extends Conversion {
  readonly base64: string;
}

/** Converts an input with `utf8 convert`: returns its output in base64, or undefined if it refuses. */
async function convertByCommand({ base64, from, to, errors }: Case): Promise<string | undefined> {
  const [input, output] = [path.join(folder, 'input'), path.join(folder, 'output')];
  writeFileSync(input, Buffer.from(base64, 'base64'));
  rmSync(output, { force: true });
  const words = ['convert', '-f', from, '-t', to, '--errors', errors, input, '-o', output];
  const exitCode = await run(words);
  // 2 where what a policy removes could join surrogates, 3 where the input begins as no text does.
  if (exitCode === 1 || (exitCode === 2 && errors === 'remove') || exitCode === 3) return undefined;
  expect(exitCode, words.join(' ')).toBe(0);
  return readFileSync(output, 'base64');
}

/** A thousand inputs: pieces of vectors, and bytes at random, in every encoding and with every policy. */
const cases: Case[] = fc.sample(
  fc.record({
    base64: fc
      .array(
        fc.oneof(
          fc.constantFrom(...vectors.map(({ bytes }) => Buffer.from(bytes, 'hex'))),
          fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
          fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => Buffer.from(text)),
          fc.integer({ min: 1, max: 3000 }).map((length) => Buffer.alloc(length, 'aé漢😀')),
        ),
        { maxLength: 8 },
      )
      .map((parts) => Buffer.concat(parts).toString('base64')),
    from: fc.constantFrom(...labels),
    to: fc.oneof(
      { arbitrary: fc.constant('utf-8' as const), weight: 3 },
      fc.constantFrom(...labels),
    ),
    errors: fc.constantFrom(...errorsPolicies),
  }),
  { numRuns: 1000, seed },
);
const expected: (string | undefined)[] = [];

/** Fills `expected`. */
async function convertAll(): Promise<void> {
  // Half of the inputs are refused, and each refusal would be a line.
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((...args: unknown[]) => {
      const done = args.at(-1);
      if (typeof done === 'function') done();
      return true;
    }),
  );
  for (const each of cases) expected.push(await convertByCommand(each));
  for (const spy of spies) spy.mockRestore();
}

/** Runs the worker of the playground in a page, for each case. */
async function convertInPage(url: string, given: string): Promise<(string | null)[]> {
  const worker = new Worker(url, { type: 'module' });
  const ask = (request: object): Promise<{ outcome: Outcome; error?: string }> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(request);
    });
  const results: (string | null)[] = [];
  for (const [id, { base64, ...conversion }] of (JSON.parse(given) as Case[]).entries()) {
    const input = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const { outcome, error } = await ask({ id, input, conversion });
    // Input that only begins like gzip cannot be read; the command ends with 3.
    const bytes = !error && outcome.result && new Uint8Array(await outcome.result.arrayBuffer());
    results.push(
      bytes ? btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) : null,
    );
  }
  worker.terminate();
  return results;
}

/** A dump of 50 MB with one character in CESU-8. */
function writeDump(): string {
  const file = path.join(folder, 'dump.sql');
  const rows = `INSERT INTO t VALUES (1,'größer 漢字');\n`.repeat(1000);
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, '-- MySQL dump 10.13  Distrib 8.0.36\n/*!40101 SET NAMES utf8mb4 */;\n');
  writeSync(descriptor, 'CREATE TABLE `t` (`id` int, `a` text) DEFAULT CHARSET=utf8mb4;\n');
  for (let size = 0; size < 50e6; size += Buffer.byteLength(rows)) writeSync(descriptor, rows);
  writeSync(descriptor, "INSERT INTO t VALUES (2,'");
  writeSync(descriptor, Buffer.from('eda0bdedb880', 'hex'));
  writeSync(descriptor, "');\n");
  closeSync(descriptor);
  return file;
}

/** Registers the tests of the playground. */
export function testPlayground(): void {
  beforeAll(convertAll);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const name of browserNames) {
    for (const hasWebAssembly of [true, false]) {
      const title = `playground in ${name}, ${hasWebAssembly ? 'with' : 'without'} WebAssembly`;
      describe(title, () => {
        let browser: Browser;
        let served: Served;
        let page: Page;
        const problems: string[] = [];

        beforeAll(async () => {
          [browser, served] = await Promise.all([launch(name), serve({ hasWebAssembly })]);
          page = await browser.newPage();
          page.on('pageerror', (error) => {
            // Firefox reports requests that the policy blocks, which this run is for.
            if (!String(error).includes('blocked WebAssembly')) problems.push(String(error));
          });
          await open();
        });
        afterAll(async () => {
          await Promise.all([browser?.close(), served?.close()]);
        });

        const open = async (hash = ''): Promise<void> => {
          await page.goto('about:blank');
          await page.goto(`${served.origin}/playground${hash}`);
          await page.waitForSelector('.verdict h2 span');
        };
        const read = (selector: string): Promise<string> =>
          page.$eval(selector, (element) => element.textContent?.trim() ?? '');
        const waitFor = (selector: string, text: string): Promise<unknown> =>
          page.waitForFunction(
            (where: string, what: string) =>
              document.querySelector(where)?.textContent?.includes(what),
            {},
            selector,
            text,
          );
        const type = async (text: string): Promise<void> => {
          await page.$eval(
            'textarea',
            (element, value) => {
              element.value = value;
              element.dispatchEvent(new Event('input', { bubbles: true }));
            },
            text,
          );
        };

        it(`runs ${hasWebAssembly ? 'with' : 'without'} it`, async () => {
          const compiles = await page.evaluate(async () => {
            const bytes = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
            return WebAssembly.compile(bytes).then(
              () => true,
              () => false,
            );
          });
          expect(compiles).toBe(hasWebAssembly);
        });

        it('says what bytes are, what is wrong, and which command repairs them', async () => {
          await type('ED A0 BD ED B8 80');
          await waitFor('.verdict h2', '😀 as Oracle, SAP HANA and Java store it');
          expect(await read('.verdict')).toContain('utf8 convert -f cesu-8 FILE -o FILE.utf-8');
          expect(await read('.verdict')).toContain('utf-8: 4 bytesF0 9F 98 80');
          expect(await read('.verdict')).toMatch(/surrogate at byte\s+0: ED, RFC 3629 §3/);
          expect(await read('section[aria-labelledby=repair]')).toContain(
            'utf8 convert -f utf-8 -t cesu-8 FILE.utf-8 -o FILE.original',
          );
          expect(await read('.result')).toBe('F0 9F 98 80');
          await type('61 C0 AF FF');
          await waitFor('.verdict h2', '/ in a hidden form: an attack');
          expect(await read('.verdict')).toContain('utf8 explain FILE');
          await type('C3 83 C2 A9');
          await waitFor('.verdict', 'If this should be é');
          await type('61');
          await waitFor('.verdict', 'There is nothing to repair.');
          await type('6');
          await waitFor('.problem', 'Expected bytes');
          expect(await page.$('.verdict')).toBeNull();
          await type('');
          await waitFor('.verdict', 'try an example');
          await page.click('.examples button');
          await waitFor('.verdict .label', 'cesu-8');
        });

        it('answers on the first screen of a phone', async () => {
          await page.setViewport({ width: 375, height: 667 });
          await open('#hex=EDA0BDEDB880');
          const bottom = await page.$eval(
            '.verdict .step code',
            (element) => element.getBoundingClientRect().bottom,
          );
          await page.setViewport({ width: 1280, height: 900 });
          expect(bottom).toBeLessThan(667);
        });

        it('says that bytes lack a digit, which are pasted in part', async () => {
          await type('ED A0 B');
          await page.$eval('textarea', (element) => element.dispatchEvent(new Event('paste')));
          await waitFor('.problem', 'Expected bytes');
          await type('größer');
          await page.$eval('textarea', (element) => element.dispatchEvent(new Event('paste')));
          await waitFor('.verdict .label', 'utf-8');
          await page.click('input[value=bytes]');
        });

        it('shows and copies megabytes', async () => {
          await page.$eval('textarea', (element) => {
            element.value = 'ED A0 '.repeat(500_000);
            element.dispatchEvent(new Event('input', { bubbles: true }));
          });
          await waitFor('.verdict .label', 'none');
          await waitFor('section[aria-labelledby=copy]', 'have no link');
          // A link that stayed would be that of another input.
          await page.waitForFunction(() => location.hash === '');
          await page.select('section[aria-labelledby=copy] select', 'Base64');
          await waitFor('section[aria-labelledby=copy] code', '7aDtoO2g');
          const length = await page.$eval(
            'section[aria-labelledby=copy] code',
            ({ textContent }) => textContent?.length ?? 0,
          );
          expect(length).toBeLessThan(10_000);
        });

        it('gives back bytes that were shown as text', async () => {
          await type('61 FF 62');
          await page.click('input[value=text]');
          await page.waitForFunction(
            () => document.querySelector('textarea')?.value === 'a\ufffdb',
          );
          await page.click('input[value=bytes]');
          await page.waitForFunction(
            () => document.querySelector('textarea')?.value === '61 FF 62',
          );
        });

        it('opens links, and links to what is typed', async () => {
          await open('#hex=C080');
          await waitFor('.verdict .label', 'mutf-8');
          await type('c3 a9');
          await page.waitForFunction(() => location.hash === '#hex=C3A9');
          await page.evaluate(() => {
            location.hash = '#hex=EDA080';
          });
          await waitFor('.verdict .label', 'cesu-8-lenient');
        });

        it('says that a link contains no bytes', async () => {
          await page.goto('about:blank');
          await page.goto(`${served.origin}/playground#hex=zz`);
          await waitFor('.problem', 'Expected bytes');
          expect(await page.$('.verdict')).toBeNull();
          await open();
        });

        it('opens every vector', async () => {
          await page.click('.vectors summary');
          await page.waitForSelector('.vectors li');
          await page.type('.vectors input', 'pair/emoji');
          await page.waitForFunction(
            () => document.querySelector('.vectors li button')?.textContent === 'pair/emoji',
          );
          await page.click('.vectors li button');
          await waitFor('.verdict .label', 'cesu-8');
        });

        it('reads a dump of 50 MB without a request', async () => {
          const file = writeDump();
          const before = served.requests.length;
          const chooser = await page.$('input[type=file]');
          await (chooser as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
            file,
          );
          await waitFor('.verdict', 'utf8 scan -f cesu-8 --format mysqldump dump.sql');
          expect(await read('.verdict .result')).toMatch(
            /column a \(record \d+\): offset \d{8}: ED A0 BD ED B8 80 becomes F0 9F 98 80/,
          );
          expect(await read('.verdict .step code')).toMatch(
            /^utf8 convert dump.sql --format mysqldump/,
          );
          expect(await read('.verdict h2')).toBe(
            'Text with 😀 as Oracle, SAP HANA and Java store it',
          );
          // Converted as text, a dump may lose its blobs.
          expect(await page.$('section[aria-labelledby=repair]')).toBeNull();
          // Code that only dumps need, and a newer service worker, which the browser may ask for at any time.
          const others = served.requests
            .slice(before)
            .filter((each) => !/^GET [/](?:service-worker|assets[/]scan-[\w-]+)\.js$/.test(each));
          expect(others).toEqual([]);
          await page.click('.file button');
        });

        it('opens a file again that was removed, unpacks it, and names the result', async () => {
          const file = path.join(folder, 'names.csv.gz');
          for (const text of ['a\xED\xA0\xBD\xED\xB8\x80', 'a\xC0\x80']) {
            writeFileSync(file, gzipSync(Buffer.from(text, 'latin1')));
            const chooser = await page.$('input[type=file]');
            await (chooser as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
              file,
            );
            const label = text.includes('\xC0') ? 'mutf-8' : 'cesu-8';
            await waitFor('.verdict .label', label);
            // utf8 convert reads gzip, and writes none.
            expect(await read('.verdict')).toMatch(
              /utf8 convert .*names\.csv\.gz.* -o names\.utf-8\.csv/,
            );
            await page.click('.file button');
          }
        });

        it.each([
          ['gone', rmSync],
          ['shorter', (file: string) => writeFileSync(file, 'a')],
        ] as const)('says that a file is %s', async (_, change) => {
          const file = path.join(folder, 'changing.txt');
          writeFileSync(file, 'aé漢'.repeat(1000));
          const chooser = await page.$('input[type=file]');
          await (chooser as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(
            file,
          );
          await waitFor('section[aria-labelledby=repair]', 'The result');
          change(file);
          await page.select('section[aria-labelledby=repair] select', 'cesu-8');
          await waitFor('.problem', 'open it again');
          expect(await page.$('.result')).toBeNull();
          await page.click('.file button');
        });

        it(`repairs ${cases.length} inputs as utf8 convert does`, async () => {
          const [worker] = readdirSync(path.join(dist, 'assets')).filter((each) =>
            each.startsWith('worker-'),
          );
          const results = await page.evaluate(
            convertInPage,
            `/assets/${worker}`,
            JSON.stringify(cases),
          );
          const found = results.map((result) => result ?? undefined);
          const differing = cases.filter((_, i) => found[i] !== expected[i]);
          expect(differing).toEqual([]);
          // Neither all nor none are refused.
          expect(found.filter((result) => result === undefined).length).toBeGreaterThan(100);
          expect(found.filter((result) => result !== undefined).length).toBeGreaterThan(100);
        });

        it('works without a network once it was opened', async () => {
          await open();
          await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
          await page.waitForFunction(async () => (await caches.match('/playground')) !== undefined);
          // The service worker answers from the next visit on.
          await open();
          await served.close();
          await open('#hex=C080');
          await waitFor('.verdict .label', 'mutf-8');
          served = await serve({ hasWebAssembly });
          await open();
        });

        it('has no fault that axe finds, in light and dark, wide and narrow', () =>
          checkAccess(page));

        it('can be used by the keyboard alone', async () => {
          await page.focus('textarea');
          const seen = new Set<string>();
          for (let i = 0; i < 30; i++) {
            await page.keyboard.press('Tab');
            seen.add(await page.evaluate(() => document.activeElement?.tagName ?? ''));
          }
          expect([...seen]).toEqual(
            expect.arrayContaining(['INPUT', 'SUMMARY', 'BUTTON', 'SELECT']),
          );
        });

        it('throws nothing', () => expect(problems).toEqual([]));
      });
    }
  }
}
