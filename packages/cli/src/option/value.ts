/** Values of options, read from text. */
import { type Label, labelFor, labels, vendors } from '@utf8/detect';
import { guess } from './nearest.js';
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
  throw new UsageError(`${flag} ${text}: the end comes before the beginning`);
}

/** Reads names of columns, separated by commas. */
export function readNames(text: string, flag: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw refuse(flag, text, 'column names separated by commas, as in id,name');
}

/** Finds the label that an option names, in any case. */
export function findLabel(text: string, flag: string, vendor: string | undefined): Label {
  const label = resolve(text, vendor);
  if (label) return label;
  const known = labels.join(', ');
  const given = `${flag} ${JSON.stringify(text)}`;
  for (const vendor of vendors) {
    const meaning = resolve(text, vendor);
    if (!meaning) continue;
    const advice = `add --vendor ${vendor} for ${meaning}, or use one of ${known}`;
    throw new UsageError(`${given}: ambiguous; ${advice}`);
  }
  throw new UsageError(`${given}: unknown encoding${guess(text, labels)}; expected ${known}`);
}

function resolve(text: string, vendor: string | undefined): Label | undefined {
  try {
    return labelFor(text, { vendor });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_UTF8_LABEL') return undefined;
    throw error;
  }
}
