/** Explains kinds of sequence in paragraphs: each kind once, by its first example. */

import { encodeCodePoints as encodeCesu8 } from '@utf8/cesu8/lite';
import { formatBytes, formatCodePoint } from '@utf8/core';
import { variants } from '@utf8/detect/internal';
import { decodeLegacyByte } from '@utf8/repair';
import { encodeCodePoints as encodeUtf8 } from '@utf8/strict/lite';
import { describeCharacter, formatCodeUnits, isScalar, quoteCharacter } from './character.js';
import { formatOffsets } from './offsets.js';
import { hazards, isBroken, rules } from './rules.js';
import { announcedLength, type Sequence, type SequenceKind, shortestLength } from './sequence.js';
import { listFaults, type VariantFaults } from './variant-faults.js';

/** Length of the text that is shown on either side of a sequence, in characters. */
const CONTEXT = 12;

/** Greatest number of faults that are listed with their bytes. */
const MAX_LISTED = 4;

const LF = 0x0a;

/** The first sequence of a kind, with the text around it. */
interface Example {
  readonly sequence: Sequence;
  readonly results: readonly VariantFaults[];
  /** The sequence as a lenient decoder reads it, with the text around it. */
  context: string;
  /** Number of characters that the context still lacks after the sequence. */
  missing: number;
  count: number;
}

/** Explains a kind of sequence by its first example. */
export interface Note {
  /** The rule, the first example and the count, such as `overlong: C0 AE at 1 (and 2 more)`. */
  readonly title: string;
  /** The kind of the sequences. */
  readonly kind: SequenceKind;
  /** True if the kind breaks its rule. */
  readonly isBroken: boolean;
  /** Programs that write such bytes, such as `Java and Android`; undefined if none is known. */
  readonly origin: string | undefined;
  /** The text of the note: sentences without line feeds. */
  readonly paragraphs: readonly string[];
}

/**
 * Collects notes about the kinds of sequence in an input, one note for each kind.
 *
 * @example
 * ```ts
 * import { Notes, split } from '@utf8/explain';
 *
 * const notes = new Notes();
 * for (const sequence of split(Uint8Array.of(0x2f, 0xc0, 0xae, 0x2f))) notes.add(sequence);
 * notes.list().map(({ title }) => title); // => ['overlong: C0 AE at 1']
 * ```
 */
export class Notes {
  readonly #examples = new Map<SequenceKind, Example>();
  /** The last characters on the same line. */
  #before: string[] = [];
  /** Examples that lack characters after them. */
  readonly #open = new Set<Example>();

  /**
   * Adds the next sequence.
   *
   * @param sequence - A sequence that `split` returned.
   */
  add(sequence: Sequence): void {
    const { kind, codePoint = 0xfffd } = sequence;
    const character = quoteCharacter(codePoint);
    for (const example of this.#open) {
      if (codePoint !== LF) example.context += character;
      if (codePoint === LF || --example.missing === 0) this.#open.delete(example);
    }
    const known = this.#examples.get(kind);
    if (known) known.count++;
    else if (rules[kind].note) this.#addExample(sequence, this.#before.join('') + character);
    if (codePoint === LF) this.#before = [];
    else if (this.#before.push(character) > CONTEXT) this.#before.shift();
  }

  #addExample({ bytes, ...sequence }: Sequence, context: string): void {
    // The caller may overwrite the bytes.
    const copy = { ...sequence, bytes: bytes.slice() };
    const results = listFaults(copy);
    const example = { sequence: copy, results, context, missing: CONTEXT, count: 1 };
    this.#examples.set(copy.kind, example);
    this.#open.add(example);
  }

  /**
   * Lists the notes, in order of first occurrence.
   *
   * @returns One note for each kind, except plain characters.
   */
  list(): Note[] {
    return Array.from(this.#examples.values(), describe);
  }
}

function describe({ sequence, results, context, count: number }: Example): Note {
  const { kind } = sequence;
  const { name, sections, note = '', origin } = rules[kind];
  const facts = findFacts(sequence, context, origin);
  const more = number > 1 ? ` (and ${number - 1} more)` : '';
  const paragraphs = [
    ...note.replace(/\{(\w+)\}/g, (_, fact) => facts[fact] as string).split('\n'),
    `${describeAccepting(results)}.${describeFaults(results, sequence)}`,
    `See ${sections.join('; ')}.`,
  ];
  return {
    title: `${name}: ${facts.bytes} at ${sequence.offset}${more}`,
    kind,
    isBroken: isBroken(kind),
    origin,
    paragraphs,
  };
}

/** Returns the texts of the placeholders in notes. */
function findFacts(
  sequence: Sequence,
  context: string,
  origin = '',
): Readonly<Record<string, string>> {
  const { bytes, codePoint = 0xfffd, next } = sequence;
  const [lead = 0] = bytes;
  const hasCharacter = isScalar(codePoint);
  const encode = (encodeCodePoints: typeof encodeUtf8): string =>
    hasCharacter ? formatBytes(encodeCodePoints([codePoint])) : '';
  const character = hasCharacter ? String.fromCodePoint(codePoint) : '';
  return {
    bytes: formatBytes(bytes),
    length: count(bytes.length, 'byte'),
    announcedLength: count(announcedLength(lead), 'byte'),
    codePoint: formatCodePoint(codePoint),
    character: describeCharacter(codePoint),
    shortest: encode(encodeUtf8),
    shortestLength: count(shortestLength(codePoint), 'byte'),
    pair: encode(encodeCesu8),
    codeUnits: codePoint > 0xffff && hasCharacter ? formatCodeUnits(codePoint) : '',
    context: `"${context}"`,
    origin,
    ending:
      next === undefined
        ? 'the input ends first'
        : `${describeByte(next)} comes first, which is not a trail byte (80..BF)`,
    windows1252: describeLegacy(decodeLegacyByte('windows-1252', lead)),
    hazard: hazards.find(([characters]) => characters.test(character))?.[1] ?? '',
  };
}

const describeLegacy = (codePoint: number | undefined): string =>
  codePoint === undefined ? 'not a character' : describeCharacter(codePoint);

const describeByte = (byte: number): string =>
  formatBytes([byte]) + (byte < 0x80 ? `, ${describeCharacter(byte)},` : '');

function describeAccepting(results: readonly VariantFaults[]): string {
  const accepting = variants.filter((_, i) => results[i]?.faults.length === 0);
  const [only] = accepting;
  const { length } = variants;
  if (only === undefined) return `None of the ${length} variants accepts it`;
  if (accepting.length === length) return 'All variants accept it';
  return accepting.length === 1
    ? `Of the ${length} variants, only ${only.label}, ${only.name}, accepts it`
    : `Of the ${length} variants, ${list(accepting.map(({ label }) => label))} accept it`;
}

/** Describes the faults in strict UTF-8; returns an empty text if the sequence is well-formed there. */
function describeFaults(
  results: readonly VariantFaults[],
  { bytes, offset: start }: Sequence,
): string {
  const faults = results.find(({ label }) => label === 'utf-8')?.faults ?? [];
  if (faults.length === 0) return '';
  const places = faults.map(({ offset, length }) => {
    return `${offset} (${formatBytes(bytes.subarray(offset - start, offset - start + length))})`;
  });
  // Ranges are shorter than a long list.
  const where =
    faults.length > MAX_LISTED ? formatOffsets(faults.map(({ offset }) => offset)) : list(places);
  const section = 'Unicode 3.9, D93b';
  return faults.length === 1
    ? ` A strict UTF-8 decoder finds one malformed sequence, at ${where}: it stops there or, if told to continue, writes one U+FFFD for it (${section}).`
    : ` A strict UTF-8 decoder never sees a character here: it finds ${faults.length} malformed sequences, at ${where}, and stops at the first or, if told to continue, writes one U+FFFD for each, so ${faults.length} (${section}).`;
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
