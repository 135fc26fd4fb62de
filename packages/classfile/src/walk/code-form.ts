/** The two forms of the attribute `Code`. */
import type { Pool } from '../pool/pool.js';
import { readU2 } from '../pool/reader.js';
import { Tag } from '../pool/tag.js';

/** The form before version 45.3, where `max_stack` and `max_locals` have one byte, and the length of the code has two. */
const SHORT = 1;
const LONG = 2;

/** Bytes of `max_stack`, and of `max_locals`; the length of the code has twice as many. */
export type CodeForm = typeof SHORT | typeof LONG;

/**
 * Finds the form of an attribute `Code`. Before version 45.3 it is short, unless its bytes fit only the long
 * form, as the HotSpot of JDK 17 reads every version.
 *
 * @param start - The offset of the attribute's content, in bytes from the start of the file.
 * @param end - The offset of the end of the attribute.
 */
export function findCodeForm(pool: Pool, start: number, end: number): CodeForm {
  if (pool.majorVersion > 45 || pool.minorVersion > 2) return LONG;
  return fits(pool, start, end, LONG) ? LONG : SHORT;
}

/** Reads the length of the code, in bytes. */
export function readCodeLength({ bytes }: Pool, start: number, form: CodeForm): number {
  const at = start + 2 * form;
  if (form === SHORT) return readU2(bytes, at);
  return readU2(bytes, at) * 0x10000 + readU2(bytes, at + 2);
}

/** Tells whether code, exception table and attributes of a form end where the attribute does. */
function fits(pool: Pool, start: number, end: number, form: CodeForm): boolean {
  const { bytes, tags } = pool;
  let at = start + 4 * form;
  if (at + 4 > end) return false;
  at += readCodeLength(pool, start, form);
  if (at + 4 > end) return false;
  at += 2 + 8 * readU2(bytes, at);
  if (at + 2 > end) return false;
  let left = readU2(bytes, at);
  for (at += 2; left > 0 && at + 6 <= end; left--) {
    if (tags[readU2(bytes, at)] !== Tag.Utf8) return false;
    at += 6 + readU2(bytes, at + 2) * 0x10000 + readU2(bytes, at + 4);
  }
  return left === 0 && at === end;
}
