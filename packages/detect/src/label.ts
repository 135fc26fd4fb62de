import type { Codec } from '@utf8/core';
import { codecs } from './generated/codecs.js';
import { aliases, type Label } from './generated/labels.js';
import { findSimilarWord } from './similar-word.js';

export { aliases, type Label };

/** A vendor whose names for encodings take precedence. */
export type Vendor = 'oracle' | 'mysql';

/** Options of {@link codecFor} and {@link labelFor}. */
export interface LabelOptions {
  /** One of {@link vendors}, in any case; none by default. */
  readonly vendor?: string | undefined;
}

/**
 * The label of each codec, in order of preference.
 *
 * @example
 * ```ts
 * import { labels } from '@utf8/detect';
 *
 * labels.slice(0, 3); // => ['utf-8', 'cesu-8', 'cesu-8-lenient']
 * ```
 */
export const labels: readonly Label[] = /* @__PURE__ */ Object.keys(aliases) as Label[];

/** The known vendors. */
export const vendors: readonly Vendor[] = ['oracle', 'mysql'];

/**
 * Names of vendors, by vendor, that are not registered or have another meaning elsewhere.
 *
 * @see Oracle Database SQL Language Reference 19c, "Character Set Support": AL32UTF8 is UTF-8, and
 *   UTF8 is CESU-8; MySQL 8.4 Reference Manual, "The utf8 Character Set (Deprecated alias for utf8mb3)"
 */
const dialects: Readonly<Record<Vendor, Readonly<Record<string, Label>>>> = {
  oracle: { utf8: 'cesu-8', al32utf8: 'utf-8' },
  mysql: { utf8: 'utf8mb3' },
};

/**
 * Thrown if a label or a vendor is unknown. The message lists the known ones, and suggests the nearest.
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
 *   (error as LabelError).suggestion; // => 'utf-8'
 * }
 * ```
 */
export class LabelError extends RangeError {
  /** The name of the class. */
  override readonly name = 'LabelError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_LABEL';
  /** The unknown label, or the unknown name of a vendor. */
  readonly label: string;
  /** The nearest known name; undefined if none is near. */
  readonly suggestion: string | undefined;

  /**
   * @param label - The unknown label, or the unknown name of a vendor.
   * @param message - The unknown name and the known ones.
   * @param suggestion - The nearest known name, if one is near.
   */
  constructor(label: string, message: string, suggestion?: string) {
    super(message);
    this.label = label;
    this.suggestion = suggestion;
  }
}

/**
 * Finds the canonical label of an encoding by any of its names. `utf8` is UTF-8, unless a vendor is given.
 *
 * @param label - One of {@link labels} or {@link aliases}, or a name of the vendor's; in any case.
 * @param options - The vendor whose names take precedence.
 * @returns One of {@link labels}.
 * @throws LabelError (a `RangeError`) if the label or the vendor is unknown.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { labelFor } from '@utf8/detect';
 *
 * labelFor('csCESU8'); // => 'cesu-8'
 * labelFor('utf8'); // => 'utf-8'
 * labelFor('UTF8', { vendor: 'oracle' }); // => 'cesu-8'
 * labelFor('utf8', { vendor: 'mysql' }); // => 'utf8mb3'
 * ```
 * @see https://www.iana.org/assignments/character-sets
 */
export function labelFor(label: string, { vendor }: LabelOptions = {}): Label {
  const lowered = lower('label', label);
  const dialect = vendor === undefined ? undefined : findDialect(vendor);
  if (dialect && Object.hasOwn(dialect, lowered)) return dialect[lowered] as Label;
  const found = labels.find((name) => name === lowered || isAlias(name, lowered));
  if (found) return found;
  throw refuseLabel(label, lowered);
}

/**
 * Finds the codec of a label.
 *
 * @param label - One of {@link labels} or {@link aliases}, or a name of the vendor's; in any case.
 * @param options - The vendor whose names take precedence.
 * @returns The full codec: the module of the variant, or of its profile.
 * @throws LabelError (a `RangeError`) if the label or the vendor is unknown.
 * @throws TypeError if an argument is of the wrong type.
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

const isAlias = (label: Label, lowered: string): boolean =>
  aliases[label].some((alias) => alias.toLowerCase() === lowered);

function findDialect(vendor: string): Readonly<Record<string, Label>> {
  const lowered = lower('vendor', vendor);
  const found = vendors.find((name) => name === lowered);
  if (found) return dialects[found];
  const suggestion = findSimilarWord(lowered, vendors);
  const given = `unknown vendor ${quote(vendor)}${suggest(suggestion)}`;
  throw new LabelError(vendor, `${given}; expected ${list(vendors)}`, suggestion);
}

function refuseLabel(label: string, lowered: string): LabelError {
  const vendor = vendors.find((name) => Object.hasOwn(dialects[name], lowered));
  if (vendor) {
    const meaning = dialects[vendor][lowered];
    const advice = `use ${meaning}, or the option vendor: ${vendor}`;
    return new LabelError(
      label,
      `${quote(label)} is a name of ${vendor} alone; ${advice}`,
      meaning,
    );
  }
  const names = labels.flatMap((name) => [name, ...aliases[name]]);
  const suggestion = findSimilarWord(
    lowered,
    names.map((name) => name.toLowerCase()),
  );
  const given = `unknown encoding ${quote(label)}${suggest(suggestion)}`;
  return new LabelError(label, `${given}; expected ${list(labels)}`, suggestion);
}

const suggest = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`;

const list = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;

const quote = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

function lower(argument: string, text: string): string {
  if (typeof text !== 'string') {
    throw new TypeError(`Expected the ${argument} to be a string, but got ${typeof text}.`);
  }
  return text.toLowerCase();
}
