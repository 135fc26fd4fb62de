import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { type EqualKeyPolicy, equalKeyPolicies } from './equal-keys.js';
import { type MojibakePolicy, mojibakePolicies } from './mojibake.js';
import { type NulPolicy, nulPolicies } from './nul.js';
import { type ErrorsPolicy, errorsPolicies } from './substitute.js';

/** The policies for unpaired surrogates. */
export const surrogatePolicies = ['fail', 'replace', 'escape', 'keep'] as const;

/** A policy for unpaired surrogates. */
export type SurrogatePolicy = (typeof surrogatePolicies)[number];

/** How characters are spelled and quoted where a text stands, such as in a field of SQL. */
export interface Syntax {
  /**
   * Quotes substituted text, so that a reader of the syntax gets it back.
   *
   * @param text - The text.
   * @param escapes - Whether the escape character escapes in this text, if that differs.
   * @returns The text as it stands in the syntax.
   */
  quote(text: string, escapes?: boolean): string;
  /**
   * Spells a UTF-16 code unit in ASCII, such as JSON's `\ud83d`: a surrogate that is kept, whatever the
   * target is.
   *
   * @param unit - A UTF-16 code unit.
   * @returns The escape.
   */
  readonly spellUnit?: ((unit: number) => string) | undefined;
  /** Spellings of U+0000 besides the encoding's own, such as `\0`. All begin with the character that escapes. */
  readonly nuls: readonly Uint8Array[];
  /**
   * Tells whether well-formed bytes may still contain what a repair changes, spelled by escapes such as
   * JSON's `\ud83d`. It is called for every byte of a file, so it has to search natively.
   *
   * @param bytes - A text, or a whole file of texts.
   * @returns False if no escape hides anything.
   */
  mayHide?(bytes: Uint8Array): boolean;
}

/** Options of {@link createRepairer}. */
export interface RepairOptions {
  /** The encoding of the texts: a codec, or a label of `@utf8/detect`. */
  readonly from: string | Codec;
  /** The encoding of the results; `utf-8` by default. */
  readonly to?: string | Codec | undefined;
  /** For unpaired surrogates, even if `from` accepts them; `fail` by default. */
  readonly unpairedSurrogates?: SurrogatePolicy | undefined;
  /** For U+0000 in any spelling; `fail` by default. */
  readonly nul?: NulPolicy | undefined;
  /** For all else that `from` refuses, and what `to` cannot encode; `strict` by default. */
  readonly errors?: ErrorsPolicy | undefined;
  /**
   * For keys of one JSON object, or of one hstore, that only the repair makes equal: a database drops all
   * of them but one. `fail` by default.
   */
  readonly equalJsonKeys?: EqualKeyPolicy | undefined;
  /** For UTF-8 that was read as Windows-1252 or ISO 8859-1 and encoded again; `keep` by default. */
  readonly mojibake?: MojibakePolicy | undefined;
  /** Plain text by default: no quoting, and no spellings other than the encoding's. */
  readonly syntax?: Syntax | undefined;
}

/**
 * Thrown if the options of a repair are invalid or contradict each other.
 *
 * @example
 * ```ts
 * import { createRepairer, type RepairOptionError } from '@utf8/repair';
 *
 * try {
 *   createRepairer({ from: 'cesu-8', unpairedSurrogates: 'keep' });
 * } catch (error) {
 *   (error as RepairOptionError).option; // => 'unpairedSurrogates'
 * }
 * ```
 */
export class RepairOptionError extends TypeError {
  /** The name of the class. */
  override readonly name = 'RepairOptionError';
  /** The code of the error, which is the same in every copy of this package. */
  readonly code = 'ERR_UTF8_REPAIR_OPTION';
  /** The option to change. */
  readonly option: keyof RepairOptions;

  /**
   * @param option - The option to change.
   * @param message - What is wrong with it, and what to do.
   */
  constructor(option: keyof RepairOptions, message: string) {
    super(message);
    this.option = option;
  }
}

/** Options with their defaults. */
export interface Settings {
  readonly from: Codec;
  readonly to: Codec;
  readonly unpairedSurrogates: SurrogatePolicy;
  readonly nul: NulPolicy;
  readonly errors: ErrorsPolicy;
  readonly equalJsonKeys: EqualKeyPolicy;
  readonly mojibake: MojibakePolicy;
  readonly syntax: Syntax;
}

/** A text that is not quoted. */
export const plain: Syntax = { quote: (text) => text, nuls: [] };

/** Tells whether an encoding has surrogates as characters of their own. */
export const hasSurrogates = ({ isValid }: Codec): boolean =>
  isValid(Uint8Array.of(0xed, 0xa0, 0xbd));

/**
 * Fills in the defaults, and checks that a repair is possible.
 *
 * @throws {@link RepairOptionError} if it is not.
 */
export function resolveOptions(options: RepairOptions): Settings {
  const { unpairedSurrogates = 'fail', nul = 'fail', errors = 'strict', syntax = plain } = options;
  const { equalJsonKeys = 'fail', mojibake = 'keep' } = options;
  checkPolicy('unpairedSurrogates', unpairedSurrogates, surrogatePolicies);
  checkPolicy('nul', nul, nulPolicies);
  checkPolicy('errors', errors, errorsPolicies);
  checkPolicy('equalJsonKeys', equalJsonKeys, equalKeyPolicies);
  checkPolicy('mojibake', mojibake, mojibakePolicies);
  const from = resolveCodec('from', options.from);
  const to = resolveCodec('to', options.to ?? 'utf-8');
  if (unpairedSurrogates === 'keep') checkKeep(to, nul, errors, syntax);
  return { from, to, unpairedSurrogates, nul, errors, equalJsonKeys, mojibake, syntax };
}

function resolveCodec(option: 'from' | 'to', codec: string | Codec): Codec {
  if (typeof codec === 'string') return codecFor(codec);
  if (typeof codec?.isValid === 'function') return codec;
  throw new RepairOptionError(option, `the option ${option} must be a label or a codec`);
}

function checkPolicy(
  option: keyof RepairOptions,
  policy: string,
  policies: readonly string[],
): void {
  if (policies.includes(policy)) return;
  const sentence = `unknown ${option}: ${JSON.stringify(policy)}; expected ${policies.join(', ')}`;
  throw new RepairOptionError(option, sentence);
}

function checkKeep(to: Codec, nul: NulPolicy, errors: ErrorsPolicy, { spellUnit }: Syntax): void {
  if (!hasSurrogates(to) && !spellUnit) {
    throw new RepairOptionError(
      'unpairedSurrogates',
      `unpairedSurrogates: 'keep' requires a target that encodes surrogates, and ${to.name} does not; use 'fail', 'replace' or 'escape'`,
    );
  }
  const removing = Object.entries({ nul, errors }).find(([, policy]) =>
    /remove|ignore/.test(policy),
  );
  if (!removing) return;
  const [option, policy] = removing as ['nul' | 'errors', string];
  throw new RepairOptionError(
    option,
    `unpairedSurrogates: 'keep' with ${option}: '${policy}' can join two surrogates into one character; use ${option}: 'replace'`,
  );
}

const BACKSLASH = 0x5c;

/** Returns the byte that escapes in a syntax: the one that all spellings of U+0000 begin with. */
export const findEscape = ({ nuls }: Syntax): number => nuls[0]?.[0] ?? BACKSLASH;
