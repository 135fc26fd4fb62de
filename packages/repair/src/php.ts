/**
 * PHP's serialization format, which counts the bytes of each text, and the session format made of it.
 *
 * @see https://www.php.net/manual/en/function.serialize.php
 * @see https://github.com/php/php-src/blob/master/ext/standard/var_unserializer.re, for the tokens
 * @see https://www.php.net/manual/en/session.configuration.php#ini.session.serialize-handler, `php`
 */
import { latinOf } from './syntax.js';

/** A length in a serialized value, and the text that it counts. All indices are in bytes. */
export interface CountedText {
  /** Start of `s:16:`, or of `:37:`, which counts the data of a `C:`. */
  readonly prefix: number;
  /** Start and end of the digits. A colon follows. */
  readonly digits: number;
  readonly digitsEnd: number;
  readonly count: number;
  /** Start and end of the text, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** True if `\e9` in it stands for one byte. */
  readonly isEscaped: boolean;
}

const BACKSLASH = 0x5c;

/** Values without text. `r` and `R` refer to an earlier value. */
const SCALAR =
  /N;|b:[01];|i:[+-]?\d+;|[rR]:\d+;|d:(?:NAN|-?INF|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?);/y;

/**
 * An array, a text, or the name of a class or of the case of an enum. A length of more digits than that of a file is
 * not one.
 */
const HEAD = /a:(\d{1,15}):\{|([sSOCE]):(\d{1,15}):"/y;

/** After the name of a class: the number of properties, or the bytes that the class itself has written. */
const BODY = /":(\d{1,15}):\{/y;

/** The only keys are numbers and texts. */
const KEY = /[isS]:/y;

/** WordPress trims a value before it unserializes it, and PHP ignores bytes after it. */
const BLANKS = /[\s\0]*/y;

/**
 * Parses a serialized value, or a session, from its first to its last byte. Objects of any class pass.
 *
 * @returns The lengths and their texts in order; undefined if `unserialize` would refuse the bytes.
 */
export function parseSerialized(bytes: Uint8Array): CountedText[] | undefined {
  const latin = latinOf(bytes);
  const found: CountedText[] = [];
  const start = matchAt(BLANKS, latin, 0)?.[0].length ?? 0;
  const isWhole = (end: number): boolean =>
    end !== -1 && end + (matchAt(BLANKS, latin, end)?.[0].length ?? 0) === latin.length;
  if (isWhole(passValue(latin, start, found))) return found;
  found.length = 0;
  return isWhole(passSession(latin, start, found)) ? found : undefined;
}

/** Passes `key|value` any number of times. Returns the index after them; -1 if they are malformed. */
function passSession(latin: string, start: number, found: CountedText[]): number {
  let i = start;
  while (i < latin.length) {
    const bar = latin.indexOf('|', i);
    if (bar <= i) return i > start && bar === -1 ? i : -1;
    i = passValue(latin, bar + 1, found);
    if (i === -1) return -1;
  }
  return i > start ? i : -1;
}

/** Passes one value, in a loop: values may be nested deeper than calls. Returns the index after it, or -1. */
function passValue(latin: string, start: number, found: CountedText[]): number {
  /** For each open array or object, how many keys and values are still to come. */
  const open: number[] = [];
  let i = start;
  do {
    const left = open.at(-1) ?? 1;
    if (open.length > 0) {
      if (left === 0) {
        if (latin[i] !== '}') return -1;
        i++;
        open.pop();
        continue;
      }
      if (left % 2 === 0 && !matchAt(KEY, latin, i)) return -1;
      open[open.length - 1] = left - 1;
    }
    const scalar = matchAt(SCALAR, latin, i);
    if (scalar) {
      i += scalar[0].length;
      continue;
    }
    const head = matchAt(HEAD, latin, i);
    if (!head) return -1;
    const [{ length }, elements, type, count] = head;
    if (elements !== undefined) {
      i += length;
      open.push(2 * Number(elements));
      continue;
    }
    const text = readText(latin, i, i + 2, count as string, i + length, type === 'S');
    if (!text) return -1;
    found.push(text);
    i = text.end;
    if (type !== 'O' && type !== 'C') {
      if (!latin.startsWith('";', i)) return -1;
      i += 2;
      continue;
    }
    const body = matchAt(BODY, latin, i);
    if (!body || text.count === 0) return -1;
    const [all, number = ''] = body;
    if (type === 'O') {
      i += all.length;
      open.push(2 * Number(number));
      continue;
    }
    const data = readText(latin, i + 1, i + 2, number, i + all.length, false);
    if (!data || latin[data.end] !== '}') return -1;
    found.push(data);
    i = data.end + 1;
  } while (open.length > 0);
  return i;
}

function readText(
  latin: string,
  prefix: number,
  digits: number,
  count: string,
  start: number,
  isEscaped: boolean,
): CountedText | undefined {
  const length = Number(count);
  const end = isEscaped ? skipEscaped(latin, start, length) : start + length;
  if (end > latin.length) return undefined;
  const digitsEnd = digits + count.length;
  return { prefix, digits, digitsEnd, count: length, start, end, isEscaped };
}

/** Returns the index after a number of bytes, some of them escaped; more than the length if bytes are missing. */
function skipEscaped(latin: string, start: number, count: number): number {
  let i = start;
  for (let left = count; left > 0; left--) {
    if (i >= latin.length) return Number.POSITIVE_INFINITY;
    if (latin.charCodeAt(i) !== BACKSLASH) i++;
    else if (/^[\da-fA-F]{2}$/.test(latin.slice(i + 1, i + 3))) i += 3;
    else return Number.POSITIVE_INFINITY;
  }
  return i;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
