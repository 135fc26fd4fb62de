import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DeflateError, inflatePrefix } from '../src/jar/prefix.js';
import { createRandom } from './random.js';

const SEED = Number(process.env.UTF8_SEED ?? Date.now() % 2 ** 31);
const ROUNDS = Number(process.env.UTF8_INPUTS ?? 10_000);

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
