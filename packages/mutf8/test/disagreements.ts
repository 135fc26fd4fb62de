/**
 * Differences between the npm package mutf-8 and `@utf8/mutf8/compat`, each with the rule that decides. The
 * test fails if they differ in any other respect, and if one of these differences no longer occurs.
 */
import * as core from '@utf8/core';
import * as dataInput from '@utf8/mutf8/data-input';

export interface Disagreement {
  readonly they: string;
  readonly we: string;
  /** The rule that decides. */
  readonly standard: string;
  /** Rows of our grammar that they refuse. */
  readonly refuses?: readonly string[];
  /** Number of U+FFFD that they write for an error of some bytes. */
  readonly replacements?: (length: number) => number;
  /** Their default handling of a byte order mark. */
  readonly bom?: 'strip';
  /** Bytes that show it, in chunks. */
  readonly example: readonly string[];
  readonly theirs: string | RangeErrorConstructor;
  readonly ours: string;
}

export const disagreements: readonly Disagreement[] = [
  {
    they: 'refuse a raw 00',
    we: 'accept it, as Java does',
    standard: 'java.io.DataInput, readUTF: 0xxxxxxx is one byte, whatever its bits',
    refuses: ['U+0000 <= 00'],
    example: ['41 00'],
    theirs: 'A\ufffd',
    ours: 'A\0',
  },
  {
    they: 'write a U+FFFD for each byte of a sequence that is cut short',
    we: 'write one for all of it',
    standard: 'Unicode 16.0, section 3.9, D93b; WHATWG Encoding, UTF-8 decoder',
    replacements: (length) => length,
    example: ['E4 B8 41'],
    theirs: '\ufffd\ufffdA',
    ours: '\ufffdA',
  },
  {
    they: 'drop U+FEFF at the start unless ignoreBOM is true, against their own documentation',
    we: 'keep it unless ignoreBOM is false',
    standard: 'JVMS, section 4.4.7: EF BB BF is a code unit like any other; readUTF returns it',
    bom: 'strip',
    example: ['EF BB BF 41'],
    theirs: 'A',
    ours: '\ufeffA',
  },
  {
    they: 'drop it at the start of every chunk of a stream',
    we: 'keep it; under ignoreBOM: false we drop it at the start of the stream alone',
    standard: 'WHATWG Encoding, section 7.1: the BOM seen flag is of the stream',
    example: ['41', 'EF BB BF 42'],
    theirs: 'AB',
    ours: 'A\ufeffB',
  },
  {
    they: 'overflow the stack at some hundred thousand code units, as each is an argument of a call',
    we: 'decode what a string can hold',
    standard: 'ECMAScript 2025, section 6.1.4: a string has up to 2⁵³ − 1 elements',
    example: ['41 '.repeat(500_000)],
    theirs: RangeError,
    ours: 'A'.repeat(500_000),
  },
];

const refused = disagreements.flatMap(({ refuses = [] }) => refuses);
const rows = dataInput.grammar.rows.map(core.formatRow).filter((row) => !refused.includes(row));
const grammar = core.defineGrammar(dataInput.grammar.domain, rows.join('\n'));
const codec = core.createCodec('mutf-8', grammar);

/** Predicts the text that they decode from bytes in one piece; undefined if `fatal` makes them throw. */
export function predict(bytes: Uint8Array, fatal: boolean, ignoreBOM: boolean): string | undefined {
  if (fatal && !codec.isValid(bytes)) return undefined;
  const replacements = disagreements.find((entry) => entry.replacements)?.replacements;
  return codec.decode(bytes, {
    errors: ({ length }) => '\ufffd'.repeat(replacements?.(length) ?? 1),
    bom: ignoreBOM ? 'keep' : disagreements.find((entry) => entry.bom)?.bom,
  });
}
