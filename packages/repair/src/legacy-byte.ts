import type { Codec } from '@utf8/core';
import { classify, classKind, classLength, sequenceKinds } from '@utf8/detect/internal';
import { applyFindings, type Finding } from './finding.js';
import { decodeLegacyBytes, findLegacyEncoding, type LegacyEncoding } from './legacy-encoding.js';
import { countOddities } from './oddities.js';
import type { Settings } from './options.js';

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
 * Decides which malformed bytes of a text are of a legacy encoding, and makes `legacy-byte` of their
 * findings. A legacy encoding as a policy is for these alone: it refuses other malformed bytes, and characters
 * that the target lacks.
 */
export function settleLegacyBytes(
  text: Uint8Array,
  findings: readonly Finding[],
  { errors, to }: Pick<Settings, 'errors' | 'to'>,
): readonly Finding[] {
  const encoding = findLegacyEncoding(errors);
  const isPolicy = encoding !== undefined;
  const isMalformed = ({ kind }: Finding): boolean => kind === 'other';
  if (!findings.some((finding) => isMalformed(finding) || (isPolicy && finding.reason))) {
    return findings;
  }
  const malformed = findings.some(isMalformed) ? findMalformed(text) : [];
  const last = isCutOff(text, malformed) ? malformed.at(-1) : undefined;
  const legacy = last ? malformed.slice(0, -1) : malformed;
  let next = 0;
  const settled = findings.map((finding) => {
    const { offset, length, kind, reason } = finding;
    while (next < legacy.length && (legacy[next] as Malformed).end <= offset) next++;
    const start = legacy[next]?.start ?? text.length;
    const isLegacy = kind === 'other' && start < offset + length;
    if (isLegacy) return { ...finding, kind: 'legacy-byte' as const };
    // Other policies decide about U+0000 and unpaired surrogates.
    const isByErrors = reason !== undefined && kind !== 'nul' && kind !== 'unpaired-surrogate';
    return isPolicy && isByErrors ? { ...finding, becomes: undefined } : finding;
  });
  // In Windows-1252, text that is UTF-8 by chance has a capital before a sign, which is rare.
  if (!encoding || encoding === 'windows-1252' || malformed.length === 0) return settled;
  return new RunReader(text, encoding, to).settle(settled, malformed, last);
}

/**
 * Decides about runs of bytes above 7F that are UTF-8 in part, in texts that have legacy bytes: `всё` in KOI8-R
 * ends with bytes that are a letter in UTF-8. The less odd result is chosen. If that does not decide, the run is
 * read as a whole, or refused if other runs are UTF-8.
 */
class RunReader {
  readonly #text: Uint8Array;
  readonly #encoding: LegacyEncoding;
  readonly #to: Codec;

  constructor(text: Uint8Array, encoding: LegacyEncoding, to: Codec) {
    this.#text = text;
    this.#encoding = encoding;
    this.#to = to;
  }

  /** @param cutOff - Bytes at the end that may be the start of a character. */
  settle(
    findings: readonly Finding[],
    malformed: readonly Malformed[],
    cutOff: Malformed | undefined,
  ): readonly Finding[] {
    const runs = this.#listRuns(findings, malformed);
    const isMixed = runs.some(({ whole, isTouched }) => !isTouched && !whole);
    const settled: Finding[] = [];
    let next = 0;
    for (const { start, end, inner, isTouched, whole } of runs) {
      while (next < findings.length && (findings[next] as Finding).offset < start) {
        settled.push(findings[next++] as Finding);
      }
      next += inner.length;
      const isCut = cutOff !== undefined && cutOff.end === end && cutOff.start > start;
      const isUtf8 = inner.reduce((sum, { length }) => sum + length, 0) < end - start;
      const isLegacy = inner.every(
        ({ kind, offset }) => kind === 'legacy-byte' || offset === cutOff?.start,
      );
      let result: readonly Finding[] = inner;
      if (isTouched && isUtf8 && isLegacy && !whole) {
        const certain = isMixed || isCut ? undefined : this.#choose(inner, start, end);
        result = certain ?? inner.map((finding) => ({ ...finding, becomes: undefined }));
      } else if (whole && isLegacy && isUtf8) result = [whole];
      for (const each of result) settled.push(each);
    }
    while (next < findings.length) settled.push(findings[next++] as Finding);
    return settled;
  }

  /** Lists the runs of bytes above 7F, with their text if they are decoded as a whole and that is less odd. */
  #listRuns(findings: readonly Finding[], malformed: readonly Malformed[]) {
    const text = this.#text;
    const runs: (Malformed & {
      inner: Finding[];
      isTouched: boolean;
      whole: Finding | undefined;
    })[] = [];
    let [next, passed] = [0, 0];
    for (let start = 0; start < text.length; ) {
      if ((text[start] as number) < 0x80) {
        start++;
        continue;
      }
      let end = start + 1;
      while (end < text.length && (text[end] as number) >= 0x80) end++;
      const inner: Finding[] = [];
      while ((findings[next]?.offset ?? end) < start) next++;
      while ((findings[next]?.offset ?? end) < end) inner.push(findings[next++] as Finding);
      const before = passed;
      while ((malformed[passed]?.start ?? end) < end) passed++;
      const whole = this.#readWhole(start, end, inner);
      const isLess = whole && this.#weigh([whole], start, end) < this.#weigh(inner, start, end);
      runs.push({
        start,
        end,
        inner,
        isTouched: passed > before,
        whole: isLess ? whole : undefined,
      });
      start = end;
    }
    return runs;
  }

  /** Decides between the characters of a run and its bytes; undefined if either is refused. */
  #choose(inner: readonly Finding[], start: number, end: number): readonly Finding[] | undefined {
    const whole = this.#readWhole(start, end, inner);
    if (!whole || inner.some(({ becomes }) => !becomes)) return undefined;
    return this.#weigh(inner, start, end) < this.#weigh([whole], start, end) ? inner : [whole];
  }

  #readWhole(start: number, end: number, inner: readonly Finding[]): Finding | undefined {
    const meant = decodeLegacyBytes(this.#encoding, this.#text.subarray(start, end));
    if (meant === undefined) return undefined;
    const becomes = this.#to.encode(meant);
    const reason = inner[0]?.reason;
    return { offset: start, length: end - start, kind: 'legacy-byte', reason, becomes };
  }

  /** Counts oddities of a run after findings are replaced, with the characters around it. */
  #weigh(findings: readonly Finding[], start: number, end: number): number {
    const [from, to] = [Math.max(start - 1, 0), end + 1];
    const moved = findings.map((finding) => ({ ...finding, offset: finding.offset - from }));
    return countOddities(applyFindings(this.#text.subarray(from, to), moved));
  }
}

/** Finds malformed bytes, except sequences above U+10FFFF. */
function findMalformed(text: Uint8Array): Malformed[] {
  const malformed: Malformed[] = [];
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
    }
    start = end;
  }
  return malformed;
}

/**
 * Tells whether the last malformed bytes, at the end of a text, are more likely to be the start of a
 * character than characters of their own.
 */
function isCutOff(text: Uint8Array, malformed: readonly Malformed[]): boolean {
  const last = malformed.at(-1);
  if (last?.end !== text.length) return false;
  const { start, end } = last;
  if (classKind(classify(text, start, end)) !== TRUNCATED) return false;
  // The text is UTF-8 elsewhere.
  const count = malformed.reduce((sum, each) => sum + each.end - each.start, 0);
  if (text.reduce((sum, byte) => sum + (byte >> 7), 0) > count) return true;
  // Windows-1252 has letters at C0 to FF, and `â‚` at E2 82.
  if (end - start > 1) return malformed.length === 1;
  // C0 to DE are capitals, which follow no small letter: `caf` and C3 are `café`, cut off.
  return (text[start] as number) < 0xdf && isSmall(text[start - 1] ?? 0);
}
