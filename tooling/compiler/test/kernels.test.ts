/**
 * Tests that kernels accept all well-formed input that they should. A kernel that stops too early costs only
 * time, because loops read on, and the platform's codec may answer before any kernel. So this test calls the
 * modules themselves.
 */
import { readFileSync } from 'node:fs';
import { type Codec, formatBytes } from '@utf8/core';
import { encodeByRows } from '@utf8/core/internal';
import { describe, expect, it } from 'vitest';
import { variants } from '../../conformance/src/generated/codecs.js';
import { isNight } from '../../tiers/tier.js';

const utf8 = variants.strict?.full as Codec;

interface Kernel {
  readonly memory: WebAssembly.Memory;
  readonly INPUT: WebAssembly.Global<'i32'>;
  readonly OUTPUT: WebAssembly.Global<'i32'>;
}
type Ask = (at: number, length: number, to: number) => number;

describe.each(Object.entries(variants))('the kernel of %s', (variant, { full: codec }) => {
  const exports = instantiate(variant);
  const memory = new Uint8Array(exports.memory.buffer);
  const scalars = listScalars(codec.grammar.domain === 'bmp' ? 0xffff : 0x10ffff);

  /** Calls a function with bytes, or with code units of this many bytes. */
  const ask = (name: string, bytes: readonly number[], unit = 1): number => {
    memory.fill(0x20, exports.INPUT.value, exports.INPUT.value + bytes.length + 64);
    memory.set(bytes, exports.INPUT.value);
    const answer = (exports as unknown as Record<string, Ask>)[name] as Ask;
    return answer(exports.INPUT.value, bytes.length / unit, exports.OUTPUT.value);
  };

  const asks = (name: string) => (name in exports ? it : () => {});

  const expectAll = (name: string, characters: readonly (readonly number[])[], unit = 1): void => {
    for (const bytes of arrange(characters)) {
      const answer = ask(name, bytes, unit);
      if (answer !== bytes.length / unit) {
        expect.fail(`${answer} of ${bytes.length / unit}: ${formatBytes(Uint8Array.from(bytes))}`);
      }
    }
  };

  const expectYes = (name: string, characters: readonly (readonly number[])[]): void => {
    for (const bytes of arrange(characters)) {
      if (!ask(name, bytes)) expect.fail(formatBytes(Uint8Array.from(bytes)));
    }
  };

  const expectNo = (name: string, characters: readonly (readonly number[])[]): void => {
    expect(characters).not.toEqual([]);
    for (const bytes of characters) {
      for (let at = 0; at < 130; at++) {
        const input = Array<number>(140).fill(0x20);
        input.splice(at, bytes.length, ...bytes);
        if (ask(name, input)) expect.fail(`at ${at}: ${formatBytes(Uint8Array.from(bytes))}`);
      }
    }
  };

  it('accepts every form of its rows, beside every other kind', () => {
    expectAll('validate', listForms(codec));
  });

  asks('toUtf8')('accepts all that becomes UTF-8, beside every other kind', () => {
    const name = 'validateForUtf8' in exports ? 'validateForUtf8' : 'validate';
    expectAll(name, encodeEach(codec, scalars));
  });

  asks('fromUtf8')('accepts all UTF-8 that it converts, beside every other kind', () => {
    expectAll('validateUtf8', encodeEach(utf8, scalars));
  });

  asks('isShared')('sees what is as in UTF-8', () => {
    const own = encodeEach(codec, scalars);
    const theirs = encodeEach(utf8, scalars);
    expectYes(
      'isShared',
      own.filter((bytes, i) => bytes.join() === theirs[i]?.join()),
    );
  });

  asks('isShared')('refuses characters that UTF-8 encodes differently, at every place', () => {
    const theirs = encodeEach(utf8, [0, 0x10000, 0x10ffff]);
    const own = encodeEach(codec, scalars.includes(0x10ffff) ? [0, 0x10000, 0x10ffff] : [0]);
    expectNo(
      'isShared',
      theirs.filter((bytes, i) => bytes.join() !== own[i]?.join()),
    );
  });

  asks('decodeShort')('leaves ASCII as it is', () => {
    const ascii = encodeEach(codec, listCodePoints(0, 0x7f)).filter(({ length }) => length === 1);
    for (const [byte = 0] of ascii) {
      for (let length = 1; length <= 200; length++) {
        const answer = ask('decodeShort', Array<number>(length).fill(byte));
        if (answer !== -1) expect.fail(`${answer}: ${length} bytes of ${byte}`);
      }
    }
  });

  asks('encodableLength')('encodes every character, beside every other kind', () => {
    const codeUnits = scalars.map((codePoint) =>
      Array.from(new Uint8Array(Uint16Array.from(splitCodeUnits(codePoint)).buffer)),
    );
    expectAll('encodableLength', codeUnits, 2);
  });
});

/** Compiles the module of a variant that its package contains. */
function instantiate(variant: string): Kernel {
  const [name, ...profile] = variant.split('/');
  const place = ['../../../packages', name, 'src/generated', ...profile, 'wasm.ts'].join('/');
  const source = readFileSync(new URL(place, import.meta.url), 'utf8');
  const bytes = Buffer.from(/'([0-9a-f]+)'/.exec(source)?.[1] as string, 'hex');
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports as unknown as Kernel;
}

function listScalars(last: number): number[] {
  return listCodePoints(0, last).filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff);
}

/**
 * Lists code points: at night all of the BMP and one in 17 of the rest, by day one in 257; and both ends of
 * the trail bytes.
 */
function listCodePoints(first: number, last: number): number[] {
  const found: number[] = [];
  for (let codePoint = first; codePoint <= last; codePoint++) {
    const step = isNight ? (codePoint < 0x10000 ? 1 : 17) : 257;
    const isEnd = ((codePoint + 1) & (codePoint < 0x800 ? 0x3f : 0xfff)) < 2;
    if (codePoint % step === 0 || isEnd) found.push(codePoint);
  }
  return [...found, first, last];
}

/** Lists the sequences of each row up to U+10FFFF that kernels read: up to four bytes, and pairs. */
function listForms({ grammar }: Codec): number[][] {
  return grammar.rows.flatMap((row) => {
    if (row.units.length === 1 && row.units.flat().length > 4) return [];
    const rows = [{ ...row, writes: true }];
    return listCodePoints(row.first, Math.min(row.last, 0x10ffff)).flatMap((codePoint) => {
      const bytes = encodeByRows({ rows }, codePoint) as number[];
      if (codePoint < 0xd800 || codePoint > 0xdfff) return [bytes];
      // Loops read surrogates that are numbers, because kernels read only text.
      if (grammar.domain === '31 bits') return [];
      // If a pair is refused, a surrogate needs a different character after it.
      return [grammar.refused.length > 0 ? [...bytes, 0x20] : bytes];
    });
  });
}

function encodeEach(codec: Codec, codePoints: readonly number[]): number[][] {
  return codePoints.map(
    (codePoint) =>
      encodeByRows(codec.grammar, codePoint) ??
      // As two surrogates, in an encoding of code units.
      splitCodeUnits(codePoint).flatMap(
        (codeUnit) => encodeByRows(codec.grammar, codeUnit) as number[],
      ),
  );
}

function splitCodeUnits(codePoint: number): number[] {
  const text = String.fromCodePoint(codePoint);
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

/**
 * Arranges characters: all of them in turn, and some of the first and last of each lead byte beside each
 * other, at each place of a block.
 */
function* arrange(characters: readonly (readonly number[])[]): Generator<number[]> {
  for (let from = 0; from < characters.length; from += 1000) {
    yield characters.slice(from, from + 1000).flat();
  }
  const ends = new Map<string, readonly (readonly number[])[]>();
  for (const character of characters) {
    const key = `${character.length} ${character[0]}`;
    ends.set(key, [ends.get(key)?.[0] ?? character, character]);
  }
  const edges = [...ends.values()]
    .flat()
    .filter((_, i, all) => i % Math.ceil(all.length / (isNight ? 24 : 12)) === 0);
  for (const one of edges) {
    for (const other of edges) {
      const both = [...one, ...other];
      for (let before = 0; before < 16; before += one.length) {
        yield [
          ...Array.from({ length: before / one.length }, () => one).flat(),
          ...Array.from({ length: 130 / both.length }, () => both).flat(),
        ];
      }
    }
  }
}
