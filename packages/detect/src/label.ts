import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import type { Codec } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';

/** The label of a codec, as this package writes it. */
export type Label =
  | 'utf-8'
  | 'cesu-8'
  | 'cesu-8-lenient'
  | 'cesu-8+utf-8'
  | 'mutf-8'
  | 'mutf-8-lenient'
  | 'rfc2279';

/** Whose names for encodings come first. */
export type Vendor = 'oracle';

/** Options of {@link codecFor} and {@link labelFor}. */
export interface LabelOptions {
  /** One of {@link vendors}, in any case; none by default. */
  readonly vendor?: string | undefined;
}

const codecs: Readonly<Record<Label, Codec>> = {
  'utf-8': strict,
  'cesu-8': cesu8,
  'cesu-8-lenient': lenient,
  'cesu-8+utf-8': mixed,
  'mutf-8': mutf8,
  'mutf-8-lenient': dataInput,
  rfc2279,
};

/**
 * The labels that there are, one for each codec, for help texts.
 *
 * @example
 * ```ts
 * import { labels } from '@utf8/detect';
 *
 * labels.join(' '); // => 'utf-8 cesu-8 cesu-8-lenient cesu-8+utf-8 mutf-8 mutf-8-lenient rfc2279'
 * ```
 */
export const labels: readonly Label[] = [
  'utf-8',
  'cesu-8',
  'cesu-8-lenient',
  'cesu-8+utf-8',
  'mutf-8',
  'mutf-8-lenient',
  'rfc2279',
];

/**
 * The other names of each label: those that IANA registers, and `modified-utf-8`.
 *
 * @see https://www.iana.org/assignments/character-sets, MIBenum 106 and 1016
 */
export const aliases: Readonly<Record<Label, readonly string[]>> = {
  'utf-8': ['csUTF8'],
  'cesu-8': ['csCESU8', 'csCESU-8'],
  'cesu-8-lenient': [],
  'cesu-8+utf-8': [],
  'mutf-8': ['modified-utf-8'],
  'mutf-8-lenient': [],
  rfc2279: [],
};

/** The vendors that there are, for help texts. */
export const vendors: readonly Vendor[] = ['oracle'];

/**
 * What a vendor calls by a name that is not registered, or means something else elsewhere.
 *
 * @see Oracle Database SQL Language Reference 19c, "Character Set Support": AL32UTF8 is UTF-8, and
 *   UTF8 is CESU-8
 */
const dialects: Readonly<Record<Vendor, Readonly<Record<string, Label>>>> = {
  oracle: { utf8: 'cesu-8', al32utf8: 'utf-8' },
};

/**
 * Thrown where there is no encoding of a label, or no such vendor. The message lists what there is.
 *
 * @example
 * ```ts
 * import { codecFor, type LabelError } from '@utf8/detect';
 *
 * try {
 *   codecFor('utf-9');
 * } catch (error) {
 *   (error as LabelError).code; // => 'ERR_UTF8_LABEL'
 *   (error as LabelError).label; // => 'utf-9'
 * }
 * ```
 */
export class LabelError extends RangeError {
  override readonly name = 'LabelError';
  readonly code = 'ERR_UTF8_LABEL';
  /** The label, or the name of the vendor, that was asked for. */
  readonly label: string;

  constructor(label: string, message: string) {
    super(message);
    this.label = label;
  }
}

/**
 * Finds the label that this package writes for one in any spelling.
 *
 * @param label - One of {@link labels} or {@link aliases}, or a name of the vendor's; in any case.
 * @returns One of {@link labels}.
 * @throws {@link LabelError}, a RangeError, where there is no such label or vendor.
 * @throws TypeError where an argument is of the wrong type.
 * @example
 * ```ts
 * import { labelFor } from '@utf8/detect';
 *
 * labelFor('csCESU8'); // => 'cesu-8'
 * labelFor('UTF8', { vendor: 'oracle' }); // => 'cesu-8'
 * ```
 * @see https://www.iana.org/assignments/character-sets, which has names in any case
 */
export function labelFor(label: string, { vendor }: LabelOptions = {}): Label {
  const written = lower('label', label);
  const dialect = vendor === undefined ? undefined : findDialect(vendor);
  if (dialect && Object.hasOwn(dialect, written)) return dialect[written] as Label;
  const found = labels.find((name) => name === written || isAlias(name, written));
  if (found) return found;
  throw new LabelError(label, explain(label, written));
}

/**
 * Finds the codec of a label.
 *
 * @param label - One of {@link labels} or {@link aliases}, or a name of the vendor's; in any case.
 * @returns The module of the variant, or of its profile.
 * @throws {@link LabelError}, a RangeError, where there is no such label or vendor.
 * @throws TypeError where an argument is of the wrong type.
 * @example
 * ```ts
 * import { codecFor } from '@utf8/detect';
 *
 * codecFor('CESU-8').encode('😀'); // => Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)
 * codecFor('UTF8', { vendor: 'oracle' }).name; // => 'CESU-8'
 * ```
 * @see https://www.iana.org/assignments/character-sets
 */
export function codecFor(label: string, options?: LabelOptions): Codec {
  return codecs[labelFor(label, options)];
}

const isAlias = (label: Label, written: string): boolean =>
  aliases[label].some((alias) => alias.toLowerCase() === written);

function findDialect(vendor: string): Readonly<Record<string, Label>> {
  const written = lower('vendor', vendor);
  const found = vendors.find((name) => name === written);
  if (found) return dialects[found];
  throw new LabelError(
    vendor,
    `There is no vendor ${quote(vendor)}; there is ${vendors.join(', ')}.`,
  );
}

function explain(label: string, written: string): string {
  // Everybody's name, and nobody's: guessing would turn Oracle's dumps into faults, or worse.
  if (written === 'utf8') {
    return (
      `${quote(label)} is no name that IANA registers, and means several encodings: write UTF-8 for ` +
      "RFC 3629's and for MySQL's utf8, which is UTF-8 up to U+FFFF, or name the vendor oracle for " +
      "Oracle's UTF8, which is CESU-8."
    );
  }
  const vendor = vendors.find((name) => Object.hasOwn(dialects[name], written));
  if (vendor) {
    return `${quote(label)} is a name of the vendor ${vendor}: name the vendor too, or write ${dialects[vendor][written]}.`;
  }
  const list = labels.map((name) =>
    aliases[name].length > 0 ? `${name} (${aliases[name].join(', ')})` : name,
  );
  return `There is no encoding ${quote(label)}; there are ${list.slice(0, -1).join(', ')} and ${list.at(-1)}.`;
}

const quote = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

function lower(what: string, text: string): string {
  if (typeof text !== 'string') {
    throw new TypeError(`Expected the ${what} to be a string, but got ${typeof text}.`);
  }
  return text.toLowerCase();
}
