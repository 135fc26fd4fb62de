/** Strings of class files as lines of text or of JSON. */
import type { ClassString } from '@utf8/classfile';
import { type Fault, formatBytes } from '@utf8/core';
import * as lenient from '@utf8/mutf8/data-input';
import { escapeReversibly, formatJson } from '../terminal/escape.js';

/** A class file, and where it was found. The names are those of the JSON objects. */
export interface Found {
  readonly file: string;
  /** Its path in the archive; null if the file is the class itself. */
  readonly entry: string | null;
  readonly bytes: Uint8Array;
}

/** `demo.jar!/x/Main.class#12@345`: the index of a string in the pool, and the offset of its bytes. */
export const formatPlace = ({ file, entry }: Found, { index, offset }: ClassString): string =>
  `${escapeReversibly(entry === null ? file : `${file}!/${entry}`)}#${index}@${offset}`;

/** The text of a string, each byte of its faults as `\xHH`. */
export function spellText(
  { bytes, offset: start, string }: ClassString,
  faults: readonly Fault[],
): string {
  if (faults.length === 0) return escapeReversibly(string);
  let text = '';
  let end = 0;
  // Between faults it is well-formed for the version of the class, and so for the widest one.
  const escapeTo = (index: number): string =>
    escapeReversibly(lenient.decode(bytes.subarray(end, index)));
  for (const { offset, length } of faults) {
    text += escapeTo(offset - start);
    end = offset - start + length;
    for (const byte of bytes.subarray(end - length, end)) text += `\\x${formatBytes([byte])}`;
  }
  return text + escapeTo(bytes.length);
}

/** A string as JSON, with the same keys in each line; null if there is no value. */
export function formatString({ file, entry }: Found, found: ClassString): string {
  const { index, offset, kinds, string, fault } = found;
  const { buffer, byteOffset, length } = found.bytes;
  // `formatBytes` in a quarter of the time, since it runs on every byte here (Node 20).
  const hex = Buffer.from(buffer, byteOffset, length).toString('hex').toUpperCase();
  return formatJson({
    file,
    entry,
    index,
    offset,
    kinds,
    bytes: hex.replace(/..(?!$)/g, '$& '),
    string,
    fault: fault ? { offset: fault.offset, length: fault.length, reason: fault.reason } : null,
  });
}
