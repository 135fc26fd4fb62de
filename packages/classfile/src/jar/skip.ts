/** What is passed over though it looks as if it had strings. */

/** Why something was passed over. */
export type SkipReason =
  /** Named `.class`, and none. */
  | 'not-a-class'
  /** An archive of another format, or of classes in another form. */
  | 'format'
  /** In a form that was not asked for: by `readJar`, DEX and Android's resources. */
  | 'form'
  /** An entry of unknown content that is encrypted. */
  | 'encrypted'
  /** An entry of unknown content that is compressed in another way than deflate. */
  | 'method'
  /** An entry of unknown content whose beginning cannot be read. */
  | 'unreadable';

/** What was passed over, and why. */
export interface JarSkip {
  /** As in {@link JarEntry.path}. */
  readonly path: string;
  /** Why it was passed over. */
  readonly reason: SkipReason;
  /** In words, after the path and a colon. */
  readonly what: string;
}

/** Formats by what they begin with, in hex. */
const formats: readonly (readonly [string, string])[] = [
  ['cafed00d', 'classes packed by pack200; unpack them first'],
  ['377abcaf271c', 'a 7z archive; unpack it first'],
  ['526172211a07', 'a RAR archive; unpack it first'],
  ['fd377a585a00', 'an xz file; unpack it first'],
  ['28b52ffd', 'a zstd file; unpack it first'],
  ['425a68', 'a bzip2 file; unpack it first'],
  ['1f8b08', 'a gzip file; unpack it first'],
  ['cafedada', 'a jimage, all modules of a JDK in one file; extract it with jimage first'],
  ['dadafeca', 'a jimage, all modules of a JDK in one file; extract it with jimage first'],
  ['63646578', 'compact DEX; convert it to DEX first'],
  ['6465790a', 'optimized DEX (odex); convert it to DEX first'],
  ['76646578', 'DEX for ART (vdex); extract the DEX first'],
];

/** Names of formats that do not begin with anything of their own. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\.pack\.gz$/i, 'classes packed by pack200; unpack them first'],
  [/\.(?:tgz|tar\.\w+)$/i, 'a compressed tar archive; unpack it first'],
  [/\.tar$/i, 'a tar archive; unpack it first'],
  [/\.(?:odex|oat)$/i, 'a program for ART; extract the DEX first'],
  [/(?:^|\/)resources\.pb$/, 'resources of an Android App Bundle; build an APK of it first'],
];

/** Tells which known format an entry has; undefined for ordinary resources. */
export function findFormat(name: string, head: Uint8Array): string | undefined {
  const named = names.find(([pattern]) => pattern.test(name));
  if (named) return named[1];
  const hex = Buffer.from(head).toString('hex');
  return formats.find(([magic]) => hex.startsWith(magic))?.[1];
}
