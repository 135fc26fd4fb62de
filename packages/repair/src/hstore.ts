/**
 * PostgreSQL's hstore.
 *
 * @see https://www.postgresql.org/docs/current/hstore.html, "hstore External Representation"
 */
import { BLANKS, findQuote, findStop, isNull, type Part, passBlanks } from './part.js';
import type { Syntax } from './syntax.js';

const quoted: Syntax = { escaper: 0x5c, escaped: '"' };
const unquoted: Syntax = { escaper: 0x5c, escaped: `=>,"${BLANKS}` };

const needsQuotes = (text: Uint8Array): boolean => text.length === 0 || isNull(text);

/**
 * Splits an hstore into its keys and its values that are not NULL.
 *
 * @returns Undefined if it is malformed, or if text without quotes contains `=`, `>` or a quote.
 */
export function splitHstore(bytes: Uint8Array): Part[] | undefined {
  const parts: Part[] = [];
  let i = passBlanks(bytes, 0);
  /** Passes a key or a value. */
  const pass = (owner: number | undefined): boolean => {
    i = passBlanks(bytes, i);
    const start = i;
    if (bytes[i] === 0x22) {
      const end = findQuote(bytes, i + 1);
      if (end === -1) return false;
      parts.push({ start: start + 1, end, syntax: quoted, owner });
      i = passBlanks(bytes, end + 1);
      return true;
    }
    const end = findStop(bytes, i, `=>,"${BLANKS}`);
    if (end === start) return false;
    const isValue = owner === undefined;
    if (!isValue || !isNull(bytes, start, end)) {
      parts.push({ start, end, syntax: unquoted, owner, needsQuotes });
    }
    i = passBlanks(bytes, end);
    return true;
  };
  while (i < bytes.length) {
    if (!pass(0) || bytes[i] !== 0x3d || bytes[i + 1] !== 0x3e) return undefined;
    i += 2;
    if (!pass(undefined)) return undefined;
    if (i === bytes.length) return parts;
    if (bytes[i] !== 0x2c) return undefined;
    i = passBlanks(bytes, i + 1);
  }
  return parts;
}
