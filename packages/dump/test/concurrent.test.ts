/** Conversions in one process, while others run and codecs are used for something else. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as cesu8 from '@utf8/cesu8';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { type ConvertOptions, convertDump, scanDump } from '../src/index.js';
import { useFolder } from './use-folder.js';

const inFolder = useFolder();

/** A text of several segments, of characters that tell texts apart wherever they are mixed up. */
const textOf = (character: string): string => `1,${character.repeat(200)}😀\n`.repeat(1000);

async function convert(
  characters: readonly string[],
  options: Omit<ConvertOptions, 'input' | 'output'>,
): Promise<void> {
  const files = characters.map((character, i) => {
    const [input, output] = [
      inFolder(`${options.format}-${i}`),
      inFolder(`${options.format}-${i}.out`),
    ];
    const text = textOf(character);
    writeFileSync(input, options.from === 'cesu-8' ? cesu8.encode(text) : strict.encode(text));
    return { input, output, text };
  });
  let isDone = false;
  const others = (async () => {
    const bytes = cesu8.encode(textOf('z').slice(0, 50_000));
    while (!isDone) {
      cesu8.decode(bytes);
      strict.encode(textOf('y').slice(0, 50_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const runs = files.map(({ input, output }) => convertDump({ ...options, input, output }));
  const reports = await Promise.all(runs).finally(() => {
    isDone = true;
  });
  await others;
  expect(reports.map(({ status }) => status)).toEqual(characters.map(() => 'converted'));
  for (const { output, text } of files) {
    const bytes = readFileSync(output);
    const expected = options.to === 'cesu-8' ? cesu8.encode(text) : strict.encode(text);
    expect(bytes.equals(expected)).toBe(true);
  }
}

describe('conversions at once leave each other alone', () => {
  it('as plain text, to UTF-8', () => convert(['a', 'é', '漢', '한'], { from: 'cesu-8' }));
  it('as plain text, to CESU-8', () =>
    convert(['a', 'é', '漢', '한'], { from: 'utf-8', to: 'cesu-8' }));
  it('as records', () => convert(['a', 'é', '漢', '한'], { from: 'cesu-8', format: 'csv' }));
  it('with U+FFFD for faults', () => convert(['a', '漢'], { from: 'cesu-8', errors: 'replace' }));
});

it('scans at once find what each holds', async () => {
  const scan = (input: string) => scanDump({ input, format: 'csv', from: 'cesu-8' });
  const files = ['a', '漢'].map((character, i) => {
    const input = inFolder(`scan-${i}`);
    writeFileSync(input, cesu8.encode(textOf(character)));
    return input;
  });
  const alone = [];
  for (const input of files) alone.push(await scan(input));
  const together = await Promise.all(files.map(scan));
  expect(JSON.stringify(together)).toBe(JSON.stringify(alone));
});
