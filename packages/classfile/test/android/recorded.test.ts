/**
 * Files of Android, and what dexlib2 and aapt print of them: recorded. `tooling/oracles/android` asks again, and
 * records.
 */
import { type DexFile, readDex } from '@utf8/classfile/dex';
import { type ResourceFile, readResources } from '@utf8/classfile/resources';
import { describe, expect, it } from 'vitest';
import { sign } from '../../../../tooling/oracles/android/src/dex.js';
import { printDex, printTree, printValues } from '../../../../tooling/oracles/android/src/print.js';
import { Tally } from '../../../../tooling/oracles/interop/src/tally.js';
import { eachWrongByte } from '../../../../tooling/oracles/interop/src/wrong-byte.js';
import { dexFiles, documents, readPrinted, readRecorded, tables } from './recorded.js';

describe.each(dexFiles)('%s', (name) => {
  it('has the strings and uses that dexlib2 finds', () => {
    expect(printDex(readDex(readRecorded(name)))).toEqual(readPrinted(name));
  });

  it('has each string, and the index of each literal, at its offset', () => {
    const file = readRecorded(name);
    const dex = readDex(file);
    for (const { offset, bytes } of dex.strings) {
      expect(file.subarray(offset, offset + bytes.length).equals(bytes)).toBe(true);
      expect(file[offset + bytes.length]).toBe(0);
    }
    for (const { offset, string } of dex.uses({ kinds: ['literal'] })) {
      expect(file[offset], string.string).toBe(string.index & 0xff);
    }
  });

  it('has for each kind the uses of that kind, in the same order', () => {
    const dex = readDex(readRecorded(name));
    const describeUses = (uses: ReturnType<typeof dex.uses>): string[] =>
      Array.from(uses, ({ kind, offset, string }) => `${kind} ${offset} ${string.index}`);
    const all = describeUses(dex.uses());
    const kinds = [...new Set(Array.from(dex.uses(), ({ kind }) => kind))];
    expect(kinds.length).toBeGreaterThan(5);
    for (const kind of kinds) {
      const own = all.filter((line) => line.startsWith(`${kind} `));
      expect(describeUses(dex.uses({ kinds: [kind] }))).toEqual(own);
    }
    for (const { index, kinds: own } of dex.strings) {
      const uses = all.filter((line) => line.endsWith(` ${index}`));
      const found = new Set(uses.map((line) => line.replace(/( \d+){2}$/, '')));
      expect([...own].sort()).toEqual(found.size > 0 ? [...found].sort() : ['unused']);
    }
  });

  it('names what it is cut in, wherever it is cut', () => {
    const file = readRecorded(name);
    const reasons = new Set<string>();
    for (let length = 0; length < file.length; length += 7) {
      let error: { code?: string; reason?: string; offset?: number } = {};
      try {
        for (const _ of readDex(file.subarray(0, length)).uses());
      } catch (thrown) {
        error = thrown as typeof error;
      }
      expect(error.code).toBe('ERR_DEX');
      expect(error.offset).toBeLessThanOrEqual(file.length);
      reasons.add(error.reason as string);
    }
    expect([...reasons].sort()).toMatchInlineSnapshot(`
      [
        "not-a-dex",
        "truncated",
      ]
    `);
  });
});

describe.each(Object.keys(tables))('%s', (name) => {
  it('has the strings and values that aapt prints', () => {
    const file = readResources(readRecorded(name));
    const strings = [...file.strings].filter(({ pool }) => pool === 0);
    const encoding = name.replace('.arsc', '');
    expect(strings.every((each) => each.encoding === encoding && !each.fault)).toBe(true);
    expect([strings.map(({ string }) => string), printValues(file)]).toEqual(readPrinted(name));
  });

  it('has the tags of styled strings', () => {
    const file = readResources(readRecorded(name));
    const texts = [...file.strings].filter(({ pool }) => pool === 0).map(({ string }) => string);
    const tags = Array.from(file.uses())
      .filter(({ kind }) => kind === 'style')
      .map(({ string, styled }) => `${texts[styled as number]}: ${string.string}`);
    expect(new Set(tags)).toEqual(
      new Set([
        ...['b', 'i', 'u'].map((tag) => `plain bold it both 😀 end: ${tag}`),
        'see here: a;href=https://example.org/?a=1',
      ]),
    );
  });
});

it.each(Object.keys(documents))('%s has the strings and nodes that aapt prints', (name) => {
  const file = readResources(readRecorded(name));
  const strings = Array.from(file.strings, ({ string }) => string);
  expect([strings, printTree(file)]).toEqual(readPrinted(name));
});

it('a document has uses of every kind, with their lines', () => {
  const uses = Array.from(
    readResources(readRecorded('layout.axml')).uses(),
    ({ kind, string, xml }) =>
      [kind, string.string, xml?.element, xml?.attribute, xml?.line].join(' | '),
  );
  expect(uses).toMatchInlineSnapshot(`
    [
      "namespace | android |  |  | 2",
      "namespace | http://schemas.android.com/apk/res/android |  |  | 2",
      "element | LinearLayout | LinearLayout |  | 2",
      "namespace | http://schemas.android.com/apk/res/android | LinearLayout | tag | 2",
      "attribute | tag | LinearLayout | tag | 2",
      "value | tag 😀 | LinearLayout | tag | 2",
      "value | tag 😀 | LinearLayout | tag | 2",
      "text |  text 😀
     |  |  | 2",
      "element | TextView | TextView |  | 5",
      "namespace | http://schemas.android.com/apk/res/android | TextView | text | 5",
      "attribute | text | TextView | text | 5",
      "value | written & 😀 | TextView | text | 5",
      "value | written & 😀 | TextView | text | 5",
      "namespace | http://schemas.android.com/apk/res/android | TextView | contentDescription | 5",
      "attribute | contentDescription | TextView | contentDescription | 5",
      "attribute | custom | TextView | custom | 5",
      "value | own | TextView | custom | 5",
      "value | own | TextView | custom | 5",
      "element | TextView |  |  | 5",
      "element | LinearLayout |  |  | 6",
      "namespace | android |  |  | 6",
      "namespace | http://schemas.android.com/apk/res/android |  |  | 6",
    ]
  `);
});

/** Number of offsets to change in files that take long to read. */
const places: Readonly<Record<string, number>> = { 'everything.dex': 25, 'rare.dex': 60 };

/** A message without numbers and names. */
const kindOf = (message: string): string =>
  message
    .replace(/^Malformed [^:]*: |, in .*/g, '')
    .replaceAll(/"[^"]*"|\b(0x)?\d[\da-f]*\b/g, '#');

describe.each([...dexFiles, ...Object.keys(tables), ...Object.keys(documents)])('%s', (name) => {
  /** Performs an action that may throw or report errors on files with one changed byte. */
  function damage(read: (file: Buffer) => void): string[] {
    const messages = new Tally();
    for (const file of eachWrongByte(readRecorded(name), places[name] ?? 70)) {
      if (name.endsWith('.dex')) sign(file);
      try {
        read(file);
      } catch (error) {
        const { message } = error as Error;
        messages.add(message, kindOf(message));
      }
    }
    return messages.list();
  }

  const read = name.endsWith('.dex') ? readDex : readResources;

  it('is refused with a byte that is wrong, and says what and where', () => {
    expect(damage((file) => exhaust(read(file)))).toMatchSnapshot();
  });

  it('is read leniently with a byte that is wrong, and tells of what it left out', () => {
    const messages = new Tally();
    const thrown = damage((file) => {
      const lenient = ({ message }: Error): void => messages.add(message, kindOf(message));
      exhaust(read(file, { errors: 'replace', lenient }));
    });
    expect({ thrown, told: messages.list() }).toMatchSnapshot();
  });
});

function exhaust(file: DexFile | ResourceFile): void {
  for (const { kinds } of file.strings as Iterable<{ kinds?: unknown }>) void kinds;
  for (const { string } of file.uses()) void string.string;
}
