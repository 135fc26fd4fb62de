/** Repairs of the texts of records, in any format. */
import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import {
  createRepairer,
  type Finding,
  type Repair,
  type Repairer,
  type StructuredValue,
} from '@utf8/repair';
import { findPolicy } from '../charset/policy.js';
import { contains } from '../charset/repertoire.js';
import type { Field, Format, Piece, ReaderState } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { BACKSLASH } from '../format/shared/ascii.js';
import { needsLook } from '../format/sql/look.js';
import { declaredOf } from '../load/hazard.js';
import type { RepairChoice } from '../pool/work.js';

/** Repairs of the fields of a piece that change or are rejected. */
export type Repairs = ReadonlyMap<Field, Repair>;

/** Repairer of the text of a field. */
type FieldRepairer = (...text: Parameters<Repairer>) => Repair;

/** Repairs the fields of pieces. */
export class RecordRepairer {
  readonly format: Format;
  readonly policies: RepairChoice;
  readonly from: Codec;
  readonly to: Codec;
  /** Tells whether nothing in bytes has to be repaired. */
  readonly isClean: Repairer['isClean'];
  /** Tells whether bytes may contain lengths of the text after them, such as those of PHP. */
  readonly mayHaveLengths: Repairer['mayHaveLengths'];
  readonly #repairer: Repairer;
  /** True if malformed bytes are decoded from the encoding that the dump declares. */
  readonly #decodesDeclared: boolean;
  readonly #declared = new Map<string, Repairer>();

  /** @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other. */
  constructor(format: Format, policies: RepairChoice) {
    this.format = format;
    this.policies = policies;
    this.from = codecFor(policies.from);
    this.to = codecFor(policies.to);
    this.#repairer = createRepairer({ ...policies, syntax: format });
    this.isClean = this.#repairer.isClean;
    this.mayHaveLengths = this.#repairer.mayHaveLengths;
    this.#decodesDeclared =
      format.sql?.options.fixesHeader === true && (policies.errors ?? 'fail') === 'fail';
  }

  /**
   * Tells whether whole units need not be read: nothing in them has to be repaired, and a server would store all of
   * their text as it is.
   */
  passes(bytes: Uint8Array, before: ReaderState, after: ReaderState): boolean {
    return (
      this.isClean(bytes) &&
      !this.format.hidesText?.(bytes, before) &&
      !needsLook(this.format, bytes, before, after)
    );
  }

  /**
   * Repairs the text of a field. If the piece would be read as something else without what a policy removes,
   * U+FFFD takes its place.
   */
  repair(bytes: Uint8Array, piece: Piece, field: Field): Repair {
    const text = bytes.subarray(field.start, field.end);
    const value = this.#describeValue(bytes, field, text, piece.table);
    const repairer = this.#decodesDeclared ? this.#findDeclared(piece, field) : this.#repairer;
    return repairer(text, {
      escapes: field.escapes,
      value,
      isSafe: (repair) =>
        !breaks(bytes, piece, field, repair) ||
        piece.layout?.enclose?.(bytes, field, repair.bytes) !== undefined,
    });
  }

  /** Finds the repairer of a field: if a server could have had its bytes in the encoding that is declared, that one. */
  #findDeclared(piece: Piece, field: Field): FieldRepairer {
    const all = this.#repairer;
    const charset = declaredOf(this.format, piece, field);
    const errors = charset === undefined ? undefined : findPolicy(charset);
    if (charset === undefined || errors === undefined) return all;
    const own =
      this.#declared.get(charset) ??
      createRepairer({ ...this.policies, errors, syntax: this.format });
    this.#declared.set(charset, own);
    const { was, charset: column = charset } = field.declared ?? {};
    return (...text) => {
      const repair = own(...text);
      const isPossible = repair.findings.every(
        ({ reason, becomes }) =>
          reason === undefined ||
          !becomes ||
          (contains(charset, becomes) && contains(was ?? column, becomes)),
      );
      return isPossible ? repair : all(...text);
    };
  }

  /** Describes a value in which a search by bytes is not enough. */
  #describeValue(
    bytes: Uint8Array,
    field: Field,
    text: Uint8Array,
    table: string | undefined,
  ): StructuredValue | undefined {
    const structure = field.structure ?? this.format.structureOf?.(field, table);
    if (field.isHex) return { syntaxes: [HEX], structure };
    // A length counts bytes of the value, not of its syntax.
    const isCounted = this.mayHaveLengths(text);
    // Only a backslash begins a code.
    if (!structure && !isCounted && !text.includes(BACKSLASH)) return undefined;
    const syntax = this.format.syntaxOf?.(bytes, field);
    const isNeeded = isCounted || (structure ?? syntax?.codes);
    return isNeeded ? { syntaxes: syntax ? [syntax] : [], structure } : undefined;
  }

  /**
   * Lists the fields of a piece that repairs make wrong though each is right by itself.
   *
   * @throws {@link FormatError} if names in a header become equal, unless the policy keeps equal keys.
   */
  findConflicts(bytes: Uint8Array, piece: Piece, repairs: Repairs): (readonly [Field, Finding])[] {
    if (repairs.size === 0) return [];
    if (piece.kind === 'header') this.#requireDistinctNames(bytes, piece, repairs);
    const keys = this.#findEqualKeys(bytes, piece, repairs);
    const lengths = piece.kind === 'record' ? this.#findSplitLengths(bytes, piece, repairs) : [];
    return [
      ...keys.map((field) => [field, describe(field, 'equal-json-keys')] as const),
      ...lengths.map((field) => [field, describe(field, 'inner-length', SHOWN)] as const),
    ];
  }

  /** Finds keys of JSON, read string by string, that become equal to an earlier one of their object. */
  #findEqualKeys(bytes: Uint8Array, { fields }: Piece, repairs: Repairs): Field[] {
    const isKey = ({ owner }: Field): boolean => owner !== undefined;
    if (![...repairs.keys()].some(isKey)) return [];
    const keys = fields.filter(isKey);
    const found = this.#repairer.findEqualKeys(
      keys.map((field) => this.#readName(bytes, field, field.owner as number, repairs)),
    );
    return found.map((i) => keys[i] as Field);
  }

  #requireDistinctNames(bytes: Uint8Array, { fields, line }: Piece, repairs: Repairs): void {
    const names = fields.map((field) => this.#readName(bytes, field, 0, repairs));
    const [second] = this.#repairer.findEqualKeys(names);
    if (second === undefined) return;
    const first = names.findIndex(
      ({ after }) => Buffer.compare(after, (names[second] as (typeof names)[0]).after) === 0,
    );
    throw new FormatError(
      `the repaired names of columns ${first + 1} and ${second + 1} are equal; rename one of them`,
      line,
    );
  }

  #readName(bytes: Uint8Array, field: Field, owner: number, repairs: Repairs) {
    const before = this.format.readValue(bytes, field);
    const repaired = repairs.get(field)?.bytes;
    const after = repaired ? this.format.readValue(bytes, field, repaired) : before;
    return { owner, before, after };
  }

  /**
   * Finds the first changed string of each value in which a length may become wrong that is in another of its
   * strings, such as `CONCAT('s:11:"Shop ', '😀";')`: none of the strings can be parsed alone.
   */
  #findSplitLengths(bytes: Uint8Array, { fields }: Piece, repairs: Repairs): Field[] {
    // The strings of one value of JSON are texts of their own.
    if (this.format.name.startsWith('json')) return [];
    const found: Field[] = [];
    for (let i = 0; i < fields.length; ) {
      const from = i;
      const { number } = fields[from] as Field;
      while (fields[i]?.number === number) i++;
      if (i - from < 2) continue;
      const strings = fields.slice(from, i);
      const changed = strings.find((field) => repairs.get(field)?.status === 'changed');
      const has = ({ start, end }: Field): boolean =>
        this.mayHaveLengths(bytes.subarray(start, end));
      if (changed && strings.some(has)) found.push(changed);
    }
    return found;
  }
}

const HEX = { isHex: true };

/** Tells whether a piece would be read as something else if a field became the result of a repair. */
function breaks(bytes: Uint8Array, piece: Piece, field: Field, repair: Repair): boolean {
  // An empty last line without a line feed is not a record.
  const isGone = repair.bytes.length === 0 && field.end - field.start === piece.end - piece.start;
  return isGone || (piece.layout?.breaks(bytes, piece, field, repair) ?? false);
}

/**
 * Returns the bytes to write for a field that a repair changes, in quotes if it needs them.
 *
 * @throws {@link FormatError} if they would be read as something else.
 */
export function writeField(
  bytes: Uint8Array,
  piece: Piece,
  field: Field,
  repair: Repair,
): Uint8Array {
  const { layout, line } = piece;
  if (!layout || !breaks(bytes, piece, field, repair)) return repair.bytes;
  const enclosed = layout.enclose?.(bytes, field, repair.bytes);
  if (enclosed) return enclosed;
  const { column, number } = field;
  const isValue = piece.kind === 'record' || piece.kind === 'header';
  const what = isValue ? `value of column ${column ?? number}` : 'text';
  throw new FormatError(`the repaired ${what} would ${layout.harm}`, line);
}

/** Bytes of a long string that are shown. */
const SHOWN = 16;

/** Refuses a field as a whole. */
const describe = (
  { start, end }: Field,
  kind: Finding['kind'],
  most: number = Number.POSITIVE_INFINITY,
): Finding => ({
  offset: 0,
  length: Math.min(end - start, most),
  kind,
  reason: undefined,
  becomes: undefined,
});
