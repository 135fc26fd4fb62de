/** What there is to know about forms that need more than a line: once for each, by its first example. */
import { formatBytes, formatCodePoint } from '@utf8/core';
import {
  codecFor,
  type Form,
  labels,
  leastLength,
  lengthByLead,
  type Sequence,
} from '@utf8/detect';
import { decodeWindows1252 } from '@utf8/repair';
import { describeCharacter, formatUnits, isScalar, spellCharacter } from './character.js';
import { formatOffsets } from './offsets.js';
import { ask, listAccepting, type Opinion } from './opinion.js';
import { hazards, isBroken, rules } from './rules.js';

/** How much text is shown on either side of a sequence, in characters. */
const AROUND = 12;

/** Up to how many faults are listed with their bytes. */
const FEW = 4;

const LF = 0x0a;

/** The first sequence of a form, with the text around it. */
interface Example {
  readonly sequence: Sequence;
  readonly opinions: readonly Opinion[];
  seen: string;
  /** How many more characters have room after it. */
  room: number;
  count: number;
}

/** A form, explained by its first example. */
export interface Note {
  /** Such as `overlong: C0 AE at 1 (and 2 more)`. */
  readonly title: string;
  /** Whether the form breaks its rule. */
  readonly isBroken: boolean;
  /** The text of the note: sentences without line feeds. */
  readonly paragraphs: readonly string[];
}

/**
 * Collects notes that explain the forms in an input, one for each form.
 *
 * @example
 * ```ts
 * import { split } from '@utf8/detect';
 * import { Notes } from '@utf8/explain';
 *
 * const notes = new Notes();
 * for (const sequence of split(Uint8Array.of(0x2f, 0xc0, 0xae, 0x2f))) notes.add(sequence);
 * notes.list().map(({ title }) => title); // => ['overlong: C0 AE at 1']
 * ```
 */
export class Notes {
  readonly #examples = new Map<Form, Example>();
  /** The characters before, on the same line. */
  #before: string[] = [];
  readonly #open = new Set<Example>();

  /**
   * Adds the next sequence.
   *
   * @param sequence - As `split` of `@utf8/detect` yields it.
   */
  add(sequence: Sequence): void {
    const { form, codePoint = 0xfffd } = sequence;
    const character = spellCharacter(codePoint);
    for (const example of this.#open) {
      if (codePoint !== LF) example.seen += character;
      if (codePoint === LF || --example.room === 0) this.#open.delete(example);
    }
    const known = this.#examples.get(form);
    if (known) known.count++;
    else if (rules[form].note) this.#addExample(sequence, this.#before.join('') + character);
    if (codePoint === LF) this.#before = [];
    else if (this.#before.push(character) > AROUND) this.#before.shift();
  }

  #addExample({ bytes, ...sequence }: Sequence, seen: string): void {
    // The memory of the bytes is used again.
    const copy = { ...sequence, bytes: bytes.slice() };
    const example = { sequence: copy, opinions: ask(copy), seen, room: AROUND, count: 1 };
    this.#examples.set(copy.form, example);
    this.#open.add(example);
  }

  /**
   * Lists the notes, in order of first occurrence.
   *
   * @returns One note for each form that needs one; none for plain characters.
   */
  list(): Note[] {
    return Array.from(this.#examples.values(), describe);
  }
}

function describe({ sequence, opinions, seen, count: number }: Example): Note {
  const { name, sections, note = '' } = rules[sequence.form];
  const facts = findFacts(sequence, seen);
  const more = number > 1 ? ` (and ${number - 1} more)` : '';
  const paragraphs = [
    ...note.replace(/\{(\w+)\}/g, (_, fact) => facts[fact] as string).split('\n'),
    `${describeAccepting(listAccepting(opinions))}.${describeFaults(opinions, sequence)}`,
    `See ${sections.join('; ')}.`,
  ];
  return {
    title: `${name}: ${facts.bytes} at ${sequence.offset}${more}`,
    isBroken: isBroken(sequence.form),
    paragraphs,
  };
}

/** What notes may mention about a sequence. */
function findFacts(sequence: Sequence, seen: string): Readonly<Record<string, string>> {
  const { bytes, codePoint = 0xfffd, next } = sequence;
  const [lead = 0] = bytes;
  const hasCharacter = isScalar(codePoint);
  const spell = (label: string): string =>
    hasCharacter ? formatBytes(codecFor(label).encodeCodePoints([codePoint])) : '';
  const character = hasCharacter ? String.fromCodePoint(codePoint) : '';
  return {
    bytes: formatBytes(bytes),
    length: count(bytes.length, 'byte'),
    // What the lead announces.
    needed: count(lengthByLead(lead), 'byte'),
    codePoint: formatCodePoint(codePoint),
    character: describeCharacter(codePoint),
    shortest: spell('utf-8'),
    shortestLength: count(leastLength(codePoint), 'byte'),
    pair: spell('cesu-8'),
    units: codePoint > 0xffff && hasCharacter ? formatUnits(codePoint) : '',
    // What a lenient decoder reads here and around.
    seen: `"${seen}"`,
    ending:
      next === undefined
        ? 'the input ends first'
        : `${describeByte(next)} comes first, which is not a trail byte (80..BF)`,
    oneByte: describeCharacter(decodeWindows1252(lead)),
    hazard: hazards.find(([characters]) => characters.test(character))?.[1] ?? '',
  };
}

const describeByte = (byte: number): string =>
  formatBytes([byte]) + (byte < 0x80 ? `, ${describeCharacter(byte)},` : '');

function describeAccepting(accepting: readonly string[]): string {
  const [only] = accepting;
  if (only === undefined) return `None of the ${labels.length} variants accepts it`;
  if (accepting.length === labels.length) return 'All variants accept it';
  return accepting.length === 1
    ? `Of the ${labels.length} variants, only ${only}, ${codecFor(only).name}, accepts it`
    : `Of the ${labels.length} variants, ${list(accepting)} accept it`;
}

/** How a strict decoder reads a sequence; nothing if it accepts it. */
function describeFaults(opinions: readonly Opinion[], { bytes, offset: start }: Sequence): string {
  const faults = opinions.find(({ label }) => label === 'utf-8')?.faults ?? [];
  if (faults.length === 0) return '';
  const places = faults.map(({ offset, length }) => {
    return `${offset} (${formatBytes(bytes.subarray(offset - start, offset - start + length))})`;
  });
  // Ranges are shorter than a long list.
  const where =
    faults.length > FEW ? formatOffsets(faults.map(({ offset }) => offset)) : list(places);
  const section = 'Unicode 3.9, D93b';
  return faults.length === 1
    ? ` A strict UTF-8 decoder finds one fault, at ${where}: it stops there or, if told to continue, writes one U+FFFD for it (${section}).`
    : ` A strict UTF-8 decoder never sees a character here: it finds ${faults.length} faults, at ${where}, and stops at the first or, if told to continue, writes one U+FFFD for each, so ${faults.length} (${section}).`;
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
