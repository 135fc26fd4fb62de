/**
 * Mojibake: UTF-8 or CESU-8 that was read as Windows-1252 or ISO 8859-1 and encoded as UTF-8 again, once or
 * more. The README says which text counts as mojibake; `evidence.ts` weighs single sequences.
 */
import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { classify, classLength } from '@utf8/detect/internal';
import { indexOfByte } from './byte-search.js';
import { weigh } from './evidence.js';
import { applyFindings, composeFindings, type Finding } from './finding.js';
import {
  type LegacyReading,
  type Misread,
  readingOfLatin1,
  readingOfWindows1252,
  readMisread,
} from './misread.js';

/** What is done about mojibake. */
export const mojibakePolicies = ['keep', 'repair'] as const;

/** A policy for mojibake. */
export type MojibakePolicy = (typeof mojibakePolicies)[number];

/** Points that decide about a line, and those that do where some of its characters were not misread. */
const ENOUGH = 2;
const ENOUGH_AMONG_OTHERS = 4;

const LF = 0x0a;
const BACKSLASH = 0x5c;
const SMALL_N = 0x6e;
const SMALL_R = 0x72;
const SMALL_U = 0x75;
/** What Â to ô begin with, of which every sequence has one. */
const LEAD_OF_LEADS = 0xc3;

/**
 * Finds mojibake in a text, however many times it was misread. Each finding is a run of characters, and
 * what they were at first. A text in which all of them are replaced has no mojibake.
 *
 * @param text - The content of a field, in any encoding of the family; in another quoting, too.
 * @param to - The encoding of the replacements: a codec, or a label of `@utf8/detect`.
 * @returns The findings in order; none if the text is more likely to be what was written.
 * @throws LabelError (a `RangeError`) if no encoding has the label.
 * @example
 * ```ts
 * import { findMojibake } from '@utf8/repair';
 *
 * const text = new TextEncoder().encode('CafÃ© crÃ¨me');
 * findMojibake(text).map(({ offset, length }) => [offset, length]); // => [[3, 4], [10, 4]]
 * findMojibake(new TextEncoder().encode('AMANHÃ…')); // => []
 * ```
 */
export function findMojibake(text: Uint8Array, to: string | Codec = 'utf-8'): readonly Finding[] {
  return addMojibake(text, [], typeof to === 'string' ? codecFor(to) : to);
}

/** Adds what is mojibake after other findings are replaced. */
export function addMojibake(
  text: Uint8Array,
  findings: readonly Finding[],
  to: Codec,
): readonly Finding[] {
  let found = findings;
  let result = found.length === 0 ? text : applyFindings(text, found);
  // Each layer shortens the text, so there is a last one.
  for (;;) {
    if (!mayContainMojibake(result)) return found;
    const layer = findLayer(result, to);
    if (layer.length === 0) return found;
    found = found.length === 0 ? layer : composeFindings(found, layer, result);
    result = applyFindings(text, found);
  }
}

/**
 * Tells whether bytes, a text or a whole file, may contain mojibake: by a native search. True may be a
 * false alarm; false never is.
 *
 * @param bytes - A text, or a whole file of texts.
 * @returns True if {@link findMojibake} may find something.
 * @example
 * ```ts
 * import { mayContainMojibake } from '@utf8/repair';
 *
 * mayContainMojibake(new TextEncoder().encode('crÃ¨me')); // => true
 * mayContainMojibake(new TextEncoder().encode('crème')); // => false
 * ```
 */
export function mayContainMojibake(bytes: Uint8Array): boolean {
  for (let i = indexOfByte(bytes, LEAD_OF_LEADS, 0); i !== -1; ) {
    // A JavaScript loop through dense text: a native search costs as much as 30 bytes.
    const end = Math.min(i + 64, bytes.length);
    for (; i < end; i++) {
      if (bytes[i] === LEAD_OF_LEADS && isSuspicious(bytes, i)) return true;
    }
    i = indexOfByte(bytes, LEAD_OF_LEADS, i);
  }
  return false;
}

/** Tells whether Â to ô are followed by what 80 to BF are in either reading. */
function isSuspicious(bytes: Uint8Array, i: number): boolean {
  const second = bytes[i + 1] as number;
  const next = bytes[i + 2];
  // U+00C2..U+00F4 = C3 82-B4; U+0080..U+00BF, and U+0152 to U+2122, which Windows-1252 has in 80 to 9F.
  if (second < 0x82 || second > 0xb4) return false;
  return next === 0xc2 || next === 0xe2 || next === 0xc5 || next === 0xcb || next === 0xc6;
}

/** Finds the outermost layer. */
function findLayer(text: Uint8Array, to: Codec): Finding[] {
  const findings: Finding[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    if (mayContainMojibake(text.subarray(start, end))) {
      const windows1252 = readLine(text, start, end, readingOfWindows1252, to);
      // Both read the same if there are no bytes from 80 to 9F.
      const latin1 = windows1252.others > 0 && readLine(text, start, end, readingOfLatin1, to);
      const best = latin1 && latin1.others < windows1252.others ? latin1 : windows1252;
      if (isDecisive(best)) addRuns(findings, best.found);
    }
    start = end;
  }
  return findings;
}

/** Returns the index after a line, which ends with a line feed, or with the escape of one. */
function endOfLine(text: Uint8Array, start: number): number {
  for (let i = start; i < text.length; i++) {
    const byte = text[i];
    if (byte === LF) return i + 1;
    const next = text[i + 1];
    if (byte === BACKSLASH && (next === SMALL_N || next === SMALL_R)) return i + 2;
  }
  return text.length;
}

/** What a line is in one reading. */
interface LineReading {
  readonly found: readonly Misread[];
  readonly points: number;
  /** Number of other sequences above 7F. */
  readonly others: number;
}

const isDecisive = ({ points, others }: LineReading): boolean =>
  others === 0 ? points >= ENOUGH : points >= ENOUGH_AMONG_OTHERS && points >= 2 * others;

function readLine(
  text: Uint8Array,
  start: number,
  end: number,
  reading: LegacyReading,
  to: Codec,
): LineReading {
  const found: Misread[] = [];
  let others = 0;
  for (let i = start; i < end; ) {
    if ((text[i] as number) < 0x80) {
      i++;
      continue;
    }
    const misread = text[i] === LEAD_OF_LEADS ? readMisread(text, i, end, reading, to) : undefined;
    if (misread) found.push(misread);
    else others++;
    i = misread?.end ?? i + classLength(classify(text, i, end));
  }
  let points = 0;
  for (const [i, misread] of found.entries()) {
    points += weigh(misread, {
      before: readBefore(text, start, misread.start),
      after: misread.end < end ? Math.min(text[misread.end] as number, 0x80) : 0,
      isJoined: areJoined(found[i - 1], misread) || areJoined(misread, found[i + 1]),
    });
  }
  return { found, points, others };
}

/** Tells whether sequences touch that may be of one script. */
function areJoined(one: Misread | undefined, next: Misread | undefined): boolean {
  if (!one || !next || one.end !== next.start || one.bytes.length !== next.bytes.length)
    return false;
  // The leads of Cyrillic are D0 and D1, those of Polish C3 to C5; above U+07FF, Kanji stand beside Kana.
  const distance = Math.abs((one.bytes[0] as number) - (next.bytes[0] as number));
  return one.bytes.length > 2 || distance <= 2;
}

/** Reads the ASCII character before an index; 0 if an escape has it, 80 if it is not ASCII. */
function readBefore(text: Uint8Array, start: number, index: number): number {
  if (index === start) return 0;
  const isEscaped =
    text[index - 2] === BACKSLASH || (text[index - 6] === BACKSLASH && text[index - 5] === SMALL_U);
  return isEscaped ? 0 : Math.min(text[index - 1] as number, 0x80);
}

/** Adds a finding for each run of characters that touch. */
function addRuns(findings: Finding[], misread: readonly Misread[]): void {
  for (let i = 0; i < misread.length; ) {
    const first = i;
    let size = 0;
    do size += (misread[i++] as Misread).becomes.length;
    while (misread[i]?.start === (misread[i - 1] as Misread).end);
    const becomes = new Uint8Array(size);
    let at = 0;
    for (const each of misread.slice(first, i)) {
      becomes.set(each.becomes, at);
      at += each.becomes.length;
    }
    const { start: offset } = misread[first] as Misread;
    const length = (misread[i - 1] as Misread).end - offset;
    findings.push({ offset, length, kind: 'mojibake', reason: undefined, becomes });
  }
}
