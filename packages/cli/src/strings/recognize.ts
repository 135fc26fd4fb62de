/** What a file is, by its first bytes: names are wrong too often. */

/** What holds strings of classes, or is taken for it. */
export type Form = 'class' | 'archive' | 'jimage' | 'other';

/** How many bytes are enough. */
export const ENOUGH = 4;

const forms: ReadonlyMap<number, Form> = new Map<number, Form>([
  // JVMS 4.1.
  [0xcafebabe, 'class'],
  // PK: an entry, or the end of an archive without any. APPNOTE.TXT 4.3.7 and 4.3.16.
  [0x504b0304, 'archive'],
  [0x504b0506, 'archive'],
  // JM and the version of the format, before an archive. JEP 261.
  [0x4a4d0100, 'archive'],
  // The modules of a JDK, in the byte order of the machine that made it. JEP 220.
  [0xcafedada, 'jimage'],
  [0xdadafeca, 'jimage'],
]);

/** Tells what a file is. Another one may still be an archive, with a program before it. */
export function recognize(bytes: Uint8Array): Form {
  if (bytes.length < ENOUGH) return 'other';
  const view = new DataView(bytes.buffer, bytes.byteOffset, ENOUGH);
  return forms.get(view.getUint32(0)) ?? 'other';
}
