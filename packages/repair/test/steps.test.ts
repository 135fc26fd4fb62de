/** The steps of a scan over characters that stay as they are, compared with what codecs do. */
import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { describe, expect, it } from 'vitest';
import { deriveSteps } from '../src/steps.js';

const labels = ['utf-8', 'cesu-8', 'cesu-8+utf-8', 'mutf-8', 'wtf-8', 'rfc2279'];
/** Bounds of ranges of trail bytes. */
const TRAILS = [0x80, 0xbf, 0x8f, 0x90, 0x9f, 0xa0];

/** Yields bytes that begin with `lead`; only the last of five or six bytes has all trails. */
function* listSequences(lead: number, length: number): Generator<Uint8Array> {
  const last = TRAILS.map((trail) => [trail]);
  const all = (rest: readonly number[][], trails: readonly number[]) =>
    trails.flatMap((trail) => rest.map((each) => [trail, ...each]));
  let tails: number[][] = length === 1 ? [[]] : last;
  for (let i = 2; i < length; i++) tails = all(tails, length > 4 ? TRAILS.slice(0, 2) : TRAILS);
  for (const tail of tails) yield Uint8Array.of(lead, ...tail);
}

/** Tells whether bytes are one character that is no U+0000 and no surrogate, and that the target writes alike. */
function stays(bytes: Uint8Array, from: Codec, to: Codec): boolean {
  if (!from.isValid(bytes)) return false;
  const [codePoint = 0, ...others] = from.decodeCodePoints(bytes);
  if (others.length > 0 || codePoint === 0 || (codePoint >= 0xd800 && codePoint < 0xe000))
    return false;
  return to.isValid(bytes) && Buffer.from(to.encodeCodePoints([codePoint])).equals(bytes);
}

describe.each(labels)('a scan of %s', (label) => {
  it.each(labels)('steps over all that %s writes alike, whatever the trail bytes are', (target) => {
    const [from, to] = [codecFor(label), codecFor(target)];
    const expected = Uint8Array.from({ length: 256 }, (_, lead) => {
      const isStep = (length: number): boolean =>
        [...listSequences(lead, length)].every((bytes) => stays(bytes, from, to));
      return [1, 2, 3, 4, 5, 6].find(isStep) ?? 0;
    });
    expect(deriveSteps(from.grammar, to.grammar)).toEqual(expected);
  });
});
