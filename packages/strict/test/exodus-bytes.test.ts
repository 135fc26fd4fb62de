/** The drop-ins beside the package @exodus/bytes, which implements the Encoding standard in JavaScript too. */
import * as theirs from '@exodus/bytes/encoding.js';
import * as ours from '@utf8/strict';
import * as lite from '@utf8/strict/lite';
import { describe, expect, it } from 'vitest';
import {
  generateBytes,
  generateTexts,
  shortBytes,
} from '../../../tooling/oracles/interop/src/corpus.js';
import { readUnits } from '../../../tooling/oracles/interop/src/hex.js';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';

const texts = ['', '\ufeff', ...Array.from(generateTexts(seed, scale(10_000)), readUnits)];
const marked = (bytes: Uint8Array): Uint8Array => Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes);
const inputs = [
  ...choose([...shortBytes()], scale(40_000)),
  ...generateBytes(seed, scale(20_000)),
].flatMap((bytes) => (bytes[0] === 0x61 ? [bytes, marked(bytes)] : [bytes]));

const show = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The result, or the class of an error. */
function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return (error as Error).constructor;
  }
}

const options = [false, true].flatMap((fatal) =>
  [false, true].map((ignoreBOM) => ({ fatal, ignoreBOM })),
);

describe.each([
  ['@utf8/strict', ours],
  ['@utf8/strict/lite', lite],
])('%s and @exodus/bytes', (_, codec) => {
  it.each(options)('decode alike: %o', (option) => {
    const decoder = new codec.TextDecoder('utf-8', option);
    const other = new theirs.TextDecoder('utf-8', option);
    const wrong = inputs.find(
      (bytes) => attempt(() => decoder.decode(bytes)) !== attempt(() => other.decode(bytes)),
    );
    expect(wrong && show(wrong)).toBeUndefined();
  });

  it.each(options)('decode streams alike, cut anywhere: %o', (option) => {
    for (const bytes of choose(inputs, scale(4000))) {
      for (let at = 0; at <= bytes.length; at++) {
        const [mine, other] = [codec, theirs].map(({ TextDecoder }) => {
          const decoder = new TextDecoder('utf-8', option);
          return [bytes.subarray(0, at), bytes.subarray(at), new Uint8Array()].map((chunk, i) =>
            attempt(() => decoder.decode(chunk, { stream: i < 2 })),
          );
        });
        // After an error, a stream is not used any more.
        const end = mine?.indexOf(TypeError) ?? -1;
        const until = end < 0 ? 3 : end + 1;
        expect(mine?.slice(0, until), `${show(bytes)} at ${at}`).toEqual(other?.slice(0, until));
      }
    }
  });

  it('encode alike', () => {
    const [encoder, other] = [new codec.TextEncoder(), new theirs.TextEncoder()];
    for (const text of texts) {
      expect(show(encoder.encode(text))).toBe(show(other.encode(text)));
    }
    for (const text of choose(texts, scale(2000))) {
      for (let room = 0; room <= 3 * text.length; room++) {
        const [target, reference] = [new Uint8Array(room), new Uint8Array(room)];
        const done = encoder.encodeInto(text, target);
        expect(done).toEqual({ ...other.encodeInto(text, reference) });
        expect(show(target)).toBe(show(reference));
      }
    }
  });

  it('know the same labels of UTF-8', () => {
    const names = ['utf-8', 'utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8'];
    for (const name of [...names, 'x-unicode20utf8']) {
      for (const label of [name, name.toUpperCase(), `\t${name}\n\f\r `]) {
        expect(new codec.TextDecoder(label).encoding).toBe(new theirs.TextDecoder(label).encoding);
      }
      for (const label of [`\v${name}`, `${name}\u00a0`, `${name}\0`, `${name} ${name}`]) {
        for (const { TextDecoder } of [codec, theirs]) {
          expect(() => new TextDecoder(label)).toThrow(RangeError);
        }
      }
    }
  });
});
