/** A function of the platform that gives one wrong answer is left alone, and all others are kept. */
import { expect, it, vi } from 'vitest';
import type { Platform } from '../../src/fast/platform.js';

const all = [
  ...['decode', 'encode', 'encodeInto', 'isWellFormed', 'isUtf8', 'isAscii'],
  ...['indexOf', 'latin1Slice', 'utf8Slice', 'ucs2Slice', 'ucs2Write'],
];

type Method = (this: unknown, ...values: never[]) => unknown;
type Holder = Record<string, Method>;

const holders: Readonly<Record<string, object>> = {
  decode: TextDecoder.prototype,
  encode: TextEncoder.prototype,
  encodeInto: TextEncoder.prototype,
  isWellFormed: String.prototype,
  isUtf8: process.getBuiltinModule('node:buffer'),
  isAscii: process.getBuiltinModule('node:buffer'),
};

/** Looks at a platform in which one object has another property. */
async function look(object: object, name: string, value: unknown): Promise<Platform> {
  vi.resetModules();
  const { findPlatform } = await import('../../src/fast/platform.js');
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { configurable: true, writable: true, value });
  try {
    return { ...findPlatform() };
  } finally {
    if (before) Object.defineProperty(object, name, before);
    else Reflect.deleteProperty(object, name);
  }
}

/** Looks up a platform in which one function is another. */
function lookWith(way: string, change: (method: Method) => unknown): Promise<Platform> {
  const holder = (holders[way] ?? Buffer.prototype) as Holder;
  return look(holder, way, change(holder[way] as Method));
}

/** Gives other answers than a method. */
const answer = (change: (answer: never, ...values: never[]) => unknown) => (method: Method) =>
  function (this: unknown, ...values: never[]): unknown {
    return change(method.apply(this, values) as never, ...values);
  };

/** Takes bytes that end so, instead of refusing them. */
const accept = (digits: string, result: unknown) => (method: Method) =>
  function (this: unknown, ...values: never[]): unknown {
    const bytes: Uint8Array = values[0] as never;
    return Buffer.from(bytes).toString('hex').endsWith(digits)
      ? result
      : method.apply(this, values);
  };

const isLong = (bytes: { readonly length: number }): boolean => bytes.length > 64;
const dropMark = answer((text: string) => text.replace('\ufeff', ''));
const repair = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
const malformed = [
  ...['80', 'c080', 'c1bf', 'e0a0', 'e08080', 'e09fbf', 'eda080', 'edbfbf'],
  ...['f09080', 'f08fbfbf', 'f4908080', 'ff'],
];
const fail = (): never => {
  throw new Error('no');
};
const shorten = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, -1);

type Lie = readonly [way: string, what: string, change: (method: Method) => unknown];

const lies: readonly Lie[] = [
  ...all.flatMap((way): Lie[] => [
    [way, 'is missing', () => undefined],
    [way, 'throws', () => fail],
  ]),
  ...malformed.flatMap((digits): Lie[] => [
    ['decode', `accepts ${digits}`, accept(digits, '')],
    ['isUtf8', `accepts ${digits}`, accept(digits, true)],
  ]),
  ['isUtf8', 'accepts nothing', () => () => false],
  ['decode', 'drops a byte order mark', dropMark],
  ['utf8Slice', 'drops a byte order mark', dropMark],
  [
    'decode',
    'ends long texts early',
    answer((text: string) => (isLong(text) ? text.slice(1) : text)),
  ],
  [
    'decode',
    'ends short texts early',
    answer((text: string) => (isLong(text) ? text : text.slice(1))),
  ],
  ['encode', 'ends early', answer(shorten)],
  [
    'encode',
    'leaves lone surrogates out',
    answer((bytes: Uint8Array) => Buffer.from(bytes.filter((byte) => byte !== 0xbf))),
  ],
  [
    'encode',
    'leaves them out at the end',
    answer((bytes: Uint8Array, text: string) => (/\ud800$/.test(text) ? shorten(bytes) : bytes)),
  ],
  [
    'encodeInto',
    'reads less than all',
    answer(({ read, written }: { read: number; written: number }) => ({
      read: read - 1,
      written,
    })),
  ],
  [
    'encodeInto',
    'writes less than all',
    answer(({ read, written }: { read: number; written: number }) => ({
      read,
      written: written - 1,
    })),
  ],
  ['isWellFormed', 'takes all', () => () => true],
  ['isWellFormed', 'takes nothing', () => () => false],
  ['isAscii', 'takes all', () => () => true],
  ['isAscii', 'takes nothing', () => () => false],
  ['indexOf', 'finds nothing', () => () => -1],
  ['indexOf', 'finds what is not there', () => (_: never, start: number) => Math.max(start, 70)],
  ['latin1Slice', 'reads windows-1252', answer((text: string) => text.replace('\x80', '€'))],
  ['latin1Slice', 'reads ASCII', answer((text: string) => text.replace('\xff', '\x7f'))],
  ['ucs2Slice', 'drops a byte order mark', dropMark],
  ['ucs2Slice', 'repairs surrogates', answer(repair)],
  [
    'ucs2Write',
    'repairs surrogates',
    (method) =>
      function (this: unknown, text: string, ...range: never[]): unknown {
        return method.call(this, repair(text) as never, ...range);
      },
  ],
];

it('keeps all functions of an honest platform', async () => {
  const platform = await lookWith('decode', (method) => method);
  expect(Object.keys(platform).sort()).toEqual([...all, 'hasFastBuffer', 'isLittleEndian'].sort());
  expect(platform.isLittleEndian).toBe(true);
});

it.each(lies)('leaves %s alone if it %s', async (way, _, change) => {
  const platform = await lookWith(way, change);
  const kept = all.filter((name) => platform[name as keyof Platform] !== undefined);
  expect(kept).toEqual(all.filter((name) => name !== way));
});

it('copies no code units where numbers lie the other way round', async () => {
  const swap = (...values: number[]): Uint16Array => {
    const numbers = new Uint16Array(values);
    Buffer.from(numbers.buffer).swap16();
    return numbers;
  };
  const platform = await look(Uint16Array, 'of', swap);
  expect(platform.isLittleEndian).toBe(false);
  const kept = all.filter((name) => platform[name as keyof Platform] !== undefined);
  expect(kept).toEqual(all.filter((name) => !name.startsWith('ucs2')));
});
