/**
 * The plan of a grammar's WebAssembly kernel, and the facts that allow the platform's own codec. A kernel may
 * stop at characters that its grammar accepts; loops read those.
 */
import type { ByteRange, Grammar, Row, Unit } from '@utf8/core';
import { findFirstAscii, selectText, sliceRow } from '@utf8/core/internal';
import type { Facts } from '@utf8/core/parts';
import { type Form, LEAST, sortForms } from './forms.js';
import { deriveLookup, type Lookup } from './lookup.js';

/** The treatment of surrogates in three bytes. */
export type Surrogates =
  /** They are faults. */
  | 'forbidden'
  /** A high surrogate and the low one after it are a character; unpaired surrogates are faults. */
  | 'paired'
  /** Each surrogate is a code unit like any other. */
  | 'allowed'
  /** Each surrogate is a code point, but a high one and the low one after it are a fault. */
  | 'unpaired';

/** The sequences that a validator accepts. */
export interface ValidatorPlan {
  readonly surrogates: Surrogates;
  /** True if there are sequences of four bytes. */
  readonly four: boolean;
  /** True if C0 80 is well-formed, although the tables mark it. */
  readonly pardonsNulInTwo: boolean;
  /** True if 00 is a fault. */
  readonly refusesNul: boolean;
  readonly lookup: Lookup;
}

/** The parts of a kernel. */
export interface KernelPlan {
  readonly validate: ValidatorPlan;
  /** The sequences that become UTF-8 if pairs and U+0000 are changed: some, all, or none. */
  readonly validateForUtf8: ValidatorPlan | 'all' | 'none';
  /**
   * The UTF-8 that becomes this encoding if pairs and U+0000 are changed. Undefined for encodings that write
   * pairs as UTF-8 does: U+0000 alone is too rare for a kernel.
   */
  readonly validateUtf8: ValidatorPlan | undefined;
  /** The length of surrogate pairs that are written; undefined if pairs are not written. */
  readonly writesPairs: 'four bytes' | 'six bytes' | undefined;
  /** True if unpaired surrogates are written. */
  readonly writesSurrogates: boolean;
  /** True if U+0000 is written as C0 80. */
  readonly writesNulInTwo: boolean;
  readonly facts: Facts;
}

const UNICODE = 0x10ffff;

/** Derives the plan of a grammar. */
export function planKernel(grammar: Grammar): KernelPlan {
  // Kernels leave surrogates that are numbers to the loops.
  const { rows, ...rest } = selectText(grammar);
  const forms = sortForms({ rows, ...rest });
  const firstAscii = findFirstAscii(rows);
  // Kernels support only U+0000 in a sequence that differs from ASCII.
  if (firstAscii > 1)
    throw new RangeError(`A kernel needs ASCII from U+0001 on, and not ${firstAscii}.`);
  const four = contains(forms.read, 4, 0x10000, UNICODE);
  const hasSurrogates = contains(forms.read, 3, 0xd800, 0xdfff);
  const nulInTwo = contains(forms.read, 2, 0, 0);
  const nulInOne = contains(forms.read, 1, 0, 0);
  const surrogates: Surrogates = hasSurrogates
    ? forms.refused
      ? 'unpaired'
      : 'allowed'
    : forms.pair
      ? 'paired'
      : 'forbidden';
  const validate = planValidator(rows, surrogates, four);
  const pairs = hasSurrogates && !forms.refused ? 'paired' : surrogates;
  const forUtf8 = planValidator(
    rows.filter(isShortest),
    pairs === 'unpaired' ? 'forbidden' : pairs,
    four,
  );
  const isAll = JSON.stringify(forUtf8) === JSON.stringify(validate);
  const writesFour = contains(forms.written, 4, 0x10000, UNICODE);
  const writesSix = forms.pair?.writes === true || (hasSurrogates && !writesFour);
  const writesNulInTwo = contains(forms.written, 2, 0, 0);
  const isUtf8 =
    four && surrogates === 'forbidden' && nulInOne && !nulInTwo && rows.every(isUnicode);
  return {
    validate,
    // A third validator is not worth its size for encodings with pairs in both four and six bytes.
    validateForUtf8: four && surrogates === 'allowed' ? 'none' : isAll ? 'all' : forUtf8,
    validateUtf8: writesFour ? undefined : planUtf8(writesSix),
    writesPairs: writesFour ? 'four bytes' : writesSix ? 'six bytes' : undefined,
    writesSurrogates: hasSurrogates,
    writesNulInTwo,
    facts: {
      firstAscii,
      isUtf8: isUtf8 && rows.every(isShortest),
      readsUtf8: four && firstAscii === 0,
      writesUtf8: writesFour && firstAscii === 0,
      convertsUtf8: writesSix && !writesFour,
    },
  };
}

/** Plans the validator of UTF-8, or of UTF-8 up to U+FFFF. */
function planUtf8(four: boolean): ValidatorPlan {
  const bytes = (...edges: number[]): Unit =>
    edges.flatMap((first, i) => (i % 2 === 0 ? [{ first, last: edges[i + 1] as number }] : []));
  const units = [
    bytes(0, 0x7f),
    bytes(0xc2, 0xdf, 0x80, 0xbf),
    bytes(0xe0, 0xe0, 0xa0, 0xbf, 0x80, 0xbf),
    bytes(0xe1, 0xec, 0x80, 0xbf, 0x80, 0xbf),
    bytes(0xed, 0xed, 0x80, 0x9f, 0x80, 0xbf),
    bytes(0xee, 0xef, 0x80, 0xbf, 0x80, 0xbf),
    bytes(0xf0, 0xf0, 0x90, 0xbf, 0x80, 0xbf, 0x80, 0xbf),
    bytes(0xf1, 0xf3, 0x80, 0xbf, 0x80, 0xbf, 0x80, 0xbf),
    bytes(0xf4, 0xf4, 0x80, 0x8f, 0x80, 0xbf, 0x80, 0xbf),
  ].slice(0, four ? undefined : 6);
  const lookup = deriveLookup(units, { marksSurrogates: true, marksNul: false });
  return {
    surrogates: 'forbidden',
    four,
    pardonsNulInTwo: false,
    refusesNul: false,
    lookup,
  };
}

function planValidator(rows: readonly Row[], surrogates: Surrogates, four: boolean): ValidatorPlan {
  const units = rows
    .flatMap((row) => sliceRow(row, 0, UNICODE))
    .flatMap((row) => row.units)
    .filter((unit) => unit.length <= 4);
  // Overlong sequences of two bytes are errors, except C0 80 in some encodings.
  const begins = (byte: number): boolean =>
    units.some(([lead]) => {
      const { first, last } = lead as ByteRange;
      return first <= byte && byte <= last;
    });
  const pardonsNulInTwo = begins(0xc0) && !begins(0xc1);
  const lookup = deriveLookup(units, {
    marksSurrogates: surrogates !== 'allowed',
    marksNul: pardonsNulInTwo,
  });
  return { surrogates, four, pardonsNulInTwo, refusesNul: !begins(0), lookup };
}

/** Tells whether a form contains all code points of a range. */
function contains(forms: readonly Form[], length: number, first: number, last: number): boolean {
  const form = forms.find((form) => form.length === length);
  return form?.spans.some((span) => span.first <= first && last <= span.last) ?? false;
}

const isUnicode = ({ last }: Row): boolean => last <= UNICODE;

/** Tells whether a row contains only shortest forms; U+0000 is exempt. */
function isShortest({ first, last, units }: Row): boolean {
  const [unit, low] = units as [Unit, Unit?];
  if (low || last === 0) return true;
  return first >= (LEAST[unit.length] as number);
}
