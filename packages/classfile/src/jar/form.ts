/** The kind of a file, by its first bytes, since its name may be wrong. */

/** Kind of a file that contains strings, or looks like it. `resources` are Android's, in binary. */
export type FileForm = 'class' | 'archive' | 'jimage' | 'dex' | 'resources' | 'other';

/** Number of bytes that {@link recognize} needs. */
export const FORM_LENGTH = 32;

/** Number of bytes with the version of a class or a DEX file. */
const VERSION_LENGTH = 8;

/** The least major version of a class file, that of JDK 1.0. JVMS 4.1. */
const LEAST_MAJOR = 45;

const forms: ReadonlyMap<number, FileForm> = new Map([
  [0xcafebabe, 'class'],
  // PK: an entry, or the end of an archive without any. APPNOTE.TXT 4.3.7 and 4.3.16.
  [0x504b0304, 'archive'],
  [0x504b0506, 'archive'],
  // JM and the version of the format, before an archive. JEP 261.
  [0x4a4d0100, 'archive'],
  // The modules of a JDK, in the byte order of the machine that made it. JEP 220.
  [0xcafedada, 'jimage'],
  [0xdadafeca, 'jimage'],
  // "dex\n"; three digits and a zero follow.
  [0x6465780a, 'dex'],
  // A table of resources, and an XML file: the type, and the length of its header.
  [0x02000c00, 'resources'],
  [0x03000800, 'resources'],
]);

/**
 * Recognizes a file by its first bytes. Any other file may still be an archive after a program.
 *
 * @param bytes - Its first {@link FORM_LENGTH} bytes, or all of a shorter file. More do not matter.
 * @param name - Its name or path: Android reads a binary `AndroidManifest.xml` and `resources.arsc` regardless of
 *   their first bytes.
 * @returns The kind. `class` requires a version that class files have: Mach-O programs for several processors
 *   begin with `CA FE BA BE`, too.
 *
 * @example
 * ```ts
 * import { recognize } from '@utf8/classfile/jar';
 *
 * recognize(Uint8Array.of(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61)); // => 'class'
 * recognize(Uint8Array.of(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2)); // => 'other'
 * recognize(new TextEncoder().encode('PK\x03\x04')); // => 'archive'
 * ```
 * @see {@link https://docs.oracle.com/javase/specs/jvms/se25/html/jvms-4.html#jvms-4.1 | JVMS}, section 4.1
 */
export function recognize(bytes: Uint8Array, name = ''): FileForm {
  if (bytes.length < 4) return 'other';
  const isExpected = findExpected(name) === 'resources' && !isManifestInText(name, bytes);
  const isResource = isExpected || beginsWithPool(bytes);
  const form = forms.get(readMagic(bytes)) ?? (isResource ? 'resources' : 'other');
  if (form === 'class') return isVersion(bytes) ? form : 'other';
  if (form === 'dex') return isDexVersion(bytes) ? form : 'other';
  return form;
}

/** Parts of an app that Android recognises by their names. */
const expected: readonly (readonly [RegExp, 'dex' | 'resources'])[] = [
  [/(?:^|[/\\])classes[^/\\]*\.dex$/, 'dex'],
  [/(?:^|[/\\])(?:AndroidManifest\.xml|resources\.arsc)$/, 'resources'],
];

/** Returns the form that a file should have by its name. */
export const findExpected = (name: string): 'dex' | 'resources' | undefined =>
  expected.find(([pattern]) => pattern.test(name))?.[1];

/**
 * Tells whether a manifest is in text, as in sources and AARs. A binary one may have the type `3C 00`, and has zeros.
 */
export const isManifestInText = (name: string, bytes: Uint8Array): boolean =>
  name.endsWith('.xml') &&
  /^(?:\xef\xbb\xbf|\s)*<[^\0]*$/.test(Buffer.from(bytes).toString('latin1'));

/** The head of a string pool, which every file of resources has after its own. */
const POOL = 0x0100_1c00;

/** Tells whether a file begins with a header and a string pool: Android ignores the type in that header. */
function beginsWithPool(bytes: Uint8Array): boolean {
  const header = (bytes[2] as number) | ((bytes[3] as number) << 8);
  if (header < 8 || header + 4 > bytes.length) return false;
  return readMagic(bytes.subarray(header)) === POOL;
}

const readMagic = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);

/**
 * Tells whether a class file has a valid version. A truncated one counts: its reader reports the missing
 * bytes.
 */
const isVersion = ({ length, 6: high = 0, 7: low = 0 }: Uint8Array): boolean =>
  length < VERSION_LENGTH || 256 * high + low >= LEAST_MAJOR;

const isDexVersion = (bytes: Uint8Array): boolean =>
  bytes[4] === 0x30 && isDigit(bytes[5]) && isDigit(bytes[6]) && bytes[7] === 0;

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;
