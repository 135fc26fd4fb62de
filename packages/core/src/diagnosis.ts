/**
 * Why bytes are malformed. Kernels say where they stopped; this says what is wrong there.
 *
 * Faults follow "substitution of maximal subparts" (Unicode 16.0, section 3.9, D93b; the WHATWG
 * decoder) on the encoding's own units: a fault is the longest prefix that some unit starts with, at
 * least one byte, and never reaches over a `+`.
 */
import { createSequence, FAULT, readSequence, readUnit } from './character.js';
import type { Engine } from './engine.js';
import type { Fault, FaultReason } from './fault.js';
import type { Domain } from './grammar.js';

const seen = createSequence();

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
  readSequence(engine.sequences, bytes, offset, bytes.length, seen);
  const { length: viable, codePoint, isCut } = seen;
  let reason: FaultReason = 'unrepresentable';
  if (codePoint === FAULT) {
    readUnit(engine, bytes, offset, seen);
    reason = findReason(engine.tables.domain, bytes, offset, viable);
  }
  return { offset: base + offset, length: seen.length, reason, incomplete: isCut };
}

/**
 * Whether bytes that are still to come may change a fault: make it a character, or longer, or, by the
 * second byte of what it begins, of another kind.
 *
 * @param asksReason - Whether the kind of the fault matters, which can cost waiting for one byte.
 */
export function isUndecided(
  engine: Engine,
  bytes: Uint8Array,
  offset: number,
  fault: Fault,
  asksReason: boolean,
): boolean {
  readUnit(engine, bytes, offset, seen);
  if (fault.incomplete || seen.isCut) return true;
  if (!asksReason || offset + 1 < bytes.length) return false;
  const lead = bytes[offset] as number;
  return [0x80, 0xbf].some(
    (trail) => classifyStart(engine.tables.domain, lead, trail) !== fault.reason,
  );
}

/** The reason of the fault whose unit was `seen`. */
function findReason(
  domain: Domain,
  bytes: Uint8Array,
  offset: number,
  viable: number,
): FaultReason {
  if (seen.codePoint !== FAULT) return 'surrogate';
  const second = bytes[offset + 1] as number;
  const trail = second >= 0x80 && second <= 0xbf ? second : undefined;
  // A right start is only cut short, unless its second byte already tells what the writer meant.
  if (viable >= seen.length && (seen.length > 1 || trail === undefined)) return 'truncated';
  return classifyStart(domain, bytes[offset] as number, trail);
}

/**
 * What a lead, and its second byte where there is one, mean in the scheme of RFC 2279, of which all
 * variants are dialects: 0xxxxxxx, 110xxxxx, 1110xxxx, … 1111110x, each trail 10xxxxxx.
 */
function classifyStart(domain: Domain, lead: number, trail: number | undefined): FaultReason {
  if (lead < 0x80) return 'wrong-form';
  if (lead < 0xc0) return 'unexpected-continuation';
  if (lead >= 0xfe) return 'invalid-lead';
  const length = Math.clz32(~(lead << 24));
  // The code points that begin so: all that the bytes not yet known may make of the known bits.
  const payload = lead % 2 ** (7 - length);
  const known = trail === undefined ? payload : 64 * payload + trail - 0x80;
  const span = 64 ** (length - (trail === undefined ? 1 : 2));
  const first = known * span;
  const last = first + span - 1;
  // The least code point that needs this many bytes, and the greatest that there is.
  const least = length === 2 ? 0x80 : 2 ** (5 * length - 4);
  const greatest = domain === 'ucs-4' ? 0x7fffffff : 0x10ffff;
  if (Math.max(first, least) > greatest) return 'too-large';
  if (last < least) return 'overlong';
  return first >= 0xd800 && last <= 0xdfff ? 'surrogate' : 'wrong-form';
}
