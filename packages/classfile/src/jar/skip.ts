/** Skipped entries that look as if they contained strings. */

/** Reason for skipping an entry. */
export type SkipReason =
  /** It is named `.class`, and is not a class. */
  | 'not-a-class'
  /** It is named like code of an app (`classes.dex`), and is not a DEX file, as if it were packed. */
  | 'not-a-dex'
  /** It is named `AndroidManifest.xml` or `resources.arsc`, and is too short, or a table in text. */
  | 'not-resources'
  /** Not skipped: it is read by its content, which differs from its name. */
  | 'misnamed'
  /** An archive of another format, or of classes in another form. */
  | 'format'
  /** Its form was not requested: by `readJar`, DEX and Android's resources. */
  | 'form'
  /** An entry of unknown content that is encrypted. */
  | 'encrypted'
  /** An entry of unknown content that is compressed with a method other than deflate. */
  | 'method'
  /** An entry of unknown content whose beginning cannot be read. */
  | 'unreadable';

/** A skipped entry, and the reason. */
export interface JarSkip {
  /** Path, as in {@link JarEntry.path}. */
  readonly path: string;
  /** Reason for skipping it. */
  readonly reason: SkipReason;
  /** The reason in words, after the path and a colon. */
  readonly what: string;
}

/** Formats by their first bytes, in hex. */
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

/** Formats by name, for those without distinctive first bytes. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\.pack\.gz$/i, 'classes packed by pack200; unpack them first'],
  [/\.(?:tgz|tar\.\w+)$/i, 'a compressed tar archive; unpack it first'],
  [/\.tar$/i, 'a tar archive; unpack it first'],
  [/\.(?:odex|oat)$/i, 'a program for ART; extract the DEX first'],
  [
    /(?:^|\/)(?:resources\.pb|manifest\/AndroidManifest\.xml)$/,
    'resources of an Android App Bundle; build an APK of it first',
  ],
];

/**
 * Describes a file whose format may contain strings but is not read, such as pack200 or 7z.
 *
 * @param name - Its name or path: some formats have no distinctive first bytes.
 * @param head - Its first {@link FORM_LENGTH} bytes, or all of a shorter file.
 * @returns Its format and a remedy, to follow a verb: `a 7z archive; unpack it first`. Undefined for other
 *   formats.
 *
 * @example
 * ```ts
 * import { describeUnread } from '@utf8/classfile/jar';
 *
 * describeUnread('classes.pack', Uint8Array.of(0xca, 0xfe, 0xd0, 0x0d)); // => 'classes packed by pack200; unpack them first'
 * describeUnread('readme.txt', new TextEncoder().encode('Read me')); // => undefined
 * ```
 */
export function describeUnread(name: string, head: Uint8Array): string | undefined {
  const named = names.find(([pattern]) => pattern.test(name));
  if (named) return named[1];
  const hex = Buffer.from(head).toString('hex');
  return formats.find(([magic]) => hex.startsWith(magic))?.[1];
}
