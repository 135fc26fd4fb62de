import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seed as SEED, scale } from '../../../tooling/tiers/tier.js';
import { DeflateError, inflatePrefix } from '../src/jar/prefix.js';
import { createRandom } from './random.js';

const ROUNDS = scale(10_000);

const strategies = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FILTERED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
  constants.Z_FIXED,
];

describe('the first bytes of a deflate stream', () => {
  const texts = [
    Buffer.alloc(0),
    Buffer.from('a'),
    Buffer.alloc(100_000),
    Buffer.from('CAFEBABE0000003D', 'hex'),
    Buffer.from('abcabcabcabc'.repeat(300)),
    Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i * 31) >> 3)),
  ];

  it('are those that zlib makes, at every level, by every strategy', () => {
    for (const text of texts) {
      for (let level = 0; level <= 9; level++) {
        for (const strategy of strategies) {
          const stream = deflateRawSync(text, { level, strategy });
          for (const length of [0, 1, 8, 300, 70_000]) {
            const prefix = inflatePrefix(stream, length);
            expect(text.subarray(0, length).equals(prefix), `${level} ${strategy}`).toBe(true);
          }
        }
      }
    }
  });

  it('are as many as the bytes that are there tell', () => {
    for (const text of texts) {
      const stream = deflateRawSync(text);
      for (let length = 0; length < Math.min(stream.length, 500); length++) {
        const prefix = inflatePrefix(stream.subarray(0, length), 1000);
        expect(text.subarray(0, prefix.length).equals(prefix)).toBe(true);
      }
    }
  });

  it(`of a changed stream are those that zlib makes, if it takes it (UTF8_SEED=${SEED})`, () => {
    const random = createRandom(SEED);
    let same = 0;
    let refused = 0;
    const streams = texts
      .slice(3)
      .flatMap((text) => strategies.map((strategy) => deflateRawSync(text, { strategy })));
    for (let round = 0; round < ROUNDS; round++) {
      const stream = Buffer.from(streams[random(streams.length)] as Buffer);
      for (let i = 1 + random(3); i > 0; i--)
        stream[random(Math.min(stream.length, 200))] = random(256);
      let whole: Buffer | undefined;
      try {
        whole = inflateRawSync(stream);
      } catch {}
      try {
        const prefix = inflatePrefix(stream, 64);
        if (whole && !whole.subarray(0, 64).equals(prefix)) expect.unreachable(`round ${round}`);
        if (whole) same++;
      } catch (error) {
        if (!(error instanceof DeflateError)) throw error;
        refused++;
        expect(whole, `round ${round}`).toBeUndefined();
      }
    }
    expect(same).toBeGreaterThan(ROUNDS / 100);
    expect(refused).toBeGreaterThan(ROUNDS / 100);
  });

  it.each([
    ['a type that is none', 'ff'],
    ['a stored block with two lengths', '0001000000'],
    ['a distance before the start', '4b0422'],
    ['no code of lengths that can be', 'fdffffffffffffffffffff'],
  ])('are refused: %s', (_, hex) => {
    expect(() => inflatePrefix(Buffer.from(hex, 'hex'), 8)).toThrow(DeflateError);
    expect(() => inflateRawSync(Buffer.from(hex, 'hex'))).toThrow();
  });
});

/** Bits of a stream: of a number the lowest first, of a code the highest first. */
class BitWriter {
  readonly #bits: number[] = [];

  number(value: number, count: number): this {
    for (let i = 0; i < count; i++) this.#bits.push((value >> i) & 1);
    return this;
  }

  code(bits: string): this {
    this.#bits.push(...Array.from(bits, Number));
    return this;
  }

  get bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    for (const [i, bit] of this.#bits.entries())
      bytes[i >> 3] = (bytes[i >> 3] as number) | (bit << (i & 7));
    return bytes;
  }
}

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** A last block with codes of its own: the lengths of the codes of lengths, by symbol. */
function dynamicBlock(
  own: Readonly<Record<number, number>>,
  { literals = 257, distances = 1 } = {},
): BitWriter {
  const bits = new BitWriter().number(1, 1).number(2, 2);
  bits
    .number(literals - 257, 5)
    .number(distances - 1, 5)
    .number(15, 4);
  for (const symbol of ORDER) bits.number(own[symbol] ?? 0, 3);
  return bits;
}

const fixedBlock = (): BitWriter => new BitWriter().number(1, 1).number(1, 2);

describe('a malformed deflate stream says why', () => {
  const one = { 0: 1, 18: 1 };
  // The symbol 0 has the code 0, and 18 has 1: 138 lengths of 0, and 119 of them.
  const zeros = (bits: BitWriter): BitWriter =>
    bits.code('1').number(127, 7).code('1').number(108, 7);
  const cases: [string, BitWriter][] = [
    ['a block has no type', new BitWriter().number(7, 3)],
    ['a stored block is malformed', new BitWriter().number(1, 8).number(5, 16).number(5, 16)],
    ['a block has too many codes', dynamicBlock({}, { literals: 287 })],
    ['a block has too many codes', dynamicBlock({}, { distances: 31 })],
    ['a code has too many symbols', dynamicBlock({ 0: 1, 1: 1, 2: 1 })],
    ['a code has too many symbols', dynamicBlock({ 0: 1, 1: 2, 2: 2, 18: 7 })],
    // The only code is 0.
    ['a code has no symbol', dynamicBlock({ 0: 1 }).code('1'.repeat(15))],
    ['a length repeats nothing', dynamicBlock({ 0: 1, 16: 1 }).code('1').number(0, 2)],
    ['a block has too many lengths', zeros(dynamicBlock(one)).code('1').number(127, 7)],
    ['a block has too many lengths', zeros(dynamicBlock(one)).code('1').number(0, 7)],
    ['a block cannot end', zeros(dynamicBlock(one)).code('0')],
    // Symbols 286 and 287 of the fixed code, and the distances 30 and 31.
    ['a length has no code', fixedBlock().code('11000110')],
    ['a length has no code', fixedBlock().code('11000111')],
    ['a code has no symbol', fixedBlock().code('00110000').code('0000001').code('111101111111111')],
    ['a distance is before the start', fixedBlock().code('0000001').code('00000')],
    ['a distance is before the start', fixedBlock().code('00110000').code('0000001').code('00001')],
  ];

  it.each(cases)('%s', (message, bits) => {
    // Bits that are missing would end it without an error.
    const stream = Buffer.concat([bits.bytes, Buffer.alloc(64)]);
    expect(() => inflatePrefix(stream, 300)).toThrow(new DeflateError(message));
    expect(() => inflateRawSync(stream)).toThrow();
  });

  it('but not before what is wrong is asked for', () => {
    const stream = fixedBlock().code('00110000').code('0000001').code('00001').bytes;
    expect(inflatePrefix(stream, 1)).toEqual(Uint8Array.of(0));
  });

  it('takes as many codes as there may be', () => {
    // Length 8 of code 0 for 286 literals and lengths would be too many: 256 of them, and 30 without.
    const bits = dynamicBlock({ 8: 1, 0: 1 }, { literals: 286, distances: 30 });
    for (let symbol = 0; symbol < 286 + 30; symbol++) {
      bits.code(symbol > 0 && symbol <= 256 ? '1' : '0');
    }
    // The symbols 1 and 256 are the first and the last.
    bits.code('00000000').code('11111111');
    expect(inflatePrefix(bits.bytes, 9)).toEqual(Uint8Array.of(1));
    expect(inflateRawSync(bits.bytes)).toEqual(Buffer.of(1));
  });
});
