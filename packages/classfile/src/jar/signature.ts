/** Signatures of jars and APKs. */
import type { Archive } from './directory.js';
import { readUint64 } from './directory.js';

/** The files that a signature consists of. JAR File Specification, Signed JAR File. */
const SIGNATURE = /^META-INF\/(?:[^/]+\.(?:SF|RSA|DSA|EC)|SIG-[^/]*)$/i;
const MANIFEST = /^META-INF\/MANIFEST\.MF$/i;

/** An attribute of a section of a manifest: its name, and its value with the lines that continue it. */
const ATTRIBUTE = /^([\w-]+): [^\r\n]*(?:\r\n|\n|\r|$)(?: [^\r\n]*(?:\r\n|\n|\r|$))*/gm;
const DIGEST = /-Digest(?:-[\w-]+)?$/i;
/** The line without anything that ends the attributes of the whole jar. */
const MAIN_END = /(?:\r\n|\n|\r(?!\n)){2}/;

export const isSignature = (name: string): boolean => SIGNATURE.test(name);
export const isManifest = (name: string): boolean => MANIFEST.test(name);

/** Removes the digests of entries from a manifest; nothing else of it changes. */
export function dropDigests(manifest: Uint8Array): Uint8Array {
  // A character for each byte, so that names in UTF-8, cut by the ends of lines, stay what they are.
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

/** Ends the block with the signatures of an APK, which precedes the directory. APK Signature Scheme v2. */
const BLOCK_END = 'APK Sig Block 42';
const BLOCK_END_LENGTH = 24;

/** Where the block with the signatures of an APK begins; undefined where there is none. */
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
  // An entry precedes it.
  return start > 0 ? start : undefined;
}
