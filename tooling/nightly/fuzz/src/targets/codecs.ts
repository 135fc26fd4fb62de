import { type Codec, DecodeError, transcode } from '@utf8/core';
import { variants } from '../../../../conformance/src/generated/codecs.js';
import { attempt, checkReading, checkWriting, oracleOf } from '../codec.js';
import { compose, type Input } from '../input.js';
import { require, requireEqual, requireSame, type Target } from '../target.js';
import { vectorInputs } from '../vectors.js';
import { edgeWords } from '../words.js';

const pairs = Object.values(variants);

/** Puts the payload where kernels begin, end, and come by again. */
function stretch(input: Input, { grammar }: Codec): Uint8Array {
  const [padding, times, after] = [input.below(70), input.below(5), input.below(70)];
  const bytes = input.isChosen() ? input.spell(edgeWords(grammar)) : input.rest();
  const repeated = Array.from({ length: 1 + times * times }, () => bytes);
  const pad = (length: number) => Buffer.alloc(length, 'A');
  return Uint8Array.from(Buffer.concat([pad(padding), ...repeated, pad(after)]));
}

/** Checks that transcoding equals decoding to code points and encoding them. */
function checkTranscoding(bytes: Uint8Array, from: Codec, to: Codec): void {
  const found = transcode(bytes, from, to, { errors: 'replace' });
  requireEqual(oracleOf(to).faults(found).length, 0, 'faults in what transcode writes');
  if ([from, to].every(({ grammar }) => ['ucs-4', '31 bits'].includes(grammar.domain))) return;
  const text = from.decode(bytes, { errors: 'replace' });
  requireSame(found, to.encode(text, { errors: 'replace' }), `transcode ${from.name} ${to.name}`);
  const strict = attempt(() => transcode(bytes, from, to), DecodeError);
  if (strict instanceof DecodeError) require(strict.offset < bytes.length, 'an offset too large');
  else requireSame(strict, found, 'transcode, strict');
}

export const target: Target = {
  title: 'every codec and its /lite, reading, writing and transcoding, against the rows',
  maxLength: 128,
  *seeds() {
    for (const [i, bytes] of vectorInputs().entries()) {
      yield compose(bytes, i % pairs.length, i, 3, i % 3 === 0 ? 35 : 0, i % 5, 0, 0);
    }
  },
  run(input) {
    const { full, lite } = input.pick(pairs);
    const other = input.pick(pairs);
    const mode = input.below(4);
    if (mode === 3) {
      const text = input.text();
      for (const codec of [full, lite]) checkWriting(codec, text, text.length);
      return;
    }
    const bytes = stretch(input, full);
    if (mode === 2) {
      checkTranscoding(bytes, full, other.full);
      checkTranscoding(bytes, lite, other.lite);
      return;
    }
    const index = bytes.length >> 1;
    for (const codec of [full, lite]) checkReading(codec, bytes, index);
    const text = full.decode(bytes, { errors: mode === 0 ? 'replace' : 'surrogateescape' });
    for (const codec of [full, lite, other.full]) checkWriting(codec, text, index);
  },
};
