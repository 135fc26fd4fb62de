import { formatBytes } from '@utf8/core';
import { type Form, type Label, markerLength, type Sequence, split } from '@utf8/detect';
import { showCharacter } from './character.js';
import { ask, type Opinion } from './opinion.js';
import { isBroken, rules } from './rules.js';

/** What is known of one sequence of bytes: plain data, as `utf8 explain --json` prints it. */
export interface Explanation {
  /** In bytes, from the start of the input. */
  readonly offset: number;
  /** The length of the sequence, in bytes. */
  readonly length: number;
  /** In hexadecimal digits, such as `C0 AE`. */
  readonly bytes: string;
  /** Each byte as its marker and its payload, such as `110|00000 10|101110`. */
  readonly bits: string;
  /** The code point that the payload spells, even if no variant accepts it; null if it spells none. */
  readonly codePoint: number | null;
  /** The character, or the short name of one without a shape; null if there is neither. */
  readonly character: string | null;
  /** What the sequence is, by the names of `@utf8/detect`. */
  readonly form: Form;
  /** The name of the rule that the sequence follows or breaks. */
  readonly rule: string;
  /** Whether the sequence breaks the rule. */
  readonly isBroken: boolean;
  /** Where the rule is written; the decisive place first. */
  readonly sections: readonly string[];
  /** The rule in a sentence; null if it is well known. */
  readonly says: string | null;
  /** How each variant reads the sequence, by label. */
  readonly variants: Readonly<
    Record<
      Label,
      {
        /** Whether the variant accepts the sequence. */
        readonly isWellFormed: boolean;
        /** Its faults, with offsets in bytes from the start of the input; empty if it is well-formed. */
        readonly faults: Opinion['faults'];
      }
    >
  >;
}

/**
 * Explains every sequence of an input.
 *
 * @param bytes - The input.
 * @returns One explanation for each sequence, in order.
 * @example
 * ```ts
 * import { explain } from '@utf8/explain';
 *
 * const [first] = explain(Uint8Array.of(0xc0, 0xae));
 * first?.rule; // => 'overlong'
 * first?.bits; // => '110|00000 10|101110'
 * first?.variants['utf-8'].faults.length; // => 2
 * ```
 */
export function* explain(bytes: Uint8Array): Generator<Explanation, void> {
  for (const sequence of split(bytes)) yield explainSequence(sequence);
}

/**
 * Explains a sequence that `split` of `@utf8/detect` has found.
 *
 * @param sequence - With its offset in bytes.
 * @returns The explanation.
 * @example
 * ```ts
 * import { split } from '@utf8/detect';
 * import { explainSequence } from '@utf8/explain';
 *
 * const [pair] = split(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80));
 * explainSequence(pair!).character; // => '😀'
 * ```
 */
export function explainSequence(sequence: Sequence): Explanation {
  const { form, offset, bytes, codePoint } = sequence;
  const { name, sections, says } = rules[form];
  const variants = ask(sequence).map(({ label, faults }) => {
    return [label, { isWellFormed: faults.length === 0, faults }] as const;
  });
  return {
    offset,
    length: bytes.length,
    bytes: formatBytes(bytes),
    bits: Array.from(bytes, formatBits).join(' '),
    codePoint: codePoint ?? null,
    character: codePoint === undefined ? null : showCharacter(codePoint) || null,
    form,
    rule: name,
    isBroken: isBroken(form),
    sections,
    says: says ?? null,
    variants: Object.fromEntries(variants) as Explanation['variants'],
  };
}

/** A byte as its marker and its payload, if it has both. */
function formatBits(byte: number): string {
  const bits = byte.toString(2).padStart(8, '0');
  const length = markerLength(byte);
  return [bits.slice(0, length), bits.slice(length)].filter(Boolean).join('|');
}
