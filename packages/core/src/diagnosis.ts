/**
 * Why bytes are malformed. Kernels say where they stopped; this says what is wrong there.
 *
 * Faults follow "substitution of maximal subparts" (Unicode 16.0, section 3.9, D93b; the WHATWG
 * decoder) on the encoding's own units: a fault is the longest prefix that some unit starts with, at
 * least one byte, and never reaches over a `+`.
 */
import { ACCEPT } from './automaton.js';
import { readSequence, type Sequence } from './character.js';
import type { Engine } from './engine.js';
import type { Fault, FaultReason } from './fault.js';
import type { Domain } from './grammar.js';
import { matchUnit } from './units.js';

const seen: Sequence = { length: 0, codePoint: 0, state: ACCEPT };

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
  readSequence(engine, bytes, offset, seen);
  const { length: viable, state } = seen;
  if (state === ACCEPT) {
    return { offset: base + offset, length: viable, reason: 'unrepresentable', incomplete: false };
  }
  const { length, isWhole } = matchUnit(engine.units, bytes, offset);
  return {
    offset: base + offset,
    length,
    reason: isWhole
      ? 'surrogate'
      : findReason(engine.grammar.domain, bytes, offset, length, viable),
    incomplete: state !== engine.automaton.reject,
  };
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
  if (fault.incomplete || matchUnit(engine.units, bytes, offset).isCut) return true;
  if (!asksReason || offset + 1 < bytes.length) return false;
  const { domain } = engine.grammar;
  const lead = bytes[offset] as number;
  return [0x80, 0xbf].some((trail) => classifyStart(domain, lead, trail) !== fault.reason);
}

function findReason(
  domain: Domain,
  bytes: Uint8Array,
  offset: number,
  length: number,
  viable: number,
): FaultReason {
  const lead = bytes[offset] as number;
  const second = bytes[offset + 1];
  const trail = second !== undefined && isTrail(second) ? second : undefined;
  // A right start is only cut short, unless its second byte already tells what the writer meant.
  if (viable >= length && (length > 1 || trail === undefined)) return 'truncated';
  return classifyStart(domain, lead, trail);
}

const isTrail = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf;

/**
 * What a lead, and its second byte where there is one, mean in the scheme of RFC 2279, of which all
 * variants are dialects: 0xxxxxxx, 110xxxxx, 1110xxxx, … 1111110x, each trail 10xxxxxx.
 */
function classifyStart(domain: Domain, lead: number, trail: number | undefined): FaultReason {
  if (lead < 0x80) return 'wrong-form';
  if (lead < 0xc0) return 'unexpected-continuation';
  if (lead >= 0xfe) return 'invalid-lead';
  const length = Math.clz32(~(lead << 24));
  const payload = 2 ** (7 - length);
  const span = 64 ** (length - 1);
  // The least code point that needs this many bytes, and the greatest that there is.
  const least = length === 2 ? 0x80 : 2 ** (5 * length - 4);
  const greatest = domain === 'ucs-4' ? 0x7fffffff : 0x10ffff;
  const classify = (first: number, last: number): FaultReason | undefined => {
    if (Math.max(first, least) > greatest) return 'too-large';
    if (last < least) return 'overlong';
    return first >= 0xd800 && last <= 0xdfff ? 'surrogate' : undefined;
  };
  const first = (lead % payload) * span;
  const byLead = classify(first, first + span - 1);
  if (byLead || trail === undefined) return byLead ?? 'wrong-form';
  const part = span / 64;
  const from = first + (trail - 0x80) * part;
  return classify(from, from + part - 1) ?? 'wrong-form';
}
