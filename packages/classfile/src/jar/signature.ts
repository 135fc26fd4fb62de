/** Signatures of jars and APKs. */
import type { Archive } from './directory.js';
import { readUint64 } from './directory.js';

/** The files of a signature. JAR File Specification, Signed JAR File. */
const SIGNATURE = /^META-INF\/(?:[^/]+\.(?:SF|RSA|DSA|EC)|SIG-[^/]*)$/i;
const MANIFEST = /^META-INF\/MANIFEST\.MF$/i;

/** An attribute of a manifest's section: its name, and its value with continuation lines. */
const ATTRIBUTE = /^([\w-]+): [^\r\n]*(?:\r\n|\n|\r|$)(?: [^\r\n]*(?:\r\n|\n|\r|$))*/gm;
const DIGEST = /-Digest(?:-[\w-]+)?$/i;
/** The empty line that ends the attributes of the whole jar. */
const MAIN_END = /(?:\r\n|\n|\r(?!\n)){2}/;

export const isSignature = (name: string): boolean => SIGNATURE.test(name);
export const isManifest = (name: string): boolean => MANIFEST.test(name);

/** Removes the digests of entries from a manifest, and changes nothing else. */
export function dropDigests(manifest: Uint8Array): Uint8Array {
  // One character per byte, so that UTF-8 names split across lines stay intact.
  const text = Buffer.from(manifest.buffer, manifest.byteOffset, manifest.length).toString(
    'latin1',
  );
  const main = MAIN_END.exec(text);
  if (!main) return manifest;
  const start = main.index + main[0].length;
  const sections = text
    .slice(start)
    .replace(ATTRIBUTE, (attribute, name) => (DIGEST.test(name) ? '' : attribute));
  return new Uint8Array(Buffer.from(text.slice(0, start) + sections, 'latin1'));
}

/** Last bytes of an APK's signing block, which precedes the directory. APK Signature Scheme v2. */
const BLOCK_END = 'APK Sig Block 42';
const BLOCK_END_LENGTH = 24;

/** Returns the offset of an APK's signing block; undefined if the APK has none. */
export async function findSigningBlock({
  region,
  directory,
}: Archive): Promise<number | undefined> {
  if (directory < BLOCK_END_LENGTH + 8) return undefined;
  const bytes = await region.read(directory - BLOCK_END_LENGTH, BLOCK_END_LENGTH);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.toString('latin1', 8) !== BLOCK_END) return undefined;
  const size = readUint64(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0);
  const start = directory - size - 8;
  // The block comes after an entry.
  return start > 0 ? start : undefined;
}
