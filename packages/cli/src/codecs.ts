/** Encodings by the labels that users write. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import type { Codec } from '@utf8/core';
import * as strict from '@utf8/strict';
import { UsageFailure } from './failure.js';

const codecs: ReadonlyMap<string, Codec> = new Map<string, Codec>([
  ['utf-8', strict],
  ['cesu-8', cesu8],
  ['cesu-8-lenient', lenient],
  ['cesu-8+utf-8', mixed],
]);

/** What IANA registers beside the names themselves. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['csutf8', 'utf-8'],
  ['cscesu8', 'cesu-8'],
  ['cscesu-8', 'cesu-8'],
]);

/** What a vendor calls by a name that means something else elsewhere. */
const dialects: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['oracle', new Map([['utf8', 'cesu-8']])],
]);

/** The labels that there are, for messages and for `--help`. */
export const labels: readonly string[] = [...codecs.keys()];

/** The vendors that there are. */
export const vendors: readonly string[] = [...dialects.keys()];

/** An encoding, and the label that it is known by. */
export interface Encoding {
  readonly label: string;
  readonly codec: Codec;
}

/**
 * Finds the encoding of a label, in whatever case it is written.
 *
 * @param vendor - Whose names come first.
 * @throws {@link UsageFailure} where there is none, or more than one.
 */
export function findEncoding(text: string, vendor?: string): Encoding {
  const written = text.toLowerCase();
  const label = dialects.get(vendor ?? '')?.get(written) ?? aliases.get(written) ?? written;
  const codec = codecs.get(label);
  if (codec) return { label, codec };
  if (written === 'utf8') {
    throw new UsageFailure(
      `${text} is UTF-8 to some and CESU-8 to Oracle; write utf-8, or add --vendor oracle for Oracle's`,
    );
  }
  throw new UsageFailure(`there is no encoding "${text}"; there are ${labels.join(', ')}`);
}
