import type { Bytes, Codec, OwnBytes } from '@utf8/core';
import { DecodeError, viewOf } from '@utf8/core/parts';
import { name } from './grammar.js';

type Functions = Pick<Codec, 'decodeCodePoints' | 'encodeCodePoints' | 'findFault'>;

/** The length of a surrogate, in bytes. */
const SURROGATE = 3;

/** Creates `concat` of the functions of the full codec, or of `/lite`. */
export const createConcat =
  (codec: Functions) =>
  (a: Bytes, b: Bytes): OwnBytes => {
    const left = viewOf(a).slice();
    const right = viewOf(b).slice();
    for (const bytes of [left, right]) {
      const fault = codec.findFault(bytes);
      if (!fault) continue;
      throw new DecodeError(name, fault, bytes.subarray(fault.offset, fault.offset + fault.length));
    }
    const [joint, overlap] = joinEnds(
      codec,
      left.subarray(-SURROGATE),
      right.subarray(0, SURROGATE),
    );
    const result = new Uint8Array(left.length + right.length - 2 * overlap + joint.length);
    result.set(left.subarray(0, left.length - overlap));
    result.set(joint, left.length - overlap);
    result.set(right.subarray(overlap), left.length - overlap + joint.length);
    return result;
  };

/** Returns the bytes of the pair at the junction, and the number of bytes of each input that it replaces. */
function joinEnds(
  codec: Functions,
  end: Uint8Array,
  start: Uint8Array,
): [joint: Uint8Array, overlap: number] {
  const [high = 0] = isSurrogate(end) ? codec.decodeCodePoints(end) : [];
  const [low = 0] = isSurrogate(start) ? codec.decodeCodePoints(start) : [];
  const isPair = high >= 0xd800 && high <= 0xdbff && low >= 0xdc00;
  return isPair ? [codec.encodeCodePoints([high, low]), SURROGATE] : [new Uint8Array(0), 0];
}

/** Tells whether three bytes of well-formed WTF-8 are a surrogate: ED A0..BF 80..BF. */
const isSurrogate = ([lead, second = 0]: Uint8Array): boolean => lead === 0xed && second >= 0xa0;
