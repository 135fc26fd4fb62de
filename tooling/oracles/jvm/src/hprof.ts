/** Strings of a heap dump in HPROF's binary format. */
import { decode } from '@utf8/mutf8';
import { readCString } from '@utf8/mutf8/framing';

/** The tag of a record `STRING IN UTF8`, and the header of each record. */
const UTF8 = 0x01;
const RECORD = 9;

/** Reads the format from the header, and all texts in records `STRING IN UTF8`. */
export function readHprof(file: Uint8Array): { format: string; texts: Set<string> } {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const { text: format, next } = readCString(file);
  const idSize = view.getUint32(next);
  const texts = new Set<string>();
  for (let at = next + 4 + 8; at < file.length; ) {
    const end = at + RECORD + view.getUint32(at + 5);
    if (file[at] === UTF8) texts.add(decode(file.subarray(at + RECORD + idSize, end)));
    at = end;
  }
  return { format, texts };
}
