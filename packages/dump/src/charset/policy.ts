/** The policies that decode text in the encodings that dumps declare. */
import { findLegacyEncoding, type LegacyEncoding } from '@utf8/repair';

/** Names that are not labels of the Encoding Standard, without hyphens and underscores. */
const NAMES: Readonly<Record<string, LegacyEncoding>> = {
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  latin7: 'iso-8859-13',
  latin8: 'iso-8859-14',
  latin9: 'iso-8859-15',
  latin10: 'iso-8859-16',
  macroman: 'macintosh',
  tis620: 'windows-874',
  win866: 'ibm866',
};

/**
 * Finds the policy for malformed bytes that decodes them in a declared encoding.
 *
 * @param charset - The name of an encoding, as MySQL or PostgreSQL knows it, in lower case.
 * @returns The policy; undefined if none decodes that encoding.
 * @example
 * ```ts
 * import { findPolicy } from '@utf8/dump/internal';
 *
 * findPolicy('latin1'); // => 'windows-1252'
 * findPolicy('iso_8859_5'); // => 'iso-8859-5'
 * findPolicy('sjis'); // => undefined
 * ```
 */
export function findPolicy(charset: string): LegacyEncoding | undefined {
  const bare = charset.replaceAll(/[-_]/g, '');
  const windows = /^win(125\d|874)$/.exec(bare)?.[1];
  const iso = /^iso8859(\d+)$/.exec(bare)?.[1];
  return Object.hasOwn(NAMES, bare)
    ? NAMES[bare]
    : findLegacyEncoding(windows ? `windows-${windows}` : iso ? `iso-8859-${iso}` : bare);
}
