/**
 * Why bytes are malformed. Kernels say where they stopped; this says what is wrong there.
 *
 * Faults follow "substitution of maximal subparts" (Unicode 16.0, section 3.9, D93b; the WHATWG
 * decoder) on the encoding's own units: a fault is the longest prefix that some unit starts with, at
 * least one byte, and never reaches over a `+`.
 */
import { FAULT, readSequence } from './character.js';
import type { Engine } from './engine.js';
import type { Fault, FaultReason } from './fault.js';
import type { ErrorPolicy } from './policy.js';

/**
 * Describes the fault at an offset where no well-formed sequence begins, or one that no string holds.
 *
 * @param base - Added to the offset: where in its stream the input begins, in bytes.
 */
export function describeFault(
  engine: Engine,
  bytes: Uint8Array,
  offset: number,
  base: number,
): Fault {
  const whole = readSequence(engine.sequences, bytes, offset);
  const unit = whole.codePoint === FAULT ? readSequence(engine.units, bytes, offset) : whole;
  const length = Math.max(unit.length, 1);
  const second = bytes[offset + 1] as number;
  let reason: FaultReason;
  if (whole.codePoint !== FAULT) reason = 'unrepresentable';
  else if (unit.codePoint !== FAULT) reason = 'surrogate';
  // A right start is only cut short, unless its second byte already tells what the writer meant.
  else if (whole.length >= length && (length > 1 || !isTrail(second))) reason = 'truncated';
  else reason = classifyStart(engine, bytes[offset] as number, second);
  return { offset: base + offset, length, reason, incomplete: whole.isCut };
}

/**
 * Whether bytes that are still to come may change a fault: make it a character, or longer, or, by the
 * second byte of what it begins, of another kind.
 *
 * @param policy - Only some ask what kind of fault it is, which can cost waiting for one byte.
 */
export function isUndecided(
  engine: Engine,
  bytes: Uint8Array,
  offset: number,
  fault: Fault,
  policy: ErrorPolicy,
): boolean {
  if (fault.incomplete || readSequence(engine.units, bytes, offset).isCut) return true;
  const asksReason = policy === 'strict' || typeof policy === 'function';
  if (!asksReason || offset + 1 < bytes.length) return false;
  const lead = bytes[offset] as number;
  return [0x80, 0xbf].some((trail) => classifyStart(engine, lead, trail) !== fault.reason);
}

const isTrail = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf;

/**
 * What a lead, and the byte behind it where that is a trail, mean in the scheme of RFC 2279, of which
 * all variants are dialects: 0xxxxxxx, 110xxxxx, 1110xxxx, … 1111110x, each trail 10xxxxxx.
 */
function classifyStart({ tables }: Engine, lead: number, second: number): FaultReason {
  if (lead < 0x80) return 'wrong-form';
  if (lead < 0xc0) return 'unexpected-continuation';
  if (lead >= 0xfe) return 'invalid-lead';
  const length = Math.clz32(~(lead << 24));
  // The code points that begin so: all that the bytes behind what is known may make of it.
  let first = lead % 2 ** (7 - length);
  let span = 64 ** (length - 1);
  if (isTrail(second)) {
    first = 64 * first + second - 0x80;
    span /= 64;
  }
  first *= span;
  const last = first + span - 1;
  // The least code point that needs this many bytes.
  const least = Math.max(0x80, 2 ** (5 * length - 4));
  if (Math.max(first, least) > tables.greatest) return 'too-large';
  if (last < least) return 'overlong';
  return first >= 0xd800 && last <= 0xdfff ? 'surrogate' : 'wrong-form';
}
