/**
 * Mojibake: UTF-8 or CESU-8 that was read in a legacy encoding and encoded as UTF-8 again, once or more. `evidence.ts`
 * weighs single sequences of Windows-1252, and `oddities.ts` lines of other encodings.
 */
import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { classify, classLength } from '@utf8/detect/internal';
import { weigh } from './evidence.js';
import { applyFindings, composeFindings, type Finding } from './finding.js';
import {
  findReadingsAt,
  type LegacyReading,
  listReadings,
  readingOfLatin1,
  readingOfWindows1252,
  someAnchor,
} from './legacy-reading.js';
import { type Misread, readMisread } from './misread.js';
import { countOddities } from './oddities.js';
import { isLatin, isPlausible, isSign } from './written-character.js';

/** Policies for mojibake. */
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
/** First byte of the characters Â to ô, one of which begins every sequence. */
const LEAD_OF_LEADS = 0xc3;

/**
 * Finds mojibake in a text, however many times it was misread. Each finding is a run of characters with the
 * original text. After all of them are replaced, the text has no mojibake.
 *
 * **Windows-1252 and ISO 8859-1** are tried first, line by line. Characters whose bytes in these are one UTF-8
 * character or one CESU-8 pair form a sequence, which scores up to three points:
 * - 3: four bytes, or a pair.
 * - 2: a character that does not follow a letter (`Ã¤`, `â€™`), a capital after a small letter (`cafÃ‰`), a symbol
 *   inside a word (`Ã³n`).
 * - 1: a letter of another script next to another sequence; some symbols.
 * - 0: an accented capital, then punctuation that may end a word in capitals (`AMANHÃ…`, `CAFÉ™`), a unit (`Å²`), one
 *   letter of another script.
 *
 * A line needs two points. If it has other characters above U+007F, it needs four points, and at least twice as
 * many points as there are such characters. All sequences of the line are then replaced, one layer after another,
 * as long as the rule holds. Encoding a layer again restores the old bytes exactly.
 *
 * **Other encodings** are tried if they explain more characters of the line, or if the line is repaired anyway. A
 * line is repaired if this removes oddities of two points. If it has other characters above U+007F, it needs four
 * points, at least twice as many points as there are such characters, and at least two sequences and as many as
 * there are such characters. A single letter must be Latin. Oddities are:
 * - 2: neighbouring letters of two scripts; a capital after a small letter; a symbol, box drawing, `„`, `‚`, `¡`, `¿`,
 *   `§` or `‰` after a letter; a symbol before a letter; quotation marks or `•`, `†`, `‡` and `¶` inside a word; C1
 *   controls.
 * - 1: two capitals above U+007F and a small letter; a letter between dashes; a symbol next to punctuation or to box
 *   drawing.
 *
 * If several encodings explain a line, the one that leaves the fewest characters decides, then the one with the
 * fewest oddities in the result, then the order of {@link legacyEncodings}. The property `through` of a finding lists
 * the encodings, the outermost layer first. A word without signs, such as `мир` in Windows-1251 (`РјРёСЂ`), is not
 * found, because a fast search looks for signs and accents. ISO 8859-16 is often mistaken for Windows-1250.
 *
 * @param text - The content of a field, in any encoding of the family; in another quoting, too.
 * @param to - The encoding of the replacements: a codec, or a label of `@utf8/detect`.
 * @returns The findings in order; none if the text is probably correct.
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

/** Adds mojibake in the text after other findings are replaced. */
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
export const mayContainMojibake = (bytes: Uint8Array): boolean =>
  someAnchor(bytes, (i) => isSuspicious(bytes, i) || findReadingsAt(bytes, i) !== 0);

/** Tells whether Â to ô are followed by what 80 to BF are in either reading. */
function isSuspicious(bytes: Uint8Array, i: number): boolean {
  if (bytes[i] !== LEAD_OF_LEADS) return false;
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
    const best = readBest(text, start, end, to);
    if (best) addRuns(findings, best.found, best.name);
    start = end;
  }
  return findings;
}

/** Reads a line in all encodings, and returns the decisive reading that leaves the fewest characters. */
function readBest(
  text: Uint8Array,
  start: number,
  end: number,
  to: Codec,
): LineReading | undefined {
  const line = text.subarray(start, end);
  let mayBeWestern = false;
  let set = 0;
  someAnchor(line, (i) => {
    mayBeWestern ||= isSuspicious(line, i);
    set |= findReadingsAt(line, i);
    return false;
  });
  if (!mayBeWestern && set === 0) return undefined;
  const windows1252 = new LineReading(text, start, end, readingOfWindows1252, to);
  // Both read the same if there are no bytes from 80 to 9F.
  const latin1 =
    windows1252.others > 0 ? new LineReading(text, start, end, readingOfLatin1, to) : undefined;
  const western = latin1 && latin1.others < windows1252.others ? latin1 : windows1252;
  let best = mayBeWestern && western.isDecisive ? western : undefined;
  // A character that is kept must not become another one.
  if (windows1252.hasRefused || latin1?.hasRefused) return best;
  for (const reading of listReadings(set)) {
    const found = new LineReading(text, start, end, reading, to);
    // If Windows-1252 explains as much, its rule has decided.
    const isJudged = found.others >= western.others && best === undefined;
    if (isJudged || (best && !found.isBetterThan(best)) || !found.isDecisive) continue;
    best = found;
  }
  return best;
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

const isLatinOrSign = (codePoint: number): boolean =>
  isLatin(codePoint) || isSign(codePoint) || codePoint > 0xffff;

/** Misread sequences of a line in one reading. */
class LineReading {
  readonly name: LegacyReading['name'];
  readonly found: readonly Misread[];
  /** Number of other sequences above 7F. */
  readonly others: number;
  /** True if a sequence is a character that stays misread, such as one for private use. */
  readonly hasRefused: boolean;
  readonly #text: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  #oddities: number | undefined;

  constructor(
    text: Uint8Array,
    start: number,
    end: number,
    { name, bytes }: LegacyReading,
    to: Codec,
  ) {
    this.name = name;
    this.#text = text;
    this.#start = start;
    this.#end = end;
    const found: Misread[] = [];
    let others = 0;
    let hasRefused = false;
    for (let i = start; i < end; ) {
      if ((text[i] as number) < 0x80) {
        i++;
        continue;
      }
      // In Windows-1252 and ISO 8859-1, all leads begin with the same byte.
      const isLead = !this.#isWestern || text[i] === LEAD_OF_LEADS;
      const misread = isLead ? readMisread(text, i, end, bytes, to) : undefined;
      if (misread && (this.#isWestern || isPlausible(misread.codePoint, bytes))) {
        found.push(misread);
        i = misread.end;
      } else {
        others++;
        hasRefused ||= misread === null;
        i += classLength(classify(text, i, end));
      }
    }
    this.found = found;
    this.others = others;
    this.hasRefused = hasRefused;
  }

  get #isWestern(): boolean {
    return this.name === 'windows-1252' || this.name === 'iso-8859-1';
  }

  get isDecisive(): boolean {
    const { others } = this;
    const [first, second] = this.found;
    // In Windows-1252, much clean text is next to mojibake; elsewhere, half of a line would be a guess.
    if (!first || (!this.#isWestern && others > 0)) return false;
    // One letter of another script alone, or one sequence among others, is one by chance in some encoding.
    const isSingle = !this.#isWestern && !second;
    if (isSingle && !isLatinOrSign(first.codePoint)) return false;
    const points = this.#weigh();
    return others === 0 ? points >= ENOUGH : points >= ENOUGH_AMONG_OTHERS && points >= 2 * others;
  }

  /** Tells whether this explains more characters than another reading, or as many with a less odd result. */
  isBetterThan(other: LineReading): boolean {
    return (
      this.others < other.others ||
      (this.others === other.others && this.#countOddities() < other.#countOddities())
    );
  }

  #countOddities(): number {
    this.#oddities ??= countOddities(this.#text, this.#start, this.#end, this.found);
    return this.#oddities;
  }

  #weigh(): number {
    const [text, start, end] = [this.#text, this.#start, this.#end];
    if (this.#isWestern) return weighAll(text, start, end, this.found);
    return countOddities(text, start, end) - this.#countOddities();
  }
}

/** Adds up the points of sequences of Windows-1252 or ISO 8859-1. */
function weighAll(text: Uint8Array, start: number, end: number, found: readonly Misread[]): number {
  let points = 0;
  for (const [i, misread] of found.entries()) {
    points += weigh(misread, {
      before: readBefore(text, start, misread.start),
      after: misread.end < end ? Math.min(text[misread.end] as number, 0x80) : 0,
      isJoined: areJoined(found[i - 1], misread) || areJoined(misread, found[i + 1]),
    });
  }
  return points;
}

/** Tells whether sequences touch that may be of one script. */
function areJoined(one: Misread | undefined, next: Misread | undefined): boolean {
  if (!one || !next || one.end !== next.start || one.bytes.length !== next.bytes.length)
    return false;
  // The leads of Cyrillic are D0 and D1, those of Polish C3 to C5; above U+07FF, Kanji occur next to Kana.
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
function addRuns(
  findings: Finding[],
  misread: readonly Misread[],
  name: LegacyReading['name'],
): void {
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
    const kind = 'mojibake';
    findings.push({ offset, length, kind, reason: undefined, becomes, through: [name] });
  }
}
