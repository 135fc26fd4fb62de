/** Which functions of the platform and of the module a call takes: all ways give the same, and differ in time. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wasm as cesu8 } from '../../cesu8/src/generated/wasm.js';
import { wasm as mutf8 } from '../../mutf8/src/generated/wasm.js';
import { wasm as strict } from '../../strict/src/generated/wasm.js';
import { wasm as wtf8 } from '../../wtf8/src/generated/wasm.js';
import { type Facts, SimdKernel } from '../src/kernel.js';
import type { Module } from '../src/module.js';
import { findPlatform, platform } from '../src/platform.js';
import { SHORT } from '../src/sample.js';
import { ways } from '../src/ways.js';

/** The functions that were called, each once, in the order of their first calls. */
const calls = new Set<string>();

/** Whether WebAssembly is forbidden. */
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

vi.mock('../src/module.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../src/module.js')>();
  return {
    ...original,
    instantiate: (digits: string): Module | undefined => {
      const module = isForbidden ? undefined : original.instantiate(digits);
      return module && watch(module, 'wasm.');
    },
  };
});

vi.mock('../src/view.js', async (importOriginal) => {
  const { isAsciiByBytes, isAsciiByWords, copyWords, ...others } =
    await importOriginal<typeof import('../src/view.js')>();
  return { ...others, ...watch({ isAsciiByBytes, isAsciiByWords, copyWords }, '') };
});

Object.assign(platform, watch({ ...findPlatform() }, ''));

const facts = (firstAscii: number, isUtf8: boolean, isWider: boolean): Facts => ({
  firstAscii,
  isUtf8,
  readsUtf8: isWider,
  writesUtf8: isWider,
});

const codecs = {
  strict: [strict, facts(0, true, true)],
  wtf8: [wtf8, facts(0, false, true)],
  cesu8: [cesu8, facts(0, false, false)],
  mutf8: [mutf8, facts(1, false, false)],
} as const;

type Name = keyof typeof codecs;

const kernelOf = (name: Name): SimdKernel => {
  const [wasm, own] = codecs[name];
  return new SimdKernel(wasm, own);
};

/** Decided, and nothing of the platform is faster. */
const slow = {
  isDecided: true,
  webassembly: true,
  platform: true,
  decodes: false,
  slices: false,
  validates: false,
  encodesLatin1: false,
  encodesOthers: false,
  copies: false,
};

type Ways = Partial<typeof ways>;

/** Lists what a call takes. */
function listCalls<Result>(
  taken: Ways,
  run: () => Result,
): { readonly result: Result; readonly called: string } {
  Object.assign(ways, slow, taken);
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
  // Where no look at some places finds it.
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
  'WebAssembly alone': { platform: false, copies: true },
  WebAssembly: {},
  'WebAssembly and copies': { copies: true },
  'the platform': {
    decodes: true,
    validates: true,
    encodesLatin1: true,
    encodesOthers: true,
    copies: true,
  },
  'the platform, which slices': { decodes: true, slices: true },
  'the platform without WebAssembly': {
    webassembly: false,
    decodes: true,
    validates: true,
    encodesLatin1: true,
    encodesOthers: true,
  },
} as const satisfies Record<string, Ways>;

type Choice = keyof typeof choices;

/** A codec, what is faster, the text, and what is called. */
type Case = readonly [Name, Choice, Text, string];

/** Nothing: others take it over. */
const NOTHING = '';

describe('decodeWhole', () => {
  it.each<Case>([
    ['strict', 'WebAssembly', 'a', 'decode'],
    ['strict', 'WebAssembly', 'é', 'wasm.decodeShort ucs2Slice'],
    ['strict', 'WebAssembly', '512 a', 'decode'],
    ['strict', 'WebAssembly', '513 a', 'isAscii latin1Slice'],
    ['strict', 'WebAssembly', '512 é', 'wasm.decodeShort ucs2Slice'],
    ['strict', 'WebAssembly', 'é among 1000 a', 'isAscii wasm.decodeShort ucs2Slice'],
    ['strict', 'WebAssembly alone', '513 a', 'wasm.decodeShort latin1Slice'],
    ['strict', 'the platform', 'é', 'decode'],
    ['strict', 'the platform', '513 a', 'decode'],
    ['strict', 'the platform', '512 é', 'decode'],
    ['strict', 'the platform, which slices', '513 a', 'decode'],
    ['strict', 'the platform, which slices', '512 é', 'isUtf8 utf8Slice'],
    ['strict', 'the platform, which slices', '512 碼', 'decode'],
    ['strict', 'the platform, which slices', '256 😀', 'decode'],
    ['wtf8', 'the platform', '512 a', 'wasm.decodeShort latin1Slice'],
    ['wtf8', 'the platform', '512 é', 'decode'],
    ['cesu8', 'WebAssembly', '513 a', 'isAscii latin1Slice'],
    ['cesu8', 'WebAssembly', '512 é', 'wasm.decodeShort ucs2Slice'],
    ['cesu8', 'the platform', 'é among 1000 a', 'isAscii wasm.isShared decode'],
    ['cesu8', 'WebAssembly', '16384 é', 'wasm.decodeShort ucs2Slice'],
    ['cesu8', 'WebAssembly', '16385 é', NOTHING],
    ['cesu8', 'the platform', 'a', 'wasm.decodeShort latin1Slice'],
    ['cesu8', 'the platform', '512 a', 'wasm.decodeShort latin1Slice'],
    ['cesu8', 'the platform', '513 a', 'isAscii latin1Slice'],
    ['cesu8', 'the platform', '512 é', 'wasm.isShared decode'],
    ['cesu8', 'the platform', '40000 é', 'wasm.isShared decode'],
    ['cesu8', 'the platform, which slices', '512 é', 'wasm.isShared isUtf8 utf8Slice'],
    ['cesu8', 'the platform, which slices', '512 碼', 'wasm.isShared decode'],
    ['cesu8', 'the platform without WebAssembly', '513 a', 'isAscii latin1Slice'],
    ['cesu8', 'the platform without WebAssembly', '512 é', NOTHING],
    ['mutf8', 'WebAssembly', '513 a', 'isAscii indexOf latin1Slice'],
  ])('of %s, where faster is %s, takes for %s: %s', (name, choice, text, expected) => {
    const bytes = bytesOf(texts[text]);
    const { result, called } = listCalls(choices[choice], () =>
      kernelOf(name).decodeWhole(bytes, bytes.length),
    );
    expect(called).toBe(expected);
    expect(result).toBe(expected === NOTHING ? undefined : texts[text]);
  });

  it('asks the platform no more for 15 inputs after one that it refused', () => {
    const kernel = kernelOf('strict');
    const decode = (text: string, ...ends: number[]): string => {
      const bytes = Uint8Array.of(...bytesOf(text), ...ends, ...bytesOf(text));
      return listCalls(choices['the platform'], () => kernel.decodeWhole(bytes, bytes.length))
        .called;
    };
    expect(decode(texts['512 碼'], 0xff)).toBe('decode wasm.decodeShort');
    for (let i = 0; i < 15; i++) {
      expect(decode(texts['512 碼'])).toBe('wasm.decodeShort ucs2Slice');
    }
    expect(decode(texts['512 碼'])).toBe('decode');
  });

  it('leaves memory that other threads see to WebAssembly', () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(600)).fill(0x61);
    const decode = () => kernelOf('strict').decodeWhole(bytes, bytes.length);
    expect(listCalls(choices['the platform'], decode).called).toBe('wasm.decodeShort latin1Slice');
  });

  it('leaves surrogates to WebAssembly', () => {
    const bytes = Uint8Array.of(...bytesOf(texts['512 é']), 0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80);
    const decode = () => kernelOf('cesu8').decodeWhole(bytes, bytes.length);
    const { result, called } = listCalls(choices['the platform'], decode);
    expect(called).toBe('wasm.decodeShort ucs2Slice');
    expect(result).toBe(`${texts['512 é']}\u{10000}`);
  });

  it('leaves what has another meaning to others, where WebAssembly is forbidden', () => {
    isForbidden = true;
    const bytes = bytesOf(texts['512 é']);
    const decode = () => kernelOf('cesu8').decodeWhole(bytes, bytes.length);
    expect(listCalls(choices['the platform'], decode)).toEqual({ called: NOTHING });
  });
});

describe('isWholeValid', () => {
  it.each<Case>([
    ['strict', 'WebAssembly', 'a', 'wasm.validate'],
    ['strict', 'WebAssembly', '513 a', 'isAscii'],
    ['strict', 'WebAssembly', '512 é', 'wasm.validate'],
    ['strict', 'WebAssembly alone', '513 a', 'wasm.validate'],
    ['strict', 'the platform', 'é', 'isUtf8'],
    ['strict', 'the platform', '513 a', 'isUtf8'],
    ['wtf8', 'the platform', '512 é', 'isUtf8'],
    ['cesu8', 'WebAssembly', '1024 a', 'isAscii'],
    ['cesu8', 'WebAssembly', '512 é', 'wasm.validate'],
    ['cesu8', 'WebAssembly', '16384 é', 'wasm.validate'],
    ['cesu8', 'WebAssembly', '16385 é', NOTHING],
    ['cesu8', 'the platform', '513 a', 'wasm.validate'],
    ['cesu8', 'the platform', '1023 a', 'wasm.validate'],
    ['cesu8', 'the platform', '1024 a', 'isAscii'],
    ['cesu8', 'the platform', '512 é', 'isUtf8 wasm.isShared'],
    ['cesu8', 'the platform', '40000 é', 'isUtf8 wasm.isShared'],
    ['mutf8', 'the platform', '1024 a', 'isAscii indexOf'],
  ])('of %s, where faster is %s, takes for %s: %s', (name, choice, text, expected) => {
    const bytes = bytesOf(texts[text]);
    const { result, called } = listCalls(choices[choice], () =>
      kernelOf(name).isWholeValid(bytes, bytes.length),
    );
    expect(called).toBe(expected);
    expect(result).toBe(expected !== NOTHING);
  });

  it.each<Case>([
    ['cesu8', 'the platform', '256 😀', 'isUtf8 wasm.isShared wasm.validate'],
    ['cesu8', 'the platform without WebAssembly', '512 é', 'isUtf8'],
    [
      ...(['mutf8', 'the platform', 'a, 700 times, and NUL'] as const),
      'isAscii indexOf isUtf8 wasm.isShared wasm.validate',
    ],
  ])('of %s, where faster is %s, does not vouch for %s: %s', (name, choice, text, expected) => {
    const bytes = bytesOf(texts[text]);
    const validate = () => kernelOf(name).isWholeValid(bytes, bytes.length);
    expect(listCalls(choices[choice], validate)).toEqual({ result: false, called: expected });
  });
});

describe('encodeWhole and encodeWholeInto', () => {
  const module = 'wasm.encodableLength wasm.encode';
  const copied = `ucs2Write ${module}`;
  const shared = 'encodeInto isWellFormed wasm.isShared';

  it.each<Case>([
    ['strict', 'WebAssembly alone', 'a', copied],
    ['strict', 'WebAssembly alone', '513 a', copied],
    ['strict', 'WebAssembly alone', '40000 a', NOTHING],
    ['strict', 'WebAssembly', 'é', `${module}; encodeInto isWellFormed`],
    ['strict', 'WebAssembly', '513 a', 'encodeInto'],
    ['strict', 'WebAssembly', '40000 a', 'encodeInto'],
    ['strict', 'WebAssembly', '40000 é', NOTHING],
    ['strict', 'WebAssembly', '400000 a', 'encodeInto'],
    ['strict', 'WebAssembly', '400000 a and NUL', 'encodeInto'],
    ['strict', 'WebAssembly and copies', '256 😀', `${copied}; encodeInto isWellFormed`],
    ['strict', 'the platform', 'a', 'encodeInto'],
    ['strict', 'the platform', 'a, 700 times, and NUL', 'encodeInto'],
    [
      'strict',
      'the platform',
      '512 é',
      'encodeInto wasm.hasNoReplacement; encodeInto isWellFormed',
    ],
    [
      'strict',
      'the platform',
      '40000 é',
      'encodeInto wasm.hasNoReplacement; encodeInto isWellFormed',
    ],
    ['strict', 'the platform', '400000 a', 'encodeInto'],
    ['strict', 'the platform', '400000 é', 'isWellFormed encode; encodeInto isWellFormed'],
    ['strict', 'the platform', '200000 😀', 'isWellFormed encode; encodeInto isWellFormed'],
    [
      'strict',
      'the platform without WebAssembly',
      'é',
      'isWellFormed encode; encodeInto isWellFormed',
    ],
    ['cesu8', 'WebAssembly alone', '512 é', copied],
    ['cesu8', 'WebAssembly', 'a', module],
    ['cesu8', 'WebAssembly', '513 a', 'encodeInto'],
    ['cesu8', 'WebAssembly', '512 é', module],
    ['cesu8', 'WebAssembly', '32768 é', module],
    ['cesu8', 'WebAssembly', '32769 é', NOTHING],
    ['cesu8', 'the platform', 'a', 'encodeInto'],
    ['cesu8', 'the platform', '512 é', shared],
    ['cesu8', 'the platform', '40000 é', shared],
    ['cesu8', 'the platform', '256 😀', copied],
    ['cesu8', 'the platform', '400000 a', 'encodeInto'],
    ['cesu8', 'the platform', '400000 é', NOTHING],
    ['cesu8', 'the platform', '200000 😀', NOTHING],
    ['cesu8', 'the platform without WebAssembly', '513 a', 'encodeInto'],
    ['cesu8', 'the platform without WebAssembly', '512 é', NOTHING],
    ['mutf8', 'WebAssembly', '513 a', `${shared}; encodeInto`],
    ['mutf8', 'WebAssembly', '512 é', 'wasm.encode'],
    ['mutf8', 'the platform', 'a', `${shared}; encodeInto`],
    ['mutf8', 'the platform', '512 é', shared],
    ['mutf8', 'the platform', 'a surrogate', 'ucs2Write wasm.encode'],
    [
      ...(['mutf8', 'the platform', 'a, 700 times, and NUL'] as const),
      `${shared} ucs2Write wasm.encode; encodeInto ucs2Write wasm.encode`,
    ],
    ['mutf8', 'the platform', '400000 a', 'encodeInto'],
  ])('of %s, where faster is %s, take for %s: %s', (name, choice, text, expected) => {
    const [whole, into = whole] = expected.split('; ');
    const { length } = texts[text];
    const { result, called } = listCalls(choices[choice], () =>
      kernelOf(name).encodeWhole(texts[text]),
    );
    expect(called).toBe(whole);
    expect(result === undefined).toBe(whole === NOTHING);
    const target = new Uint8Array(3 * length);
    const progress = { read: 0, written: 0 };
    const encode = () =>
      kernelOf(name).encodeWholeInto(texts[text], target, target.length, progress);
    expect(listCalls(choices[choice], encode)).toEqual({ result: into !== NOTHING, called: into });
    if (!result) return;
    expect(progress).toEqual({ read: length, written: result.length });
    expect(Buffer.compare(result, target.subarray(0, progress.written))).toBe(0);
  });

  it.each<Case>([
    [
      ...(['strict', 'the platform', 'a surrogate'] as const),
      'encodeInto wasm.hasNoReplacement ucs2Write wasm.encodableLength; encodeInto isWellFormed ucs2Write wasm.encodableLength',
    ],
    [
      'strict',
      'the platform',
      '400000 碼 and a surrogate',
      'isWellFormed; encodeInto isWellFormed',
    ],
    ['cesu8', 'WebAssembly', 'a surrogate', 'wasm.encodableLength'],
    ['cesu8', 'the platform', '513 a and a surrogate', 'ucs2Write wasm.encodableLength'],
    ['mutf8', 'the platform', '400000 a and NUL', 'encodeInto'],
    ['mutf8', 'the platform without WebAssembly', 'a, 700 times, and NUL', 'encodeInto'],
  ])('of %s, where faster is %s, leave %s to others: %s', (name, choice, text, expected) => {
    const [whole, into = whole] = expected.split('; ');
    const encode = () => kernelOf(name).encodeWhole(texts[text]);
    expect(listCalls(choices[choice], encode)).toEqual({ result: undefined, called: whole });
    const target = new Uint8Array(3 * texts[text].length);
    const encodeInto = () =>
      kernelOf(name).encodeWholeInto(texts[text], target, target.length, { read: 0, written: 0 });
    expect(listCalls(choices[choice], encodeInto)).toEqual({ result: false, called: into });
  });
});

describe('a platform without a method', () => {
  const all = { ...platform };
  const remove = (name: keyof typeof platform): void => {
    Reflect.deleteProperty(platform, name);
  };
  afterEach(() => {
    Object.assign(platform, all);
  });

  it.each<Case>([
    ['strict', 'the platform', '512 é', 'encodeInto ucs2Write wasm.encodableLength wasm.encode'],
    ['cesu8', 'the platform', '512 é', 'encodeInto ucs2Write wasm.encodableLength wasm.encode'],
    ['mutf8', 'the platform', 'a', 'encodeInto'],
  ])('cannot tell what is well-formed: %s, %s, %s: %s', (name, choice, text, expected) => {
    remove('isWellFormed');
    const target = new Uint8Array(3 * texts[text].length);
    const encode = () =>
      kernelOf(name).encodeWholeInto(texts[text], target, target.length, { read: 0, written: 0 });
    expect(listCalls(choices[choice], encode)).toEqual({ result: true, called: expected });
  });

  it.each([
    ['isWellFormed', NOTHING],
    ['encode', 'isWellFormed'],
  ] as const)('leaves long texts to others: %s', (name, called) => {
    remove(name);
    const encode = () => kernelOf('strict').encodeWhole(texts['400000 é']);
    expect(listCalls(choices['the platform'], encode)).toEqual({ called });
  });

  it.each([
    ['encodeInto', 'wasm.encodableLength wasm.encode'],
    ['ucs2Write', 'encodeInto isWellFormed wasm.isShared'],
  ] as const)('encodes by what is left: %s', (name, called) => {
    remove(name);
    const encode = () => kernelOf('cesu8').encodeWhole(texts['512 é'])?.length;
    const taken = { ...choices['the platform'], copies: false };
    expect(listCalls(taken, encode)).toEqual({ result: 1024, called });
    const target = new Uint8Array(2000);
    const encodeInto = () =>
      kernelOf('cesu8').encodeWholeInto(texts['512 é'], target, 2000, { read: 0, written: 0 });
    expect(listCalls(taken, encodeInto)).toEqual({ result: true, called });
  });

  it.each([
    ['decode', 'cesu8', '512 é', 'wasm.isShared isUtf8 utf8Slice'],
    ['isUtf8', 'cesu8', '512 é', 'wasm.isShared decode'],
    ['isAscii', 'cesu8', '513 a', 'wasm.isShared decode'],
    ['latin1Slice', 'mutf8', '513 a', 'isAscii indexOf wasm.decodeShort'],
    ['indexOf', 'mutf8', '513 a', 'isAscii wasm.isShared decode'],
  ] as const)('decodes by what is left: without %s, %s of %s: %s', (name, codec, text, called) => {
    remove(name);
    const bytes = bytesOf(texts[text]);
    const decode = () => kernelOf(codec).decodeWhole(bytes, bytes.length);
    expect(listCalls(choices['the platform, which slices'], decode)).toEqual({
      result: name === 'latin1Slice' ? undefined : texts[text],
      called,
    });
  });

  it.each<Case>([
    ['strict', 'WebAssembly', '512 é', 'wasm.validate wasm.toUtf8 decode'],
    ['cesu8', 'WebAssembly', '512 é', 'wasm.validate wasm.toUtf8 decode'],
    ['cesu8', 'WebAssembly', '40000 é', 'wasm.validate wasm.toUtf8 decode'],
    ['cesu8', 'WebAssembly alone', '512 é', NOTHING],
  ])('decodes code units in browsers: %s, %s, %s: %s', (name, choice, text, called) => {
    remove('ucs2Slice');
    const bytes = bytesOf(texts[text]);
    const decode = () => kernelOf(name).decodeWhole(bytes, bytes.length);
    expect(listCalls(choices[choice], decode)).toEqual({
      result: called === NOTHING ? undefined : texts[text],
      called,
    });
  });
});

describe('decodeShort', () => {
  const bytes = bytesOf(`${repeat('a', 40)}${repeat('é', 30)}${repeat('a', 40)}`);

  it('looks at bytes of an array first, and at words when another part of it is asked for', () => {
    const kernel = kernelOf('cesu8');
    const decode = (from: number, to: number) =>
      listCalls({}, () => kernel.decodeShort(bytes, from, to));
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
      listCalls({ webassembly: false }, () => kernel.decodeShort(bytes.slice(), from, to));
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
    const called = 'encodeInto wasm.hasNoReplacement';
    expect(encode(3)).toEqual({ result: { read: 2, written: 3 }, called: 'encodeInto' });
    expect(encode(4)).toEqual({ result: { read: 4, written: 7 }, called });
    expect(Buffer.from(target.subarray(0, 8)).toString('hex')).toBe('000000f09f988000');
  });
});

describe('takeText', () => {
  it('copies code units, unless WebAssembly is switched off', () => {
    const kernel = kernelOf('cesu8');
    const take = (taken: Ways) =>
      listCalls(taken, () => {
        const { scratch } = kernel;
        scratch?.codeUnits.set([0x61, 0xd800, 0xfeff]);
        return scratch && kernel.takeText(scratch, 3);
      });
    expect(take({})).toEqual({ result: 'a\ud800\ufeff', called: 'ucs2Slice' });
    expect(take({ webassembly: false })).toEqual({ called: NOTHING });
  });
});

describe('transcodeTo', () => {
  const convert = (from: Name, to: Name, text: string) => {
    const { result, called } = listCalls({}, () => {
      const run = kernelOf(from).transcodeTo(kernelOf(to), false);
      if (!run) return undefined;
      const source = bytesOf(text);
      const target = new Uint8Array(source.length * run.growth);
      const progress = { read: 0, written: 0 };
      run(source, 0, source.length, target, 0, progress);
      return [progress.read, Buffer.from(target.subarray(0, progress.written)).toString('hex')];
    });
    return [called, result];
  };

  it('validates for what UTF-8 contains, and takes a kernel of either end', () => {
    expect(convert('cesu8', 'strict', 'é')).toEqual(['wasm.validate wasm.toUtf8', [2, 'c3a9']]);
    expect(convert('strict', 'cesu8', '😀')).toEqual([
      'wasm.validateUtf8 wasm.fromUtf8',
      [4, 'eda0bdedb880'],
    ]);
    expect(convert('mutf8', 'cesu8', 'é')).toEqual([NOTHING, undefined]);
    expect(kernelOf('strict').transcodeTo({}, false)).toBeUndefined();
  });

  it('has memory of its own if asked, and none where WebAssembly is switched off', () => {
    const [from, to] = [kernelOf('cesu8'), kernelOf('strict')];
    const { scratch } = from;
    const memoryOf = (inOwnMemory: boolean) => from.transcodeTo(to, inOwnMemory)?.memory;
    expect(memoryOf(false)?.output.buffer).toBe(scratch?.bytes.buffer);
    const { input, output } = memoryOf(true) as NonNullable<ReturnType<typeof memoryOf>>;
    expect(input.buffer).toBe(output.buffer);
    expect(output.buffer).not.toBe(scratch?.bytes.buffer);
    expect(memoryOf(true)?.output.buffer).not.toBe(output.buffer);
    const { result } = listCalls({ webassembly: false }, () => [memoryOf(true), memoryOf(false)]);
    expect(result).toEqual([undefined, undefined]);
  });
});
