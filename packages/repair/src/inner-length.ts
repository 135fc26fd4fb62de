/** Lengths inside values, such as PHP's `s:16:"…"`, which a repair of the text after them makes wrong. */
import { indexOfByte } from './byte-search.js';
import { applyFindings, type Finding } from './finding.js';
import { jsonSyntax, splitJson } from './json.js';
import type { Part } from './part.js';
import { type CountedText, parseSerialized } from './php.js';
import { asciiOf, latinOf, unescapeBytes } from './syntax.js';

/** The policies for lengths that a repair makes wrong. */
export const innerLengthPolicies = ['repair', 'fail', 'keep'] as const;

/**
 * A policy for lengths that a repair makes wrong: `repair`, the default, counts the bytes again; `fail` refuses
 * the text; `keep` leaves the length wrong.
 *
 * - A value is repaired only if it is PHP serialization, or a session of the handler `php`, from its first byte
 *   to its last. Texts in it may be serialized values or JSON themselves, up to 16 levels deep, and so may the
 *   strings of JSON. Any other value in which a length becomes wrong is refused: it is incomplete, for example, or
 *   part of a longer text.
 * - The bytes are those of the value, without the escapes of the syntaxes around it and of JSON.
 * - A length stays if the repair makes it right, because it counted the text before the damage. This is common in
 *   mojibake. A length that is wrong before and after is refused, with `isAlreadyWrong` in the finding.
 * - The private format of a class (`C:`), as `ArrayObject` wrote it before PHP 7.4, is refused if a length in it
 *   becomes wrong.
 * - Not covered: formats that are not text (igbinary, MessagePack, `php_binary`, pickles, Java serialization), and
 *   serialized values in Base64, compressed, encrypted, or escaped for HTML.
 *
 * @example
 * ```ts
 * import { createRepairer } from '@utf8/repair';
 *
 * const repair = createRepairer({ from: 'cesu-8+utf-8' });
 * const value = Buffer.from('a:1:{i:0;s:6:"\xed\xa0\xbd\xed\xb8\x80";}', 'latin1');
 * const { bytes, findings } = repair(value);
 * new TextDecoder().decode(bytes); // => 'a:1:{i:0;s:4:"😀";}'
 * findings.map(({ kind, offset }) => [kind, offset]); // => [['inner-length', 9], ['pair', 14]]
 * ```
 * @see https://www.php.net/manual/en/function.serialize.php
 */
export type InnerLengthPolicy = (typeof innerLengthPolicies)[number];

/** Change in a text. */
type Edit = Pick<Finding, 'offset' | 'length' | 'becomes'>;

/** A length, and its replacement; undefined if that is unknown. */
interface LengthChange extends Edit {
  readonly isAlreadyWrong?: boolean | undefined;
}

const BACKSLASH = 0x5c;
const COLON = 0x3a;
const QUOTE = 0x22;

/** Greatest depth of values nested in texts of each other. Each level reads its text again. */
const DEEPEST = 16;

/** Letters that precede a text; in some syntaxes, a backslash comes before its quote. */
const isLetter = Uint8Array.from({ length: 0x100 }, (_, byte) =>
  'sSOCE'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Bytes after a colon in which the next one is looked for without a native search. */
const NEAR = 24;

/** Tells whether bytes may contain a length before a text, in any syntax: `s:16:"`, `s:16:\"`. */
export function mayContainLengths(bytes: Uint8Array): boolean {
  const { length } = bytes;
  for (let i = indexOfByte(bytes, COLON, 0); i !== -1; ) {
    if (isDigit(bytes[i + 1]) && isLetter[bytes[i - 1] ?? 0] === 1) {
      let end = i + 2;
      while (isDigit(bytes[end])) end++;
      const next = bytes[end + 1];
      if (bytes[end] === COLON && (next === QUOTE || next === BACKSLASH)) return true;
    }
    i++;
    // A call of the native search takes as long as a loop over some 30 bytes.
    const near = Math.min(i + NEAR, length);
    while (i < near && bytes[i] !== COLON) i++;
    if (i >= near) i = indexOfByte(bytes, COLON, i);
  }
  return false;
}

/**
 * Adds the lengths that edits of a text make wrong. If the text can be parsed as a whole, they become
 * right; otherwise, the first one is refused.
 *
 * Lengths that only the edits make right stay: they counted the bytes before the text was damaged.
 */
export function addInnerLengths<E extends Edit>(
  text: Uint8Array,
  edits: readonly E[],
  policy: InnerLengthPolicy,
): readonly (E | Finding)[] {
  if (policy === 'keep' || edits.length === 0) return edits;
  // Refused text is not written.
  if (edits.some(({ becomes }) => !becomes) || edits.every(keepsLength)) return edits;
  if (!mayContainLengths(text)) return edits;
  const lengths = recount(text, edits, 0).map(
    ({ offset, length, becomes, isAlreadyWrong }): Finding => ({
      offset,
      length,
      kind: 'inner-length',
      reason: undefined,
      becomes: policy === 'fail' ? undefined : becomes,
      ...(isAlreadyWrong && { isAlreadyWrong }),
    }),
  );
  if (lengths.length === 0) return edits;
  return [...edits, ...lengths].sort((a, b) => a.offset - b.offset);
}

/** Tells whether as many bytes are written, none of which escapes. */
const keepsLength = ({ length, becomes }: Edit): boolean =>
  becomes?.length === length && !becomes.includes(BACKSLASH);

/** Finds the lengths to change in a text, in order. */
function recount(text: Uint8Array, edits: readonly Edit[], depth: number): LengthChange[] {
  if (!mayContainLengths(text)) return [];
  if (depth === DEEPEST) return findBroken(text, edits);
  const before = parseSerialized(text);
  if (before) return recountSerialized(text, before, edits, depth);
  const after = parseSerialized(applyFindings(text, edits));
  if (after) return recountMended(text, after, edits, depth);
  const parts = /^\s*[[{"]/.test(latinOf(text.subarray(0, 100))) ? splitJson(text) : undefined;
  return parts ? recountJson(text, parts, edits, depth) : findBroken(text, edits);
}

/** Finds the lengths to change in a value whose lengths are right before the edits. */
function recountSerialized(
  text: Uint8Array,
  counted: readonly CountedText[],
  edits: readonly Edit[],
  depth: number,
): LengthChange[] {
  const changes: LengthChange[] = [];
  for (const [each, inner] of within(counted, edits)) {
    const { prefix, digits, digitsEnd, count, start, end, isEscaped } = each;
    const nested = recount(text.subarray(start, end), inner, depth + 1);
    // An escape of another kind would be malformed in this text.
    const isUnclear = isEscaped && inner.some(({ becomes }) => becomes?.includes(BACKSLASH));
    const length = digitsEnd + 1 - prefix;
    if (isUnclear) changes.push({ offset: prefix, length, becomes: undefined });
    else {
      const result = count + growthOf(inner) + growthOf(nested);
      const start = latinOf(text.subarray(prefix, digits));
      if (result !== count) {
        changes.push({ offset: prefix, length, becomes: asciiOf(`${start}${result}:`) });
      }
    }
    for (const change of nested) changes.push({ ...change, offset: start + change.offset });
  }
  return changes;
}

const growthOf = (edits: readonly Edit[]): number =>
  edits.reduce((sum, { length, becomes }) => sum + (becomes?.length ?? length) - length, 0);

/**
 * Finds the lengths to change in a value whose own lengths are right after the edits. The texts in it may
 * need other lengths.
 */
function recountMended(
  text: Uint8Array,
  counted: readonly CountedText[],
  edits: readonly Edit[],
  depth: number,
): LengthChange[] {
  let shift = 0;
  const results = edits.map(({ offset, length, becomes }) => {
    const at = offset + shift;
    const size = becomes?.length ?? length;
    shift += size - length;
    return { offset: at, length: size, becomes: undefined };
  });
  let index = 0;
  for (const [{ start, end }, inner] of within(counted, results)) {
    while (index < results.length && (results[index] as Edit).offset < start) index++;
    const first = edits[index] as Edit;
    const from = first.offset - ((results[index] as Edit).offset - start);
    const originals = edits
      .slice(index, index + inner.length)
      .map((edit) => ({ ...edit, offset: edit.offset - from }));
    const to = from + (end - start) - growthOf(originals);
    const [change] = recount(text.subarray(from, to), originals, depth + 1);
    if (!change) continue;
    // The length around it would be wrong then.
    return [{ offset: from + change.offset, length: change.length, becomes: undefined }];
  }
  return [];
}

/** Finds the lengths to change in strings of JSON that nothing declares as such. */
function recountJson(
  text: Uint8Array,
  parts: readonly Part[],
  edits: readonly Edit[],
  depth: number,
): LengthChange[] {
  const changes: LengthChange[] = [];
  for (const [{ start, end }, outer] of within(parts, edits)) {
    const level = unescapeBytes(text.subarray(start, end), jsonSyntax);
    if (!mayContainLengths(level.bytes)) continue;
    let index = 0;
    const inner = outer.map(({ offset, length, becomes }) => {
      while (level.startOf(index) < offset) index++;
      const first = index;
      while (index < level.bytes.length && level.startOf(index) < offset + length) index++;
      const result = becomes && unescapeBytes(becomes, jsonSyntax).bytes;
      return { offset: first, length: index - first, becomes: result };
    });
    for (const { offset, length, ...rest } of recount(level.bytes, inner, depth + 1)) {
      const from = level.startOf(offset);
      changes.push({
        ...rest,
        offset: start + from,
        length: level.endOf(offset + length - 1) - from,
      });
    }
  }
  return changes;
}

/** Yields the texts in which something changes, and the edits in them by their offsets in the text. */
function* within<Text extends { readonly start: number; readonly end: number }>(
  texts: readonly Text[],
  edits: readonly Edit[],
): Generator<[Text, Edit[]]> {
  let next = 0;
  for (const text of texts) {
    const { start, end } = text;
    while (next < edits.length && (edits[next] as Edit).offset < start) next++;
    const inner: Edit[] = [];
    for (; next < edits.length && (edits[next] as Edit).offset < end; next++) {
      const edit = edits[next] as Edit;
      inner.push({ ...edit, offset: edit.offset - start });
    }
    if (inner.length > 0) yield [text, inner];
  }
}

/** A length before a text in quotes, which another program may have escaped. */
const LENGTH = /[sSOCE]:(\d{1,15}):(\\?)"/g;

/** The start of a serialized value, or of a session. */
const START = /^\s*(?:[\w-]+\|)?(?:a:\d+:\{|[sSOCE]:\d+:")/;

/** Finds the first length that becomes wrong in what cannot be parsed as a whole. */
function findBroken(text: Uint8Array, edits: readonly Edit[]): LengthChange[] {
  const latin = latinOf(text);
  const growth = sumGrowths(edits);
  let units: EscapedUnits | undefined;
  let nearest: LengthChange | undefined;
  for (const { 0: all, 1: digits = '', 2: slash = '', index: offset } of latin.matchAll(LENGTH)) {
    const length = all.length - slash.length - 1;
    const start = offset + all.length;
    if (slash) units ??= new EscapedUnits(latin);
    const count = Number(digits);
    const end = slash && units ? units.skip(start, count) : start + count;
    const fits = latin.startsWith(`${slash}"`, end);
    if (fits && growth(start) !== growth(end)) return [{ offset, length, becomes: undefined }];
    // The last one before the first edit may be the one of its text.
    if (!fits && (!nearest || offset < (edits[0] as Edit).offset)) {
      nearest = { offset, length, becomes: undefined, isAlreadyWrong: true };
    }
  }
  return nearest && START.test(latin.slice(0, 1000)) ? [nearest] : [];
}

/** Returns the function that tells how much longer the text before an index becomes. */
function sumGrowths(edits: readonly Edit[]): (index: number) => number {
  const sums = [0];
  for (const edit of edits) sums.push((sums.at(-1) as number) + growthOf([edit]));
  return (index) => {
    let low = 0;
    let high = edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((edits[middle] as Edit).offset < index) low = middle + 1;
      else high = middle;
    }
    return sums[low] as number;
  };
}

/** The bytes of a text in which an escape sequence counts as one. */
class EscapedUnits {
  /** Start of each unit, and the number of the unit that begins at an index or before it. */
  readonly #starts: Int32Array;
  readonly #numbers: Int32Array;
  #count = 0;

  constructor(latin: string) {
    this.#starts = new Int32Array(latin.length + 1);
    this.#numbers = new Int32Array(latin.length + 1);
    for (let i = 0; i < latin.length; ) {
      const end = Math.min(latin.length, i + (latin[i] === '\\' ? 2 : 1));
      this.#starts[this.#count] = i;
      for (; i < end; i++) this.#numbers[i] = this.#count;
      this.#count++;
    }
    this.#starts[this.#count] = latin.length;
    this.#numbers[latin.length] = this.#count;
  }

  /** Returns the index after so many of them; the end if there are fewer. */
  skip(start: number, length: number): number {
    const number = Math.min(this.#count, (this.#numbers[start] as number) + length);
    return this.#starts[number] as number;
  }
}
