/** Values of options, read from text. */
import { type Label, LabelError, labelFor, labels, vendors } from '@utf8/detect';
import { UsageError } from './usage-error.js';

/** Bytes `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const refuse = (flag: string, text: string, expected: string): UsageError =>
  new UsageError(`${flag} ${JSON.stringify(text)}: expected ${expected}`);

/** Makes a parser of whole numbers from 1 to a limit. */
export function wholeNumber(most?: number): (text: string, flag: string) => number {
  return (text, flag) => {
    const number = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
    if (number > 0 && number <= (most ?? Number.MAX_SAFE_INTEGER)) return number;
    throw refuse(flag, text, `a whole number${most ? ` from 1 to ${most}` : ', 1 or more'}`);
  };
}

/** Reads `A-B` or `A-`. */
export function readRange(text: string, flag: string): Range {
  const [, from, to] = /^(\d{1,15})-(\d{0,15})$/.exec(text) ?? [];
  if (from === undefined) throw refuse(flag, text, 'byte offsets, as in 0-1048576 or 1048576-');
  const range = { from: Number(from), to: to ? Number(to) : Number.POSITIVE_INFINITY };
  if (range.from <= range.to) return range;
  throw new UsageError(`${flag} ${text}: the end is before the start`);
}

/** Reads names of columns, separated by commas. */
export function readNames(text: string, flag: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw refuse(flag, text, 'column names separated by commas, as in id,name');
}

/** Finds the label of an encoding by any of its names, in any case. */
export function findLabel(text: string, flag: string, vendor: string | undefined): Label {
  const label = resolve(text, vendor);
  if (!(label instanceof LabelError)) return label;
  const known = labels.join(', ');
  const given = `${flag} ${JSON.stringify(text)}`;
  const meanings = vendors.flatMap((vendor) => {
    const meaning = resolve(text, vendor);
    return meaning instanceof LabelError ? [] : [`--vendor ${vendor} for ${meaning}`];
  });
  if (meanings.length > 0) {
    const advice = `add ${meanings.join(' or ')}, or use one of ${known}`;
    throw new UsageError(`${given}: unknown without a vendor; ${advice}`);
  }
  const { suggestion } = label;
  const guess = suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`;
  throw new UsageError(`${given}: unknown encoding${guess}; expected ${known}`);
}

function resolve(text: string, vendor: string | undefined): Label | LabelError {
  try {
    return labelFor(text, { vendor });
  } catch (error) {
    if (error instanceof LabelError) return error;
    throw error;
  }
}
