/** Text between the strings of a tuple of SQL. */

/** Words that only tell how the string after them is written. */
const PREFIX = /^(?:[XxBbEeNn]|[Uu]&|_[a-z0-9]+)$/;

/** A type after a value of PostgreSQL. */
const CAST = /^::[\w ."[\]]+(?:\(\d+(?:,\d+)?\))?/;

/**
 * Tells whether the bytes between two fields, or around one, compute something: `UPPER('a')`,
 * `'a' || 'b'`. Commas, the parentheses of tuples and quotes compute nothing.
 *
 * @param isAfter - Whether the range follows the last field of a value.
 */
export function isExpression(
  bytes: Uint8Array,
  start: number,
  end: number,
  isAfter = false,
): boolean {
  let isPlain = true;
  for (let i = start; i < end && isPlain; i++) isPlain = plain[bytes[i] as number] === 1;
  if (isPlain) return false;
  const text = Buffer.from(bytes.subarray(start, end))
    .toString('latin1')
    .replace(/\/\*.*?\*\//gs, ' ');
  if (isAfter) {
    // Text after a comma belongs to the next value.
    const rest = text.replace(/^\s*["'$]?\s*/, '').replace(CAST, '');
    return !/^[\s)]*(?:,|$)/.test(rest);
  }
  // The end of the field before it, separators, and perhaps a prefix.
  const before = text.replace(/^(?:.*,)?[\s(]*/s, '').replace(/(?<![\s'"])[\s'"]+$/, '');
  return !(before === '' || /^\$\w*\$?$/.test(before) || PREFIX.test(before));
}

const plain = new Uint8Array(0x100);
for (const character of ' \t\r\n,()\'"') plain[character.charCodeAt(0)] = 1;
