/** A string of a class file as a line of text or of JSON. */
import type { ClassString } from '@utf8/classfile';
import { type Fault, formatBytes } from '@utf8/core';
import * as lenient from '@utf8/mutf8/data-input';
import { escapeText } from './escape.js';

/** A class file, and where it was found. The names are those of the JSON objects. */
export interface Found {
  readonly file: string;
  /** Its path in the archive that the file is; null where the file is the class. */
  readonly entry: string | null;
  readonly bytes: Uint8Array;
}

/** What stands before the `#` of a place. */
export const formatFound = ({ file, entry }: Found): string =>
  escapeText(entry === null ? file : `${file}!/${entry}`);

/** `demo.jar!/x/Main.class#12@345`: the index of a string in the pool, and where its bytes begin. */
export const formatPlace = (found: string, { index, offset }: ClassString): string =>
  `${found}#${index}@${offset}`;

/**
 * The place of a string, its kinds and the string, with a tab between them, which none of them has.
 *
 * @param found - What {@link formatFound} gives.
 * @param faults - Those of the string.
 */
export function formatLine(found: string, string: ClassString, faults: readonly Fault[]): string {
  const text = faults.length > 0 ? escapeFaulty(string, faults) : escapeText(string.string);
  return `${formatPlace(found, string)}\t${string.kinds.join()}\t${text}\n`;
}

/** A malformed string: `\xHH` stands for each byte of it that is no character. */
function escapeFaulty({ bytes, offset: start }: ClassString, faults: readonly Fault[]): string {
  let text = '';
  let end = 0;
  for (const { offset, length } of faults) {
    const from = offset - start;
    text += escapeBytes(bytes.subarray(end, from));
    end = from + length;
    text += formatBytes(bytes.subarray(from, end))
      .replace(/\b(?=\w)/g, '\\x')
      .replaceAll(' ', '');
  }
  return text + escapeBytes(bytes.subarray(end));
}

/** What is between faults is well-formed in the version of the class, and so in the widest form. */
const escapeBytes = (bytes: Uint8Array): string => escapeText(lenient.decode(bytes));

/** The same as an object, with the same keys in each; `null` is what there is none of. */
export function formatObject({ file, entry }: Found, string: ClassString): string {
  const { index, offset, kinds, bytes, fault } = string;
  return `${JSON.stringify({
    file,
    entry,
    index,
    offset,
    kinds,
    bytes: formatMany(bytes),
    string: string.string,
    fault: fault ? { offset: fault.offset, length: fault.length, reason: fault.reason } : null,
  })}\n`;
}

const pairs = Array.from({ length: 256 }, (_, byte) => ` ${formatBytes([byte])}`);

/** What `formatBytes` gives, in a quarter of the time: here it is done to every byte (Node 20). */
function formatMany(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += pairs[bytes[i] as number];
  return text.slice(1);
}
