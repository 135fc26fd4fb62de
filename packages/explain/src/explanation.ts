import { formatBytes } from '@utf8/core';
import type { Label } from '@utf8/detect';
import { showCharacter } from './character.js';
import { isBroken, rules } from './rules.js';
import { markerLength, type Sequence, type SequenceKind, split } from './sequence.js';
import { listFaults, type VariantFaults } from './variant-faults.js';

/** The explanation of one sequence: plain data, as `utf8 explain --json` prints it. */
export interface Explanation {
  /** Offset from the start of the input, in bytes. */
  readonly offset: number;
  /** The length of the sequence, in bytes. */
  readonly length: number;
  /** The bytes in hexadecimal digits, such as `C0 AE`. */
  readonly bytes: string;
  /** Each byte as its marker and its payload, such as `110|00000 10|101110`. */
  readonly bits: string;
  /** The payload bits as a number, even if no variant accepts it; null if the sequence is incomplete. */
  readonly codePoint: number | null;
  /** The character, or its abbreviation if it has no glyph; null if it has neither. */
  readonly character: string | null;
  /** The kind of the sequence. */
  readonly kind: SequenceKind;
  /** The name of the rule that the sequence follows or breaks. */
  readonly rule: string;
  /** True if the sequence breaks the rule. */
  readonly isBroken: boolean;
  /** The sections of standards that contain the rule; the decisive one first. */
  readonly sections: readonly string[];
  /** The rule in one sentence; null if it is well known. */
  readonly summary: string | null;
  /** The result of each variant, by label. */
  readonly variants: Readonly<
    Record<
      Label,
      {
        /** True if the variant accepts the sequence. */
        readonly isWellFormed: boolean;
        /** The faults, with offsets in bytes from the start of the input; empty if it is well-formed. */
        readonly faults: VariantFaults['faults'];
      }
    >
  >;
}

/**
 * Explains every sequence of an input.
 *
 * @param bytes - The input.
 * @returns An iterator of one explanation for each sequence, in order.
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
 * Explains one sequence.
 *
 * @param sequence - A sequence that {@link split} returned.
 * @returns The explanation.
 * @example
 * ```ts
 * import { explainSequence, split } from '@utf8/explain';
 *
 * const [pair] = split(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80));
 * explainSequence(pair!).character; // => '😀'
 * ```
 */
export function explainSequence(sequence: Sequence): Explanation {
  const { kind, offset, bytes, codePoint } = sequence;
  const { name, sections, summary } = rules[kind];
  const variants = listFaults(sequence).map(({ label, faults }) => {
    return [label, { isWellFormed: faults.length === 0, faults }] as const;
  });
  return {
    offset,
    length: bytes.length,
    bytes: formatBytes(bytes),
    bits: Array.from(bytes, formatBits).join(' '),
    codePoint: codePoint ?? null,
    character: codePoint === undefined ? null : showCharacter(codePoint) || null,
    kind,
    rule: name,
    isBroken: isBroken(kind),
    sections,
    summary: summary ?? null,
    variants: Object.fromEntries(variants) as Explanation['variants'],
  };
}

/** Formats a byte as its marker and its payload. */
function formatBits(byte: number): string {
  const bits = byte.toString(2).padStart(8, '0');
  const length = markerLength(byte);
  return [bits.slice(0, length), bits.slice(length)].filter(Boolean).join('|');
}
