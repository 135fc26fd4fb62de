/** The functions of the platform and of the module that a call uses: all choices give the same result, in different time. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wasm as cesu8 } from '../../../cesu8/src/generated/wasm.js';
import { wasm as mutf8 } from '../../../mutf8/src/generated/wasm.js';
import { wasm as strict } from '../../../strict/src/generated/wasm.js';
import { wasm as wtf8 } from '../../../wtf8/src/generated/wasm.js';
import { choice } from '../../src/fast/choice.js';
import { type Facts, Kernel } from '../../src/fast/kernel.js';
import { decodePart } from '../../src/fast/kernel-part.js';
import { findTranscode } from '../../src/fast/kernel-transcode.js';
import { SHORT_FOR_PLATFORM as SHORT } from '../../src/fast/limits.js';
import type { Module, Scratch } from '../../src/fast/module.js';
import { findPlatform, platform } from '../../src/fast/platform.js';

/** The functions that were called, each once, in the order of their first calls. */
const calls = new Set<string>();

/** True while WebAssembly is forbidden. */
let isForbidden = false;

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Notes each call of an object's functions. */
function watch<Holder extends object>(holder: Holder, prefix: string): Holder {
  const watched = { ...holder } as Record<string, unknown>;
  for (const [name, value] of Object.entries(holder)) {
    if (typeof value !== 'function') continue;
    watched[name] = function (this: unknown, ...values: unknown[]) {
      calls.add(prefix + name);
      return (value as Method).apply(this, values);
    };
  }
  return watched as Holder;
}

vi.mock('../../src/fast/module.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/fast/module.js')>();
  return {
    ...original,
    instantiate: (digits: string): Module | undefined => {
      const module = isForbidden ? undefined : original.instantiate(digits);
      return module && watch(module, 'wasm.');
    },
  };
});

vi.mock('../../src/fast/view.js', async (importOriginal) => {
  const { isAsciiByBytes, isAsciiByWords, copyWords, ...others } =
    await importOriginal<typeof import('../../src/fast/view.js')>();
  return { ...others, ...watch({ isAsciiByBytes, isAsciiByWords, copyWords }, '') };
});

Object.assign(platform, watch({ ...findPlatform() }, ''));

const facts = (firstAscii: number, isUtf8: boolean, isWider: boolean): Facts => ({
  firstAscii,
  isUtf8,
  readsUtf8: isWider,
  writesUtf8: isWider,
  convertsUtf8: !isWider,
});

const codecs = {
  strict: [strict, facts(0, true, true)],
  wtf8: [wtf8, facts(0, false, true)],
  cesu8: [cesu8, facts(0, false, false)],
  mutf8: [mutf8, facts(1, false, false)],
} as const;

type Name = keyof typeof codecs;

const kernelOf = (name: Name): Kernel => {
  const [wasm, own] = codecs[name];
  return new Kernel(wasm, own);
};

/** Decided, and nothing of the platform is faster. */
const slow = {
  isDecided: true,
  webassembly: true,
  platform: true,
  decodes: false,
  encodesLatin1: false,
  encodesOthers: false,
};

type Choices = Partial<typeof choice>;

/** Runs a function, and lists the functions that it calls. */
function listCalls<Result>(
  taken: Choices,
  run: () => Result,
): { readonly result: Result; readonly called: string } {
  Object.assign(choice, slow, taken);
  calls.clear();
  const result = run();
  return { result, called: [...calls].join(' ') };
}

beforeEach(() => {
  isForbidden = false;
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const repeat = (text: string, codeUnits: number): string => text.repeat(codeUnits / text.length);

const texts = {
  a: 'a',
  é: 'é',
  '512 a': repeat('a', SHORT),
  '513 a': repeat('a', SHORT + 1),
  '1023 a': repeat('a', 1023),
  '1024 a': repeat('a', 1024),
  '512 é': repeat('é', 512),
  '512 碼': repeat('碼', 512),
  '256 😀': repeat('😀', 512),
  // At none of the places that are looked at.
  'é among 1000 a': `${repeat('a', 10)}é${repeat('a', 990)}`,
  'a, 700 times, and NUL': `${repeat('a', 700)}\0${repeat('a', 700)}`,
  'a surrogate': 'a\ud800',
  '513 a and a surrogate': `${repeat('a', 513)}\ud800`,
  // A window, of bytes and of code units, and more.
  '16384 é': repeat('é', 16_384),
  '16385 é': repeat('é', 16_385),
  '32768 é': repeat('é', 32_768),
  '32769 é': repeat('é', 32_769),
  '40000 a': repeat('a', 40_000),
  '40000 é': repeat('é', 40_000),
  // More than the module's memory can take.
  '400000 a': repeat('a', 400_000),
  '400000 a and NUL': `${repeat('a', 400_000)}\0`,
  '400000 é': repeat('é', 400_000),
  '400000 碼 and a surrogate': `${repeat('碼', 400_000)}\ud800`,
  '200000 😀': repeat('😀', 400_000),
} as const;

type Text = keyof typeof texts;

const choices = {
  'WebAssembly alone': { platform: false },
  WebAssembly: {},
  'the platform': { decodes: true, encodesLatin1: true, encodesOthers: true },
  'the platform without WebAssembly': {
    webassembly: false,
    decodes: true,
    encodesLatin1: true,
    encodesOthers: true,
  },
} as const satisfies Record<string, Choices>;

type Choice = keyof typeof choices;

/** Lists the calls for each of some cases: a codec, what is faster, and a text. */
const listCases = (
  cases: readonly (readonly [Name, Choice, ...Text[]])[],
  run: (name: Name, choices: Choices, text: string) => string,
): string =>
  `\n${cases
    .flatMap(([name, choice, ...names]) =>
      names.map(
        (text) => `${name}, ${choice}, ${text}: ${run(name, choices[choice], texts[text])}`,
      ),
    )
    .join('\n')}\n`;

const start = () => ({ read: 0, written: 0 });

describe('decodeWhole', () => {
  const decode = (name: Name, taken: Choices, text: string): string => {
    const bytes = bytesOf(text);
    const progress = start();
    const { result, called } = listCalls(taken, () =>
      kernelOf(name).decodeWhole(bytes, bytes.length, progress),
    );
    expect([text, undefined]).toContain(result);
    return result === undefined ? `${called} (windows)` : called;
  };

  it('calls the fastest functions', () => {
    const calls = listCases(
      [
        ['strict', 'WebAssembly', 'a', 'é', '512 a', '513 a', '512 é', 'é among 1000 a'],
        ['strict', 'WebAssembly alone', '513 a'],
        ['strict', 'the platform', 'é', '513 a', '512 é', '512 碼', '256 😀', '40000 é'],
        ['wtf8', 'the platform', '512 a', '512 é'],
        ['cesu8', 'WebAssembly', '513 a', '512 é', '16384 é', '16385 é'],
        [
          'cesu8',
          'the platform',
          'a',
          '512 a',
          '513 a',
          '512 é',
          '512 碼',
          'é among 1000 a',
          '40000 é',
        ],
        ['cesu8', 'the platform without WebAssembly', '513 a', '512 é'],
        ['mutf8', 'WebAssembly', '513 a'],
      ],
      decode,
    );
    expect(calls).toMatchInlineSnapshot(`
      "
      strict, WebAssembly, a: wasm.decodeShort latin1Slice
      strict, WebAssembly, é: wasm.decodeShort ucs2Slice
      strict, WebAssembly, 512 a: wasm.decodeShort latin1Slice
      strict, WebAssembly, 513 a: isAscii latin1Slice
      strict, WebAssembly, 512 é: wasm.decodeShort ucs2Slice
      strict, WebAssembly, é among 1000 a: isAscii wasm.decodeShort ucs2Slice
      strict, WebAssembly alone, 513 a: wasm.decodeShort latin1Slice
      strict, the platform, é: decode
      strict, the platform, 513 a: decode
      strict, the platform, 512 é: isUtf8 utf8Slice
      strict, the platform, 512 碼: decode
      strict, the platform, 256 😀: decode
      strict, the platform, 40000 é:  (windows)
      wtf8, the platform, 512 a: wasm.decodeShort latin1Slice
      wtf8, the platform, 512 é: isUtf8 utf8Slice
      cesu8, WebAssembly, 513 a: isAscii latin1Slice
      cesu8, WebAssembly, 512 é: wasm.decodeShort ucs2Slice
      cesu8, WebAssembly, 16384 é: wasm.decodeShort ucs2Slice
      cesu8, WebAssembly, 16385 é:  (windows)
      cesu8, the platform, a: wasm.decodeShort latin1Slice
      cesu8, the platform, 512 a: wasm.decodeShort latin1Slice
      cesu8, the platform, 513 a: isAscii latin1Slice
      cesu8, the platform, 512 é: wasm.isShared isUtf8 utf8Slice
      cesu8, the platform, 512 碼: wasm.isShared decode
      cesu8, the platform, é among 1000 a: isAscii wasm.decodeShort ucs2Slice
      cesu8, the platform, 40000 é:  (windows)
      cesu8, the platform without WebAssembly, 513 a: isAscii latin1Slice
      cesu8, the platform without WebAssembly, 512 é:  (windows)
      mutf8, WebAssembly, 513 a: isAscii indexOf latin1Slice
      "
    `);
  });

  it('decodes the part before a fault once', () => {
    const progress = start();
    const bytes = Uint8Array.of(...bytesOf(texts['512 é']), 0xff);
    const kernel = kernelOf('cesu8');
    const run = () => kernel.decodeWhole(bytes, bytes.length, progress);
    expect(listCalls({}, run)).toEqual({ called: 'wasm.decodeShort wasm.decode' });
    expect(progress).toEqual({ read: 1024, written: 512 });
    expect(kernel.readText(kernel.scratch as Scratch, 512)).toBe(texts['512 é']);
  });

  it('leaves out the platform for 15 inputs after one that it refused', () => {
    const kernel = kernelOf('strict');
    const run = (text: string, ...ends: number[]): string => {
      const bytes = Uint8Array.of(...bytesOf(text), ...ends, ...bytesOf(text));
      const decode = () => kernel.decodeWhole(bytes, bytes.length, start());
      return listCalls(choices['the platform'], decode).called;
    };
    expect(run(texts['512 碼'], 0xff)).toBe('decode wasm.decodeShort wasm.decode');
    for (let i = 0; i < 15; i++) expect(run(texts['512 碼'])).toBe('wasm.decodeShort ucs2Slice');
    expect(run(texts['512 碼'])).toBe('decode');
  });

  it('leaves memory that other threads see to WebAssembly', () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(600)).fill(0x61);
    const run = () => kernelOf('strict').decodeWhole(bytes, bytes.length, start());
    expect(listCalls(choices['the platform'], run).called).toBe('wasm.decodeShort latin1Slice');
  });

  it('leaves surrogates to WebAssembly', () => {
    const bytes = Uint8Array.of(...bytesOf(texts['512 é']), 0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80);
    const run = () => kernelOf('cesu8').decodeWhole(bytes, bytes.length, start());
    const { result, called } = listCalls(choices['the platform'], run);
    expect(called).toBe('wasm.decodeShort ucs2Slice');
    expect(result).toBe(`${texts['512 é']}\u{10000}`);
  });

  it('does nothing without WebAssembly for text that may differ from UTF-8', () => {
    isForbidden = true;
    const bytes = bytesOf(texts['512 é']);
    const run = () => kernelOf('cesu8').decodeWhole(bytes, bytes.length, start());
    expect(listCalls(choices['the platform'], run)).toEqual({ called: '' });
  });
});

it('decodeByPlatform stops before a sequence that its window cuts', () => {
  const bytes = bytesOf(texts['40000 é']);
  const progress = start();
  const run = () => kernelOf('strict').decodeByPlatform(bytes, 1000, 3001, progress);
  const { result, called } = listCalls(choices['the platform'], run);
  expect([result, progress.read, called]).toEqual([repeat('é', 1000), 3000, 'isUtf8 utf8Slice']);
});

it('validateWhole calls the fastest functions', () => {
  const calls = listCases(
    [
      ['strict', 'WebAssembly', 'a', '513 a', '512 é'],
      ['strict', 'WebAssembly alone', '513 a'],
      ['strict', 'the platform', 'é', '513 a'],
      ['wtf8', 'the platform', '512 é'],
      ['cesu8', 'WebAssembly', '1024 a', '512 é', '16384 é', '16385 é'],
      ['cesu8', 'the platform', '513 a', '1023 a', '1024 a', '512 é', '40000 é', '256 😀'],
      ['cesu8', 'the platform without WebAssembly', '512 é'],
      ['mutf8', 'the platform', '1024 a', 'a, 700 times, and NUL'],
    ],
    (name, taken, text) => {
      const bytes = bytesOf(text);
      const validate = () => kernelOf(name).validateWhole(bytes, bytes.length);
      const { result, called } = listCalls(taken, validate);
      return result === bytes.length ? called : `${called} (to ${result})`;
    },
  );
  expect(calls).toMatchInlineSnapshot(`
    "
    strict, WebAssembly, a: isUtf8
    strict, WebAssembly, 513 a: isUtf8
    strict, WebAssembly, 512 é: isUtf8
    strict, WebAssembly alone, 513 a: wasm.validate
    strict, the platform, é: isUtf8
    strict, the platform, 513 a: isUtf8
    wtf8, the platform, 512 é: isUtf8
    cesu8, WebAssembly, 1024 a: isAscii
    cesu8, WebAssembly, 512 é: isUtf8 wasm.isShared
    cesu8, WebAssembly, 16384 é: isUtf8 wasm.isShared
    cesu8, WebAssembly, 16385 é: isUtf8 wasm.isShared
    cesu8, the platform, 513 a: wasm.validate
    cesu8, the platform, 1023 a: wasm.validate
    cesu8, the platform, 1024 a: isAscii
    cesu8, the platform, 512 é: isUtf8 wasm.isShared
    cesu8, the platform, 40000 é: isUtf8 wasm.isShared
    cesu8, the platform, 256 😀: isUtf8 wasm.isShared wasm.validate (to 0)
    cesu8, the platform without WebAssembly, 512 é: isUtf8 (to 0)
    mutf8, the platform, 1024 a: isAscii indexOf
    mutf8, the platform, a, 700 times, and NUL: isAscii indexOf isUtf8 wasm.isShared wasm.validate (to 687)
    "
  `);
});

it('validateWhole tells malformed UTF-8 by the platform', () => {
  const bytes = Uint8Array.of(...bytesOf(texts['512 é']), 0xff);
  const run = () => kernelOf('strict').validateWhole(bytes, bytes.length);
  expect(listCalls({}, run)).toEqual({ result: -1, called: 'isUtf8' });
});

describe('encodeWhole and encodeWholeInto', () => {
  const encode = (name: Name, taken: Choices, text: string): string => {
    const { result, called } = listCalls(taken, () => kernelOf(name).encodeWhole(text, 3, start()));
    const target = new Uint8Array(3 * text.length);
    const progress = start();
    const into = listCalls(taken, () =>
      kernelOf(name).encodeWholeInto(text, target, target.length, progress),
    );
    if (result && into.result) {
      expect(progress).toEqual({ read: text.length, written: result.length });
      expect(Buffer.compare(result, target.subarray(0, progress.written))).toBe(0);
    }
    return `${called}${result ? '' : ' (windows)'} | ${into.called}${into.result ? '' : ' (windows)'}`;
  };

  it('call the fastest functions', () => {
    const calls = listCases(
      [
        ['strict', 'WebAssembly alone', 'a', '513 a', '40000 a'],
        [
          'strict',
          'WebAssembly',
          'é',
          '513 a',
          '40000 a',
          '40000 é',
          '400000 a',
          '400000 a and NUL',
          '256 😀',
        ],
        [
          'strict',
          'the platform',
          'a',
          'a, 700 times, and NUL',
          '512 é',
          '40000 é',
          '400000 a',
          '400000 é',
          '200000 😀',
        ],
        ['strict', 'the platform', 'a surrogate', '400000 碼 and a surrogate'],
        ['strict', 'the platform without WebAssembly', 'é'],
        ['cesu8', 'WebAssembly alone', '512 é'],
        ['cesu8', 'WebAssembly', 'a', '513 a', '512 é', '32768 é', '32769 é', 'a surrogate'],
        [
          'cesu8',
          'the platform',
          'a',
          '512 é',
          '40000 é',
          '256 😀',
          '400000 a',
          '400000 é',
          '200000 😀',
        ],
        ['cesu8', 'the platform', '513 a and a surrogate'],
        ['cesu8', 'the platform without WebAssembly', '513 a', '512 é'],
        ['mutf8', 'WebAssembly', '513 a', '512 é'],
        [
          'mutf8',
          'the platform',
          'a',
          '512 é',
          'a surrogate',
          'a, 700 times, and NUL',
          '400000 a',
          '400000 a and NUL',
        ],
        ['mutf8', 'the platform without WebAssembly', 'a, 700 times, and NUL'],
      ],
      encode,
    );
    expect(calls).toMatchInlineSnapshot(`
      "
      strict, WebAssembly alone, a: ucs2Write wasm.encodableLength wasm.encode | ucs2Write wasm.encodableLength wasm.encode
      strict, WebAssembly alone, 513 a: ucs2Write wasm.encodableLength wasm.encode | ucs2Write wasm.encodableLength wasm.encode
      strict, WebAssembly alone, 40000 a: ucs2Write wasm.encodableLength wasm.encode |  (windows)
      strict, WebAssembly, é: ucs2Write wasm.encodableLength wasm.encode | encodeInto isWellFormed
      strict, WebAssembly, 513 a: encodeInto | encodeInto
      strict, WebAssembly, 40000 a: encodeInto | encodeInto
      strict, WebAssembly, 40000 é: ucs2Write wasm.encodableLength wasm.encode |  (windows)
      strict, WebAssembly, 400000 a: encodeInto | encodeInto
      strict, WebAssembly, 400000 a and NUL: encodeInto | encodeInto
      strict, WebAssembly, 256 😀: ucs2Write wasm.encodableLength wasm.encode | encodeInto indexOf
      strict, the platform, a: encode | encodeInto
      strict, the platform, a, 700 times, and NUL: encode | encodeInto
      strict, the platform, 512 é: encode isWellFormed | encodeInto isWellFormed
      strict, the platform, 40000 é: encode isWellFormed | encodeInto isWellFormed
      strict, the platform, 400000 a: encode | encodeInto
      strict, the platform, 400000 é: encode isWellFormed | encodeInto isWellFormed
      strict, the platform, 200000 😀: encode indexOf | encodeInto indexOf
      strict, the platform, a surrogate: encode indexOf isWellFormed encodeInto ucs2Write wasm.encodableLength wasm.encode (windows) | encodeInto indexOf isWellFormed ucs2Write wasm.encodableLength (windows)
      strict, the platform, 400000 碼 and a surrogate: encode isWellFormed encodeInto ucs2Write wasm.encodableLength wasm.encode (windows) | encodeInto isWellFormed (windows)
      strict, the platform without WebAssembly, é: encode isWellFormed | encodeInto isWellFormed
      cesu8, WebAssembly alone, 512 é: ucs2Write wasm.encodableLength wasm.encode | ucs2Write wasm.encodableLength wasm.encode
      cesu8, WebAssembly, a: ucs2Write wasm.encodableLength wasm.encode | ucs2Write wasm.encodableLength wasm.encode
      cesu8, WebAssembly, 513 a: encodeInto | encodeInto
      cesu8, WebAssembly, 512 é: ucs2Write wasm.encodableLength wasm.encode | ucs2Write wasm.encodableLength wasm.encode
      cesu8, WebAssembly, 32768 é: ucs2Write wasm.encodableLength wasm.encode | ucs2Write wasm.encodableLength wasm.encode
      cesu8, WebAssembly, 32769 é: ucs2Write wasm.encodableLength wasm.encode |  (windows)
      cesu8, WebAssembly, a surrogate: ucs2Write wasm.encodableLength wasm.encode (windows) | ucs2Write wasm.encodableLength (windows)
      cesu8, the platform, a: encode | encodeInto
      cesu8, the platform, 512 é: encodeInto isWellFormed wasm.isShared | encodeInto isWellFormed wasm.isShared
      cesu8, the platform, 40000 é: encodeInto isWellFormed wasm.isShared | encodeInto isWellFormed wasm.isShared
      cesu8, the platform, 256 😀: ucs2Write wasm.encodableLength wasm.encode | ucs2Write wasm.encodableLength wasm.encode
      cesu8, the platform, 400000 a: encode | encodeInto
      cesu8, the platform, 400000 é: encodeInto isWellFormed wasm.isShared |  (windows)
      cesu8, the platform, 200000 😀: ucs2Write wasm.encodableLength wasm.encode |  (windows)
      cesu8, the platform, 513 a and a surrogate: ucs2Write wasm.encodableLength wasm.encode (windows) | ucs2Write wasm.encodableLength (windows)
      cesu8, the platform without WebAssembly, 513 a: encode | encodeInto
      cesu8, the platform without WebAssembly, 512 é:  (windows) |  (windows)
      mutf8, WebAssembly, 513 a: encodeInto | encodeInto
      mutf8, WebAssembly, 512 é: ucs2Write wasm.encode | ucs2Write wasm.encode
      mutf8, the platform, a: encode | encodeInto
      mutf8, the platform, 512 é: encodeInto isWellFormed wasm.isShared | encodeInto isWellFormed wasm.isShared
      mutf8, the platform, a surrogate: ucs2Write wasm.encode | ucs2Write wasm.encode
      mutf8, the platform, a, 700 times, and NUL: encode encodeInto isWellFormed wasm.isShared wasm.fromUtf8 | encodeInto ucs2Write wasm.encode
      mutf8, the platform, 400000 a: encode | encodeInto
      mutf8, the platform, 400000 a and NUL: encode encodeInto isWellFormed wasm.isShared wasm.fromUtf8 | encodeInto (windows)
      mutf8, the platform without WebAssembly, a, 700 times, and NUL: encode (windows) | encodeInto (windows)
      "
    `);
  });

  it('encode the part before a lone surrogate once', () => {
    const progress = start();
    const kernel = kernelOf('cesu8');
    const run = () => kernel.encodeWhole(`${texts['512 é']}\ud800a`, 3, progress);
    const called = 'ucs2Write wasm.encodableLength wasm.encode';
    expect(listCalls({}, run)).toEqual({ called });
    expect(progress).toEqual({ read: 512, written: 1024 });
  });
});

describe('a platform without a function', () => {
  const all = { ...platform };
  const remove = (name: keyof typeof platform): void => {
    Reflect.deleteProperty(platform, name);
  };
  afterEach(() => {
    Object.assign(platform, all);
  });

  it.each([
    ['strict', '512 é', 'encodeInto ucs2Write wasm.encodableLength wasm.encode'],
    ['cesu8', '512 é', 'encodeInto ucs2Write wasm.encodableLength wasm.encode'],
    ['mutf8', 'a', 'encodeInto'],
  ] as const)('isWellFormed: %s of %s: %s', (name, text, expected) => {
    remove('isWellFormed');
    const target = new Uint8Array(3 * texts[text].length);
    const run = () => kernelOf(name).encodeWholeInto(texts[text], target, target.length, start());
    expect(listCalls(choices['the platform'], run)).toEqual({ result: true, called: expected });
  });

  it.each([
    ['isWellFormed', 'encodeInto ucs2Write wasm.encodableLength wasm.encode'],
    ['encode', 'encodeInto isWellFormed'],
  ] as const)('encodes long texts in windows without %s', (name, called) => {
    remove(name);
    const run = () => kernelOf('strict').encodeWhole(texts['400000 é'], 3, start())?.length;
    expect(listCalls(choices['the platform'], run)).toEqual({ result: 800_000, called });
  });

  it.each([
    ['encodeInto', 'ucs2Write wasm.encodableLength wasm.encode'],
    ['ucs2Write', 'encodeInto isWellFormed wasm.isShared'],
    ['hasFastBuffer', 'encodeInto isWellFormed wasm.isShared'],
  ] as const)('encodes without %s: %s', (name, called) => {
    remove(name);
    const run = () => kernelOf('cesu8').encodeWhole(texts['512 é'], 3, start())?.length;
    expect(listCalls(choices['the platform'], run)).toEqual({ result: 1024, called });
  });

  it.each(['ucs2Write', 'hasFastBuffer'] as const)('copies code units without %s', (name) => {
    remove(name);
    const run = () => kernelOf('cesu8').encodeWhole(texts['512 é'], 3, start())?.length;
    const called = 'wasm.encodableLength wasm.encode';
    expect(listCalls({}, run)).toEqual({ result: 1024, called });
  });

  it.each([
    ['decode', 'cesu8', '512 é', 'wasm.decodeShort ucs2Slice'],
    ['isUtf8', 'cesu8', '512 é', 'wasm.isShared decode'],
    ['hasFastBuffer', 'cesu8', '512 é', 'wasm.isShared decode'],
    ['isAscii', 'cesu8', '513 a', 'wasm.decodeShort latin1Slice'],
    ['latin1Slice', 'mutf8', '513 a', 'wasm.decodeShort'],
    ['indexOf', 'mutf8', '513 a', 'isAscii wasm.decodeShort latin1Slice'],
  ] as const)('decodes without %s: %s of %s: %s', (name, codec, text, called) => {
    remove(name);
    const bytes = bytesOf(texts[text]);
    const run = () => kernelOf(codec).decodeWhole(bytes, bytes.length, start());
    const result = name === 'latin1Slice' ? undefined : texts[text];
    expect(listCalls(choices['the platform'], run)).toEqual({ result, called });
  });

  it.each([
    ['strict', 'WebAssembly', '512 é', 'wasm.validate wasm.toUtf8 decode'],
    ['cesu8', 'WebAssembly', '512 é', 'wasm.validate wasm.toUtf8 decode'],
    ['cesu8', 'WebAssembly', '40000 é', 'wasm.validate wasm.toUtf8 decode'],
    ['cesu8', 'WebAssembly alone', '512 é', ''],
  ] as const)('decodes by UTF-8 in browsers: %s, %s, %s: %s', (name, choice, text, called) => {
    remove('ucs2Slice');
    const bytes = bytesOf(texts[text]);
    const run = () => kernelOf(name).decodeWhole(bytes, bytes.length, start());
    const result = called === '' ? undefined : texts[text];
    expect(listCalls(choices[choice], run)).toEqual({ result, called });
  });
});

describe('decodePart', () => {
  const bytes = bytesOf(`${repeat('a', 40)}${repeat('é', 30)}${repeat('a', 40)}`);

  it('reads bytes of an array first, and words from its second part on', () => {
    const kernel = kernelOf('cesu8');
    const decode = (from: number, to: number) =>
      listCalls({}, () => decodePart(kernel, bytes, from, to));
    expect(decode(0, 30)).toEqual({
      result: repeat('a', 30),
      called: 'isAsciiByBytes latin1Slice',
    });
    expect(decode(40, 80)).toEqual({
      result: repeat('é', 20),
      called: 'isAsciiByWords copyWords wasm.decodeShort ucs2Slice',
    });
    expect(decode(0, 30)).toEqual({
      result: repeat('a', 30),
      called: 'isAsciiByWords latin1Slice',
    });
  });

  it('calls neither the platform nor WebAssembly if WebAssembly is switched off', () => {
    const kernel = kernelOf('cesu8');
    const decode = (from: number, to: number) =>
      listCalls({ webassembly: false }, () => decodePart(kernel, bytes.slice(), from, to));
    expect(decode(0, 30)).toEqual({ called: 'isAsciiByBytes' });
  });
});

describe('encode', () => {
  it('leaves a pair that its window cuts to the next window', () => {
    const kernel = kernelOf('strict');
    const target = new Uint8Array(40);
    const encode = (to: number) =>
      listCalls(choices['the platform'], () => {
        expect(kernel.scratch).toBeDefined();
        const progress = { read: 0, written: 0 };
        kernel.encode('😀😀a', 2, to, target, 3, progress);
        return progress;
      });
    const called = 'encodeInto indexOf';
    expect(encode(3)).toEqual({ result: { read: 2, written: 3 }, called: 'encodeInto' });
    expect(encode(4)).toEqual({ result: { read: 4, written: 7 }, called });
    expect(Buffer.from(target.subarray(0, 8)).toString('hex')).toBe('000000f09f988000');
  });
});

describe('readText', () => {
  const text = `${repeat('a', 15)}\ud800\ufeff`;

  it('copies code units, unless WebAssembly is switched off', () => {
    const kernel = kernelOf('cesu8');
    const take = (taken: Choices, length: number) =>
      listCalls(taken, () => {
        const { scratch } = kernel;
        for (let i = 0; scratch && i < text.length; i++) scratch.codeUnits[i] = text.charCodeAt(i);
        return scratch && kernel.readText(scratch, length);
      });
    expect(take({}, 17)).toEqual({ result: text, called: 'ucs2Slice' });
    expect(take({}, 16)).toEqual({ result: text.slice(0, 16), called: '' });
    expect(take({ webassembly: false }, 17)).toEqual({ called: '' });
  });
});

describe('findTranscode', () => {
  const convert = (from: Name, to: Name, text: string) => {
    const { result, called } = listCalls({}, () => {
      const run = findTranscode(kernelOf(from), kernelOf(to), false);
      if (!run) return undefined;
      const source = bytesOf(text);
      const target = new Uint8Array(source.length * run.growth);
      const progress = { read: 0, written: 0 };
      run(source, 0, source.length, target, 0, progress);
      return [progress.read, Buffer.from(target.subarray(0, progress.written)).toString('hex')];
    });
    return [called, result];
  };

  it('uses the kernel of the side that is not UTF-8', () => {
    expect(convert('cesu8', 'strict', 'é')).toEqual(['wasm.validate wasm.toUtf8', [2, 'c3a9']]);
    expect(convert('strict', 'cesu8', '😀')).toEqual([
      'wasm.validateUtf8 wasm.fromUtf8',
      [4, 'eda0bdedb880'],
    ]);
    expect(convert('mutf8', 'cesu8', 'é')).toEqual(['', undefined]);
  });

  it('has memory of its own if asked, and none where WebAssembly is switched off', () => {
    const [from, to] = [kernelOf('cesu8'), kernelOf('strict')];
    const { scratch } = from;
    const memoryOf = (inOwnMemory: boolean) => findTranscode(from, to, inOwnMemory)?.memory;
    expect(memoryOf(false)?.output.buffer).toBe(scratch?.bytes.buffer);
    const { input, output } = memoryOf(true) as NonNullable<ReturnType<typeof memoryOf>>;
    expect(input.buffer).toBe(output.buffer);
    expect(output.buffer).not.toBe(scratch?.bytes.buffer);
    expect(memoryOf(true)?.output.buffer).not.toBe(output.buffer);
    const { result } = listCalls({ webassembly: false }, () => [memoryOf(true), memoryOf(false)]);
    expect(result).toEqual([undefined, undefined]);
  });
});
