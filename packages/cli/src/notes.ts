import { formatBytes, formatCodePoint } from '@utf8/core';
/** What `utf8 explain` says at the end: once for each form that needs more than a line. */
import { codecFor, labels } from '@utf8/detect';
import { formatOffsets, formatUnits } from './annotate.js';
import { describeCharacter, escapeCharacter, isScalar } from './character.js';
import { ask, type Opinion, takers } from './opinion.js';
import { type Facts, hazards, rules } from './rules.js';
import { type Form, leastLength, lengthOf, type Sequence } from './sequence.js';
import type { Style } from './style.js';
import { count } from './tally.js';
import { wrap } from './wrap.js';

/** How much text is shown on either side of a sequence, in characters. */
const AROUND = 12;

/** Up to how many faults are named with their bytes. */
const FEW = 4;

const INDENT = '  ';

const LF = 0x0a;

/** The first sequence of a form, with what is around it. */
interface Example {
  readonly sequence: Sequence;
  readonly opinions: readonly Opinion[];
  seen: string;
  /** How many more characters there is room for. */
  room: number;
  count: number;
}

/** Gathers the first example of each form. */
export class Notes {
  readonly #examples = new Map<Form, Example>();
  /** The characters before, on the same line. */
  #before: string[] = [];
  readonly #open = new Set<Example>();

  /** Takes the next sequence. */
  add(sequence: Sequence): void {
    const { form, codePoint = 0xfffd } = sequence;
    const character = escapeCharacter(codePoint);
    for (const example of this.#open) {
      if (codePoint !== LF) example.seen += character;
      if (codePoint === LF || --example.room === 0) this.#open.delete(example);
    }
    if (rules[form].note) this.#addExample(sequence, character);
    if (codePoint === LF) this.#before = [];
    else if (this.#before.push(character) > AROUND) this.#before.shift();
  }

  #addExample(sequence: Sequence, character: string): void {
    const known = this.#examples.get(sequence.form);
    if (known) {
      known.count++;
      return;
    }
    const example = {
      // The memory of its bytes is used again.
      sequence: { ...sequence, bytes: sequence.bytes.slice() },
      opinions: ask(sequence),
      seen: this.#before.join('') + character,
      room: AROUND,
      count: 1,
    };
    this.#examples.set(sequence.form, example);
    this.#open.add(example);
  }

  /** All notes, in the order in which the forms came. */
  format(style: Style): string {
    return Array.from(this.#examples.values(), (example) => formatNote(example, style)).join('');
  }
}

function formatNote({ sequence, opinions, seen, count: number }: Example, style: Style): string {
  const { name, isBroken, sections, note = [] } = rules[sequence.form];
  const facts = findFacts(sequence, seen);
  const mark = isBroken ? style.bad : style.title;
  const more = number > 1 ? ` (and ${number - 1} more)` : '';
  const paragraphs = [
    ...note.map((template) => fill(template, facts)),
    sayWhoTakes(opinions, sequence),
    `See ${sections.join('; ')}.`,
  ];
  return [
    `\n${mark(`${name}: ${facts.bytes} at ${sequence.offset}${more}`)}\n`,
    ...paragraphs.map((paragraph) => wrap(paragraph, INDENT)),
  ].join('');
}

const fill = (template: string, facts: Facts): string =>
  template.replace(/\{(\w+)\}/g, (_, key: keyof Facts) => facts[key]);

function findFacts({ bytes, codePoint = 0xfffd, next }: Sequence, seen: string): Facts {
  const [lead = 0] = bytes;
  const hasCharacter = isScalar(codePoint);
  const spell = (label: string): string =>
    hasCharacter ? formatBytes(codecFor(label).encodeCodePoints([codePoint])) : '';
  const character = hasCharacter ? String.fromCodePoint(codePoint) : '';
  return {
    bytes: formatBytes(bytes),
    length: count(bytes.length, 'byte'),
    needed: count(lengthOf(lead), 'byte'),
    codePoint: formatCodePoint(codePoint),
    character: describeCharacter(codePoint),
    shortest: spell('utf-8'),
    shortestLength: count(leastLength(codePoint), 'byte'),
    pair: spell('cesu-8'),
    units: codePoint > 0xffff && hasCharacter ? formatUnits(codePoint) : '',
    seen: `"${seen}"`,
    ending:
      next === undefined
        ? 'the input ends first'
        : `${describeByte(next)} comes first, which is no trail byte (80..BF)`,
    oneByte: describeCharacter(
      new TextDecoder('windows-1252').decode(Uint8Array.of(lead)).codePointAt(0) as number,
    ),
    hazard: hazards.find(({ characters }) => characters.test(character))?.says ?? '',
  };
}

function describeByte(byte: number): string {
  const hex = formatBytes(Uint8Array.of(byte));
  return byte < 0x80 ? `${hex}, ${describeCharacter(byte)},` : hex;
}

/** Who takes a sequence, and what a strict decoder makes of it. */
function sayWhoTakes(opinions: readonly Opinion[], { bytes, offset }: Sequence): string {
  const taking = takers(opinions);
  const faults = opinions.find(({ label }) => label === 'utf-8')?.faults ?? [];
  if (faults.length === 0) return `${nameTakers(taking)}.`;
  const section = 'Unicode 3.9, D93b';
  // Where they are many, ranges say it shorter.
  const places =
    faults.length > FEW
      ? formatOffsets(faults.map((fault) => fault.offset))
      : join(
          faults.map((fault) => {
            const from = fault.offset - offset;
            return `${fault.offset} (${formatBytes(bytes.subarray(from, from + fault.length))})`;
          }),
        );
  const strict =
    faults.length === 1
      ? `A strict UTF-8 decoder finds one fault, at ${places}: it stops there or, told to go on, writes one U+FFFD for it (${section}).`
      : `A strict UTF-8 decoder never sees a character here: it finds ${faults.length} faults, at ${places}, and stops at the first or, told to go on, writes one U+FFFD for each, so ${faults.length} (${section}).`;
  return `${nameTakers(taking)}. ${strict}`;
}

function nameTakers(taking: readonly string[]): string {
  if (taking.length === labels.length) return 'All variants take it';
  if (taking.length === 0) return `None of the ${labels.length} variants takes it`;
  const [only] = taking;
  return taking.length === 1
    ? `Of the ${labels.length} variants, only ${only}, ${codecFor(only as string).name}, takes it`
    : `Of the ${labels.length} variants, ${join(taking)} take it`;
}

const join = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
