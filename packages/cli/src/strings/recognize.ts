/** What contains strings of classes, or looks like it, by its first bytes; its name may be wrong. */
export type FileForm = 'class' | 'archive' | 'jimage' | 'other';

/** How many bytes are enough. */
export const ENOUGH = 4;

const forms: Readonly<Record<string, FileForm>> = {
  // JVMS 4.1.
  cafebabe: 'class',
  // PK: an entry, or the end of an archive without any. APPNOTE.TXT 4.3.7 and 4.3.16.
  '504b0304': 'archive',
  '504b0506': 'archive',
  // JM and the version of the format, before an archive. JEP 261.
  '4a4d0100': 'archive',
  // The modules of a JDK, in the byte order of the machine that made it. JEP 220.
  cafedada: 'jimage',
  dadafeca: 'jimage',
};

/** Tells what a file is. Any other file may still be an archive after a program. */
export const recognize = (bytes: Buffer): FileForm =>
  forms[bytes.toString('hex', 0, ENOUGH)] ?? 'other';
