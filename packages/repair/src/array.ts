/**
 * PostgreSQL's arrays.
 *
 * @see https://www.postgresql.org/docs/current/arrays.html, "Array Input and Output Syntax"
 */
import {
  BLANKS,
  findQuote,
  findStop,
  hasBlankEdge,
  isNull,
  type Part,
  passBlanks,
} from './part.js';
import type { Structure } from './structure.js';
import { latinOf, type Syntax } from './syntax.js';

const quoted: Syntax = { escaper: 0x5c, escaped: '"' };
const unquoted: Syntax = { escaper: 0x5c, escaped: `{},"${BLANKS}` };

const needsQuotes = (text: Uint8Array): boolean =>
  text.length === 0 || isNull(text) || hasBlankEdge(text);

/** Dimensions such as `[0:1][1:2]=`, which may precede an array. */
const DIMENSIONS = /^(?:\s*\[\s*[-+]?\d+\s*(?::\s*[-+]?\d+\s*)?\])+\s*=/;

/**
 * Splits an array into its elements that are not NULL.
 *
 * @returns Undefined if it is malformed.
 */
export function splitArray(bytes: Uint8Array, of: Structure | undefined): Part[] | undefined {
  const parts: Part[] = [];
  let i = passBlanks(bytes, 0);
  if (bytes[i] === 0x5b) {
    const dimensions = DIMENSIONS.exec(latinOf(bytes.subarray(0, 1000)))?.[0];
    if (!dimensions) return undefined;
    i = passBlanks(bytes, dimensions.length);
  }
  if (bytes[i] !== 0x7b) return undefined;
  let depth = 0;
  // True while an element or an inner array may begin, and while the array may end.
  let isStart = true;
  let mayEnd = true;
  do {
    i = passBlanks(bytes, i);
    const byte = bytes[i];
    if (byte === 0x7b && isStart) {
      depth++;
      i++;
      mayEnd = true;
    } else if (byte === 0x7d && mayEnd) {
      depth--;
      i++;
      isStart = false;
      mayEnd = true;
    } else if (byte === 0x2c && !isStart) {
      i++;
      isStart = true;
      mayEnd = false;
    } else if (byte === 0x22 && isStart) {
      const end = findQuote(bytes, i + 1);
      if (end === -1) return undefined;
      parts.push({ start: i + 1, end, syntax: quoted, structure: of });
      i = end + 1;
      isStart = false;
      mayEnd = true;
    } else {
      const stop = findStop(bytes, i, '{},"');
      const last = bytes[stop];
      if (!isStart || stop === i || (last !== 0x2c && last !== 0x7d)) return undefined;
      const end = trimEnd(bytes, i, stop);
      if (!isNull(bytes, i, end)) {
        parts.push({ start: i, end, syntax: unquoted, structure: of, needsQuotes });
      }
      i = stop;
      isStart = false;
      mayEnd = true;
    }
  } while (depth > 0);
  return passBlanks(bytes, i) === bytes.length ? parts : undefined;
}

/** Returns the index before white space that no backslash escapes. */
function trimEnd(bytes: Uint8Array, start: number, stop: number): number {
  let end = start;
  for (let i = start; i < stop; i++) {
    if (bytes[i] === 0x5c) end = ++i + 1;
    else if (!BLANKS.includes(String.fromCharCode(bytes[i] as number))) end = i + 1;
  }
  return end;
}
