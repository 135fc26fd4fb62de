/**
 * The plan of a grammar's WebAssembly kernel, and the facts that allow the platform's own codec. A kernel may
 * stop at characters that its grammar accepts; loops read those.
 */
import type { ByteRange, Grammar, Row, Unit } from '@utf8/core';
import { findFirstAscii, selectText, sliceRow } from '@utf8/core/internal';
import type { Facts } from '@utf8/core/parts';
import { type Form, LEAST, sortForms } from './forms.js';
import { deriveLookup, type Lookup } from './lookup.js';

/** What becomes of surrogates in three bytes. */
export type Surrogates =
  /** They are faults. */
  | 'forbidden'
  /** A high one and the low one after it are a character; alone they are faults. */
  | 'paired'
  /** Each is a code unit like any other. */
  | 'allowed'
  /** Each is a code point, but a high one and the low one after it are a fault. */
  | 'unpaired';

/** What a validator accepts. */
export interface ValidatorPlan {
  readonly surrogates: Surrogates;
  /** Whether there are forms of four bytes. */
  readonly four: boolean;
  /** Whether C0 80 is well-formed, though the tables mark it. */
  readonly pardonsNulInTwo: boolean;
  /** Whether 00 is a fault. */
  readonly refusesNul: boolean;
  readonly lookup: Lookup;
}

/** What a kernel is put together from. */
export interface KernelPlan {
  readonly validate: ValidatorPlan;
  /** What can become UTF-8 by changing pairs and U+0000 alone: a part of it, all of it, or no direct way. */
  readonly validateForUtf8: ValidatorPlan | 'all' | 'none';
  /**
   * The UTF-8 that can become this encoding by changing pairs and U+0000 alone; undefined if that is no
   * direct way: UTF-8 itself, or U+0000 alone, which is too rare for a kernel.
   */
  readonly validateUtf8: ValidatorPlan | undefined;
  /** How pairs of surrogates are written; undefined if they are not. */
  readonly writesPairs: 'four bytes' | 'six bytes' | undefined;
  /** Whether unpaired surrogates are written. */
  readonly writesSurrogates: boolean;
  /** Whether U+0000 is written as C0 80. */
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
  // Kernels know U+0000 that is written otherwise, and no more.
  if (firstAscii > 1)
    throw new RangeError(`A kernel needs ASCII from U+0001 on, and not ${firstAscii}.`);
  const four = spells(forms.read, 4, 0x10000, UNICODE);
  const hasSurrogates = spells(forms.read, 3, 0xd800, 0xdfff);
  const nulInTwo = spells(forms.read, 2, 0, 0);
  const nulInOne = spells(forms.read, 1, 0, 0);
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
  const writesFour = spells(forms.written, 4, 0x10000, UNICODE);
  const writesSix = forms.pair?.writes === true || (hasSurrogates && !writesFour);
  const writesNulInTwo = spells(forms.written, 2, 0, 0);
  const isUtf8 =
    four && surrogates === 'forbidden' && nulInOne && !nulInTwo && rows.every(isUnicode);
  return {
    validate,
    // A third validator is not worth its size for what has both forms of pairs.
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
    },
  };
}

/** The validator of UTF-8, or of what it has up to U+FFFF. */
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
  // Overlong forms in two bytes are all errors, or C0 80 is the only one that is none.
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

/** Tells whether a form spells all of some code points. */
function spells(forms: readonly Form[], length: number, first: number, last: number): boolean {
  const form = forms.find((form) => form.length === length);
  return form?.spans.some((span) => span.first <= first && last <= span.last) ?? false;
}

const isUnicode = ({ last }: Row): boolean => last <= UNICODE;

/** Tells whether a row has no overlong forms, except for U+0000. */
function isShortest({ first, last, units }: Row): boolean {
  const [unit, low] = units as [Unit, Unit?];
  if (low || last === 0) return true;
  return first >= (LEAST[unit.length] as number);
}
