import { classify, classKind, classLength, sequenceKinds } from '@utf8/detect/internal';
import type { Finding } from './finding.js';
import type { ErrorsPolicy } from './substitute.js';

const [TRUNCATED, UNEXPECTED_CONTINUATION, INVALID_LEAD] = (
  ['truncated', 'unexpectedContinuation', 'invalidLead'] as const
).map((kind) => sequenceKinds.indexOf(kind));

/** Malformed bytes: a maximal subpart of a sequence, or a byte that is part of none. */
interface Malformed {
  readonly start: number;
  readonly end: number;
}

const isSmall = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

/**
 * Decides which malformed bytes of a text are of a legacy encoding, and makes `legacy byte` of their
 * findings. The policy `windows-1252` is for these alone: it refuses what else is malformed, or missing
 * in the target.
 */
export function settleLegacyBytes(
  text: Uint8Array,
  findings: readonly Finding[],
  errors: ErrorsPolicy,
): readonly Finding[] {
  const isPolicy = errors === 'windows-1252';
  const isMalformed = ({ kind }: Finding): boolean => kind === 'other';
  if (!findings.some((finding) => isMalformed(finding) || (isPolicy && finding.reason))) {
    return findings;
  }
  const legacy = findings.some(isMalformed) ? findLegacyBytes(text) : [];
  let next = 0;
  return findings.map((finding) => {
    const { offset, length, kind, reason } = finding;
    while (next < legacy.length && (legacy[next] as Malformed).end <= offset) next++;
    const start = legacy[next]?.start ?? text.length;
    const isLegacy = kind === 'other' && start < offset + length;
    if (isLegacy) return { ...finding, kind: 'legacy byte' as const };
    // Other policies decide about U+0000 and unpaired surrogates.
    const isByErrors = reason !== undefined && kind !== 'nul' && kind !== 'unpaired surrogate';
    return isPolicy && isByErrors ? { ...finding, becomes: undefined } : finding;
  });
}

/**
 * Finds the bytes of a legacy encoding: all that are malformed, except sequences above U+10FFFF and, at
 * the end of the text, a character that was cut off.
 */
function findLegacyBytes(text: Uint8Array): Malformed[] {
  const malformed: Malformed[] = [];
  let characters = 0;
  for (let start = 0; start < text.length; ) {
    if ((text[start] as number) < 0x80) {
      start++;
      continue;
    }
    const found = classify(text, start, text.length);
    const kind = classKind(found);
    const end = start + classLength(found);
    if (kind === TRUNCATED || kind === UNEXPECTED_CONTINUATION || kind === INVALID_LEAD) {
      malformed.push({ start, end });
    } else {
      characters++;
    }
    start = end;
  }
  const last = malformed.at(-1);
  if (last?.end === text.length && isCutOff(text, last, malformed.length, characters))
    malformed.pop();
  return malformed;
}

/**
 * Tells whether the last malformed bytes, at the end of a text, are more likely to be the start of a
 * character than characters of their own.
 *
 * @param count - Number of malformed sequences.
 * @param characters - Number of well-formed characters above U+007F.
 */
function isCutOff(
  text: Uint8Array,
  { start, end }: Malformed,
  count: number,
  characters: number,
): boolean {
  if (classKind(classify(text, start, end)) !== TRUNCATED) return false;
  // The text is UTF-8 elsewhere.
  if (characters > 0) return true;
  // Windows-1252 has letters at C0 to FF, and `â‚` at E2 82.
  if (end - start > 1) return count === 1;
  // C0 to DE are capitals, which follow no small letter: `caf` and C3 are `café`, cut off.
  return (text[start] as number) < 0xdf && isSmall(text[start - 1] ?? 0);
}
