import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { type EqualKeyPolicy, equalKeyPolicies } from './equal-keys.js';
import { type InnerLengthPolicy, innerLengthPolicies } from './inner-length.js';
import { type MojibakePolicy, mojibakePolicies } from './mojibake.js';
import { type NoncharacterPolicy, noncharacterPolicies } from './noncharacter.js';
import { type NulPolicy, nulPolicies } from './nul.js';
import { type ErrorsPolicy, findErrorsPolicy } from './substitute.js';
import { type ControlPolicy, controlPolicies } from './xml.js';

/** The policies for unpaired surrogates. */
export const surrogatePolicies = ['fail', 'replace', 'escape', 'keep'] as const;

/** A policy for unpaired surrogates. */
export type SurrogatePolicy = (typeof surrogatePolicies)[number];

/** The syntax of a whole format, in which texts are searched by bytes: how it quotes and escapes characters. */
export interface FormatSyntax {
  /**
   * Quotes substituted text, so that a reader of the syntax gets it back.
   *
   * @param text - The text.
   * @param escapes - True if the escape character escapes in this text, if that differs.
   * @returns The text as the syntax writes it.
   */
  quote(text: string, escapes?: boolean): string;
  /**
   * Escapes a UTF-16 code unit in ASCII, such as JSON's `\ud83d`: a surrogate that is kept, for any
   * target.
   *
   * @param unit - A UTF-16 code unit.
   * @returns The escape.
   */
  readonly escapeUnit?: ((unit: number) => string) | undefined;
  /** Escapes of U+0000, such as `\0`. All begin with the character that escapes. */
  readonly nuls: readonly Uint8Array[];
  /**
   * Tells whether well-formed bytes may still contain text that a repair changes, in escapes such as
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
  /** For U+0000, escaped or not; `fail` by default. */
  readonly nul?: NulPolicy | undefined;
  /**
   * For everything else that `from` refuses or `to` cannot encode; `fail` by default.
   *
   * The name of a single-byte encoding, in any case and by any label of the Encoding Standard, decodes legacy
   * bytes and refuses everything else, including bytes that are not characters of the encoding, such as 81 in
   * Windows-1252.
   *
   * A legacy byte is malformed and not part of a longer sequence: one above U+10FFFF, an overlong one or a
   * surrogate. An incomplete character at the end of a text counts as cut off, and is refused, if the text has
   * other characters above U+007F, if it has several bytes and nothing else is malformed, or if it would be a
   * Windows-1252 capital after a small letter (`caf` and C3).
   *
   * In other encodings than Windows-1252, letters may be UTF-8 by chance: the last two bytes of `всё` in KOI8-R are
   * `ӣ`. A run of bytes above 7F is therefore decoded as a whole if the text has legacy bytes and this leaves fewer
   * oddities (see {@link findMojibake}). A run of both legacy bytes and UTF-8 is also decoded as a whole if the
   * oddities are equally many, and refused if other runs of the text are UTF-8.
   */
  readonly errors?: ErrorsPolicy | undefined;
  /**
   * For keys of one JSON object, or of one hstore, that only the repair makes equal: a database drops all
   * of them but one. `fail` by default.
   */
  readonly equalJsonKeys?: EqualKeyPolicy | undefined;
  /** For noncharacters such as U+FFFE, escaped or not; `keep` by default. */
  readonly noncharacters?: NoncharacterPolicy | undefined;
  /** For controls that XML excludes, and U+FFFE and U+FFFF, in XML and as references; `fail` by default. */
  readonly controls?: ControlPolicy | undefined;
  /** For UTF-8 that was read in a legacy encoding and encoded again; `keep` by default. */
  readonly mojibake?: MojibakePolicy | undefined;
  /**
   * For lengths in a text that the repair makes wrong, such as PHP's `s:16:"…"`. `repair`, the default,
   * counts again if the text is PHP serialization as a whole, and otherwise refuses it; `fail` refuses
   * all of them.
   */
  readonly innerLengths?: InnerLengthPolicy | undefined;
  /** Plain text by default: no quotes and no escapes. */
  readonly syntax?: FormatSyntax | undefined;
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
  /** The message in parts, for a program that words options in its own way, such as as flags. */
  readonly phrase: readonly (
    | string
    | {
        /** Name of the option, such as `nul`. */
        readonly option: string;
        /** Value that the sentence gives it, such as `remove`; undefined if it gives none. */
        readonly value?: string | undefined;
      }
  )[];

  /**
   * @param option - The option to change.
   * @param phrase - The error and its remedy, as text and policies.
   */
  constructor(option: keyof RepairOptions, phrase: string | RepairOptionError['phrase']) {
    const parts = typeof phrase === 'string' ? [phrase] : phrase;
    super(parts.map(wordPart).join(''));
    this.option = option;
    this.phrase = parts;
  }
}

const wordPart = (part: RepairOptionError['phrase'][number]): string =>
  typeof part === 'string' ? part : `\`${part.option}: '${part.value}'\``;

/** Options with their defaults. */
export interface Settings {
  readonly from: Codec;
  readonly to: Codec;
  readonly unpairedSurrogates: SurrogatePolicy;
  readonly nul: NulPolicy;
  readonly errors: ErrorsPolicy;
  readonly equalJsonKeys: EqualKeyPolicy;
  readonly noncharacters: NoncharacterPolicy;
  readonly controls: ControlPolicy;
  readonly mojibake: MojibakePolicy;
  readonly innerLengths: InnerLengthPolicy;
  readonly syntax: FormatSyntax;
}

/** A text that is not quoted. */
export const plain: FormatSyntax = { quote: (text) => text, nuls: [] };

/** Tells whether an encoding has surrogates as characters of their own. */
export const hasSurrogates = ({ isValid }: Codec): boolean =>
  isValid(Uint8Array.of(0xed, 0xa0, 0xbd));

/**
 * Fills in the defaults, and checks that a repair is possible.
 *
 * @throws {@link RepairOptionError} if it is not.
 */
export function resolveOptions(options: RepairOptions): Settings {
  const { unpairedSurrogates = 'fail', nul = 'fail', syntax = plain } = options;
  const { equalJsonKeys = 'fail', noncharacters = 'keep', mojibake = 'keep' } = options;
  const { controls = 'fail', innerLengths = 'repair' } = options;
  checkPolicy('unpairedSurrogates', unpairedSurrogates, surrogatePolicies);
  checkPolicy('nul', nul, nulPolicies);
  const errors = resolveErrors(options.errors ?? 'fail');
  checkPolicy('equalJsonKeys', equalJsonKeys, equalKeyPolicies);
  checkPolicy('noncharacters', noncharacters, noncharacterPolicies);
  checkPolicy('controls', controls, controlPolicies);
  checkPolicy('mojibake', mojibake, mojibakePolicies);
  checkPolicy('innerLengths', innerLengths, innerLengthPolicies);
  const from = resolveCodec('from', options.from);
  const to = resolveCodec('to', options.to ?? 'utf-8');
  if (unpairedSurrogates === 'keep')
    checkKeep(to, { nul, errors, noncharacters, controls }, syntax);
  const policies = { unpairedSurrogates, nul, errors, equalJsonKeys, noncharacters, controls };
  return { from, to, ...policies, mojibake, innerLengths, syntax };
}

/**
 * Finds a policy for malformed bytes.
 *
 * @param label - The policy, or a label of the encoding that is the policy.
 * @returns The policy, with the name of its encoding.
 * @throws {@link RepairOptionError} if there is no such policy.
 * @internal
 */
export function resolveErrors(label: string): ErrorsPolicy {
  const policy = findErrorsPolicy(label);
  if (policy) return policy;
  throw new RepairOptionError(
    'errors',
    `unknown errors: ${JSON.stringify(label)}; expected fail, replace, remove, escape, or a single-byte encoding such as windows-1252`,
  );
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

/** The policies that may remove bytes between two surrogates. */
type Removing = Pick<Settings, 'nul' | 'errors' | 'noncharacters' | 'controls'>;

function checkKeep(to: Codec, policies: Removing, { escapeUnit }: FormatSyntax): void {
  if (!hasSurrogates(to) && !escapeUnit) {
    throw new RepairOptionError('unpairedSurrogates', [
      KEEP,
      ` requires a target that encodes surrogates, and ${to.name} does not; use fail, replace or escape`,
    ]);
  }
  const removing = Object.entries(policies).find(([, policy]) => policy === 'remove');
  if (!removing) return;
  const [option, policy] = removing as [keyof Removing, string];
  throw new RepairOptionError(option, [
    KEEP,
    ' with ',
    { option, value: policy },
    ' can join two surrogates into one character; use ',
    { option, value: 'replace' },
  ]);
}

const KEEP = { option: 'unpairedSurrogates', value: 'keep' };

const BACKSLASH = 0x5c;

/** Returns the byte that escapes in a syntax: the one that all escapes of U+0000 begin with. */
export const findEscape = ({ nuls }: FormatSyntax): number => nuls[0]?.[0] ?? BACKSLASH;
