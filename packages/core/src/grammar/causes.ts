/**
 * Derives the reasons of faults by lead byte and, if needed, by second byte. The scheme of RFC 2279, of which
 * all variants are dialects, gives the meaning of the two bytes; the grammar decides whether they are
 * malformed.
 */
import { type Domain, domains } from './domain.js';
import type { Grammar } from './grammar.js';
import type { PackedCause } from './packed.js';
import type { FaultReason } from './reason.js';
import { type ByteRange, flatten } from './row.js';

/**
 * The forms of the scheme: their lead bytes, their length in bytes, and the least code point that needs this
 * length.
 */
const forms = [
  { first: 0xc0, last: 0xdf, length: 2, least: 0x80 },
  { first: 0xe0, last: 0xef, length: 3, least: 0x800 },
  { first: 0xf0, last: 0xf7, length: 4, least: 0x1_0000 },
  { first: 0xf8, last: 0xfb, length: 5, least: 0x20_0000 },
  { first: 0xfc, last: 0xfd, length: 6, least: 0x400_0000 },
] as const;

const FIRST_TRAIL = 0x80;
const LAST_TRAIL = 0xbf;
const TRAILS = 64;

/**
 * Derives the causes of a grammar's faults.
 *
 * @returns Causes in order. The first match counts; without one, the reason is `truncated`.
 */
export function deriveCauses({ domain, rows }: Grammar): PackedCause[] {
  const special: PackedCause[] = [];
  const general: PackedCause[] = [];
  for (let lead = 0; lead < 256; lead++) {
    const seconds = rows.flatMap((row) => {
      const [first, second] = flatten(row) as [ByteRange, ByteRange?];
      return first.first <= lead && lead <= first.last ? [second] : [];
    });
    const isLead = seconds.length > 0;
    const otherwise = isLead ? 'truncated' : classify(domain, lead);
    if (!isLead) extend(general, [otherwise, lead, lead]);
    for (let second = FIRST_TRAIL; second <= LAST_TRAIL; second++) {
      if (seconds.some((range) => !range || (range.first <= second && second <= range.last)))
        continue;
      const reason = classify(domain, lead, second);
      if (reason !== otherwise) extend(special, [reason, lead, lead, second, second]);
    }
  }
  return [...special, ...general];
}

/** Returns the reason of a malformed lead byte, or of a lead byte with a malformed trail byte after it. */
function classify(domain: Domain, lead: number, second?: number): FaultReason {
  if (lead < FIRST_TRAIL) return 'wrong-form';
  if (lead <= LAST_TRAIL) return 'unexpected-continuation';
  const form = forms.find(({ last }) => lead <= last);
  if (!form) return 'invalid-lead';
  // Pairs of code units reach U+10FFFF.
  const greatest =
    domain === 'code units' ? 0x10ffff : Math.max(...domains[domain].map(([, last]) => last));
  // The code points whose sequences begin with these bytes.
  const { length, least } = form;
  const trails = TRAILS ** (length - 1);
  const step = second === undefined ? trails : trails / TRAILS;
  const first = (lead - form.first) * trails + ((second ?? FIRST_TRAIL) - FIRST_TRAIL) * step;
  const last = first + step - 1;
  // Unicode never had forms of five and six bytes.
  if (least > Math.max(greatest, 0x10ffff)) return 'too-large';
  if (last < least) return 'overlong';
  if (Math.max(first, least) > greatest) return 'too-large';
  return first >= 0xd800 && last <= 0xdfff ? 'surrogate' : 'wrong-form';
}

/** Appends a cause, or widens the last one. */
function extend(causes: PackedCause[], cause: PackedCause): void {
  const [reason, lead, , second] = cause;
  const before = causes.at(-1);
  const isSame = before?.[0] === reason;
  if (isSame && second === undefined && before[2] === lead - 1) {
    causes.splice(-1, 1, [reason, before[1], lead]);
  } else if (isSame && second !== undefined && before[1] === lead && before[4] === second - 1) {
    causes.splice(-1, 1, [reason, lead, lead, before[3] as number, second]);
  } else {
    causes.push(cause);
  }
}
