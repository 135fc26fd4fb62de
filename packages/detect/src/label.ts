import type { Codec } from '@utf8/core';
import { codecs, type Label } from './generated/variants.js';
import { findSimilarWord } from './similar-word.js';

export type { Label };

/** A vendor whose names for encodings take precedence. */
export type Vendor = 'oracle' | 'mysql';

/** Options of {@link codecFor} and {@link labelFor}. */
export interface LabelOptions {
  /** One of {@link vendors}, in any case; none by default. */
  readonly vendor?: string | undefined;
}

/**
 * The codecs by the first of their labels, in order of preference. Like all that refers to them, it is
 * marked as pure, so that programs that need no codec get none.
 */
const codecsByLabel: ReadonlyMap<Label, Codec> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ codecs.map((codec) => [codec.labels[0] as Label, codec]),
);

/**
 * The label of each codec, for help texts.
 *
 * @example
 * ```ts
 * import { labels } from '@utf8/detect';
 *
 * labels.slice(0, 3); // => ['utf-8', 'cesu-8', 'cesu-8-lenient']
 * ```
 */
export const labels: readonly Label[] = /* @__PURE__ */ Array.from(
  /* @__PURE__ */ codecsByLabel.keys(),
);

/**
 * The other names of each label, as its codec lists them: those that IANA registers, and common ones.
 *
 * @see https://www.iana.org/assignments/character-sets, MIBenum 106 and 1016
 */
export const aliases: Readonly<Record<Label, readonly string[]>> =
  /* @__PURE__ */ Object.fromEntries(
    /* @__PURE__ */ codecs.map(({ labels: [label, ...others] }) => [label, others]),
  ) as Record<Label, readonly string[]>;

/** The known vendors, for help texts. */
export const vendors: readonly Vendor[] = ['oracle', 'mysql'];

/**
 * What a vendor calls by a name that is not registered, or means something else elsewhere.
 *
 * @see Oracle Database SQL Language Reference 19c, "Character Set Support": AL32UTF8 is UTF-8, and
 *   UTF8 is CESU-8; MySQL 8.4 Reference Manual, "The utf8 Character Set (Deprecated alias for utf8mb3)"
 */
const dialects: Readonly<Record<Vendor, Readonly<Record<string, Label>>>> = {
  oracle: { utf8: 'cesu-8', al32utf8: 'utf-8' },
  mysql: { utf8: 'utf8mb3' },
};

/**
 * Thrown if a label or a vendor is unknown. The message lists the known ones, and names the nearest.
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
  /** The known name that is nearest; undefined if none is near. */
  readonly suggestion: string | undefined;

  /**
   * @param label - The unknown label, or the unknown name of a vendor.
   * @param message - What is unknown, and what is known.
   * @param suggestion - The known name that is nearest, if one is near.
   */
  constructor(label: string, message: string, suggestion?: string) {
    super(message);
    this.label = label;
    this.suggestion = suggestion;
  }
}

/**
 * Finds the canonical label of an encoding by any of its names.
 *
 * @param label - One of {@link labels} or {@link aliases}, or a name of the vendor's; in any case.
 * @param options - The vendor whose names come first.
 * @returns One of {@link labels}.
 * @throws LabelError (a `RangeError`) if the label or the vendor is unknown.
 * @throws TypeError if an argument is of the wrong type.
 * @example
 * ```ts
 * import { labelFor } from '@utf8/detect';
 *
 * labelFor('csCESU8'); // => 'cesu-8'
 * labelFor('UTF8', { vendor: 'oracle' }); // => 'cesu-8'
 * labelFor('utf8', { vendor: 'mysql' }); // => 'utf8mb3'
 * ```
 * @see https://www.iana.org/assignments/character-sets, which has names in any case
 */
export function labelFor(label: string, { vendor }: LabelOptions = {}): Label {
  const written = lower('label', label);
  const dialect = vendor === undefined ? undefined : findDialect(vendor);
  if (dialect && Object.hasOwn(dialect, written)) return dialect[written] as Label;
  const found = labels.find((name) => name === written || isAlias(name, written));
  if (found) return found;
  throw refuseLabel(label, written);
}

/**
 * Finds the codec of a label.
 *
 * @param label - One of {@link labels} or {@link aliases}, or a name of the vendor's; in any case.
 * @param options - The vendor whose names come first.
 * @returns The module of the variant, or of its profile.
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
  return codecsByLabel.get(labelFor(label, options)) as Codec;
}

const isAlias = (label: Label, written: string): boolean =>
  aliases[label].some((alias) => alias.toLowerCase() === written);

function findDialect(vendor: string): Readonly<Record<string, Label>> {
  const written = lower('vendor', vendor);
  const found = vendors.find((name) => name === written);
  if (found) return dialects[found];
  const suggestion = findSimilarWord(written, vendors);
  const given = `unknown vendor ${quote(vendor)}${ask(suggestion)}`;
  throw new LabelError(vendor, `${given}; expected ${list(vendors)}`, suggestion);
}

function refuseLabel(label: string, written: string): LabelError {
  const vendor = vendors.find((name) => Object.hasOwn(dialects[name], written));
  if (vendor) {
    return new LabelError(
      label,
      `${quote(label)} is a name of the vendor ${vendor}: name the vendor too, or write ${dialects[vendor][written]}.`,
    );
  }
  const names = labels.flatMap((name) => [name, ...aliases[name]]);
  const suggestion = findSimilarWord(
    written,
    names.map((name) => name.toLowerCase()),
  );
  const given = `unknown encoding ${quote(label)}${ask(suggestion)}`;
  return new LabelError(label, `${given}; expected ${list(labels)}`, suggestion);
}

const ask = (suggestion: string | undefined): string =>
  suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`;

const list = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;

const quote = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

function lower(what: string, text: string): string {
  if (typeof text !== 'string') {
    throw new TypeError(`Expected the ${what} to be a string, but got ${typeof text}.`);
  }
  return text.toLowerCase();
}
