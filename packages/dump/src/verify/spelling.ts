/** Values that two programs spell differently and that mean the same. */
import { viewOf } from '../format/shared/ascii.js';
import { decodeHex, isHexForm } from './cell.js';
import { normalizeJson } from './json-cells.js';

/** Bytes of the longest value that is looked into, except JSON and blobs. */
const LONGEST = 100;

/** Without leading zeros and `+`, which matter in codes and telephone numbers. */
const NUMBER = /^(-?)(0|[1-9]\d*|)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

const TIME = /^(\d{4,}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/;

const TRUE: ReadonlySet<string> = new Set(['t', 'true', '1', '\x01']);
const FALSE: ReadonlySet<string> = new Set(['f', 'false', '0', '\0']);

/**
 * Tells in which way two values that differ mean the same; undefined if they do not.
 *
 * - `number`: equal as decimal numbers: `1.0`, `1.00`, `1e0`. Leading zeros and `+` count.
 * - `boolean`: `t`, `true`, `1`, the byte 01; `f`, `false`, `0`, the byte 00.
 * - `time`: a date and a time that differ in `T`, trailing zeros of the fraction, `Z` and `+00`.
 * - `JSON`: objects and arrays that differ in blanks, the order of keys and escapes.
 * - `blob`: PostgreSQL's `\x…` and the bytes that it stands for.
 * - `padding`: one is followed by spaces, as `char(n)` adds them.
 */
export function findSpelling(one: Uint8Array, other: Uint8Array): string | undefined {
  if (isHexOf(one, other) || isHexOf(other, one)) return 'blob';
  if (isPadded(one, other) || isPadded(other, one)) return 'padding';
  if (one.length <= LONGEST && other.length <= LONGEST) {
    const [a, b] = [one, other].map((bytes) => viewOf(bytes).toString('latin1')) as [
      string,
      string,
    ];
    if (areBoth(TRUE, a, b) || areBoth(FALSE, a, b)) return 'boolean';
    if (isSame(normalizeNumber(a), normalizeNumber(b))) return 'number';
    if (isSame(normalizeTime(a), normalizeTime(b))) return 'time';
  }
  return isSame(normalizeJson(one), normalizeJson(other)) ? 'JSON' : undefined;
}

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one === other;

const areBoth = (words: ReadonlySet<string>, one: string, other: string): boolean =>
  words.has(one.toLowerCase()) && words.has(other.toLowerCase());

const isHexOf = (text: Uint8Array, bytes: Uint8Array): boolean =>
  text.length === 2 + 2 * bytes.length &&
  isHexForm(text) &&
  decodeHex(text, 2, text.length).equals(bytes);

function isPadded(value: Uint8Array, longer: Uint8Array): boolean {
  if (longer.length <= value.length) return false;
  for (let i = value.length; i < longer.length; i++) if (longer[i] !== 0x20) return false;
  return viewOf(longer).compare(value, 0, value.length, 0, value.length) === 0;
}

function normalizeNumber(text: string): string | undefined {
  const [all, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (!all || whole + fraction === '') return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

function normalizeTime(text: string): string | undefined {
  const [all, date, time, fraction = '', zone = ''] = TIME.exec(text) ?? [];
  if (!all) return undefined;
  const offset = zone === 'Z' ? '+0000' : zone.replace(':', '').padEnd(zone === '' ? 0 : 5, '0');
  return `${date} ${time}.${fraction.replace(/(?<!0)0+$/, '')}${offset}`;
}
