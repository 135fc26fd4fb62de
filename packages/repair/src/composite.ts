/**
 * PostgreSQL's composite values.
 *
 * @see https://www.postgresql.org/docs/current/rowtypes.html, "Composite Type Input and Output Syntax"
 */
import { findStop, type Part, passBlanks } from './part.js';
import type { Structure } from './structure.js';
import type { Syntax } from './syntax.js';

const quoted: Syntax = { escaper: 0x5c, quote: 0x22 };
const unquoted: Syntax = { escaper: 0x5c, escaped: ',()"' };

const needsQuotes = (text: Uint8Array): boolean => text.length === 0;

/**
 * Splits a composite value into its fields that are not NULL.
 *
 * @param of - The structure of each field; none for fields of any number without one.
 * @returns Undefined if it is malformed, if a field has quotes in its middle, which PostgreSQL reads but
 *   never writes, or if it has another number of fields.
 */
export function splitComposite(
  bytes: Uint8Array,
  of: readonly (Structure | null)[],
): Part[] | undefined {
  const parts: Part[] = [];
  let i = passBlanks(bytes, 0);
  if (bytes[i] !== 0x28) return undefined;
  let count = 0;
  do {
    i++;
    const structure = of[count++] ?? undefined;
    let end: number;
    if (bytes[i] === 0x22) {
      end = findEnd(bytes, i + 1);
      if (end === -1) return undefined;
      parts.push({ start: i + 1, end: end++, syntax: quoted, structure });
    } else {
      end = findStop(bytes, i, ',()"');
      if (end > i) parts.push({ start: i, end, syntax: unquoted, structure, needsQuotes });
    }
    i = end;
  } while (bytes[i] === 0x2c);
  if (bytes[i] !== 0x29 || (of.length > 0 && count !== of.length)) return undefined;
  return passBlanks(bytes, i + 1) === bytes.length ? parts : undefined;
}

/** Returns the index of the quote that ends a field, in which quotes are doubled; -1 if there is none. */
function findEnd(bytes: Uint8Array, start: number): number {
  for (let i = start; i < bytes.length; i++) {
    if (bytes[i] === 0x5c) i++;
    else if (bytes[i] === 0x22 && bytes[++i] !== 0x22) return i - 1;
  }
  return -1;
}
