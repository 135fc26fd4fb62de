import { findEqualKeys, type ObjectKey } from './equal-keys.js';
import { Finder } from './finder.js';
import { applyFindings, type Finding, hasRemoved, type Repair } from './finding.js';
import { settleLegacyBytes } from './legacy-byte.js';
import { addMojibake, mayContainMojibake } from './mojibake.js';
import { findEscape, type RepairOptions, resolveOptions } from './options.js';
import { createScreen } from './screen.js';
import type { Spelling } from './spelling.js';
import { ValueRepairer } from './value-repairer.js';
import type { ValueSyntax } from './value-syntax.js';

/** What a text is, beyond its bytes. */
export interface SpelledValue {
  /** What it is spelled in, the outermost first, such as COPY. */
  readonly layers: readonly Spelling[];
  /** The syntax of the value that is spelled so. */
  readonly syntax?: ValueSyntax | undefined;
}

/** Repairs texts, one at a time. */
export interface Repairer {
  /**
   * Repairs one text.
   *
   * @param bytes - The text. It is never written to.
   * @param escapes - Whether a backslash escapes in this text, if that differs within the syntax.
   * @param value - How to read the text, if a search by bytes is not enough.
   * @param isSafe - Tells whether a result without what a policy removes is read as it is meant where the
   *   text stands. If it is not, as when a comment would end early, U+FFFD takes the place of what is removed.
   * @returns The repaired bytes, and what was found.
   */
  (
    bytes: Uint8Array,
    escapes?: boolean,
    value?: SpelledValue,
    isSafe?: (result: Repair) => boolean,
  ): Repair;
  /**
   * Tells whether a repair changes nothing in bytes: a text, or a whole file of texts. False may be a
   * false alarm; true never is.
   *
   * @param bytes - A text, or a whole file of texts.
   * @returns False if a closer look is necessary.
   */
  readonly isClean: (bytes: Uint8Array) => boolean;
  /**
   * Finds keys that a repair makes equal to an earlier key of the same object, which JSON read string by
   * string requires; none under the policy `keep`.
   *
   * @param keys - The keys of one or more objects, in order.
   * @returns Indices of the keys.
   */
  readonly findEqualKeys: (keys: readonly ObjectKey[]) => readonly number[];
}

/** From so many bytes on, the screen is faster on clean text than a search. */
const SCREENED_LENGTH = 64;

const BACKSLASH = 0x5c;

const NONE: readonly Finding[] = [];

const isAlwaysSafe = (): boolean => true;

/** Replaces findings, unless a policy refuses one. */
function apply(bytes: Uint8Array, findings: readonly Finding[]): Repair {
  const isRejected = findings.some(({ becomes }) => !becomes);
  const status = isRejected ? 'rejected' : 'changed';
  return { status, bytes: applyFindings(bytes, findings), findings };
}

/**
 * Makes a function that repairs texts: values of fields, columns or constants, one at a time.
 *
 * A text without findings is returned as it is. Every other finding is replaced by what its policy
 * says, encoded in `to` and quoted in `syntax`. Repairing the result from `to` to `to` changes nothing.
 *
 * @param options - The encodings and the policies; see {@link RepairOptions}.
 * @returns The function, which keeps no state between texts.
 * @throws RepairOptionError (a `TypeError`) if a policy is unknown or two options contradict each other.
 * @throws LabelError (a `RangeError`) if no encoding has a label.
 * @example
 * ```ts
 * import { createRepairer } from '@utf8/repair';
 *
 * const repair = createRepairer({ from: 'cesu-8+utf-8', nul: 'remove' });
 * const { status, bytes, findings } = repair(
 *   Uint8Array.of(0x41, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x00),
 * );
 * status; // => 'changed'
 * bytes; // => Uint8Array.of(0x41, 0xf0, 0x9f, 0x98, 0x80)
 * findings.map(({ offset, length, kind }) => [offset, length, kind]);
 * // => [[1, 6, 'pair'], [7, 1, 'nul']]
 * ```
 * @see Unicode 16.0, section 3.9, D93b, for what one fault is; UTR #26 for pairs
 */
export function createRepairer(options: RepairOptions): Repairer {
  const settings = resolveOptions(options);
  const { syntax, errors, to } = settings;
  const repairsMojibake = settings.mojibake === 'repair';
  const isWellFormed = createScreen(settings);
  const isClean = repairsMojibake
    ? (bytes: Uint8Array): boolean => isWellFormed(bytes) && !mayContainMojibake(bytes)
    : isWellFormed;
  const finder = new Finder(settings);
  const mark = String.fromCharCode(findEscape(syntax));
  const escapesByDefault = syntax.quote(mark) !== mark;
  const values = new ValueRepairer(settings);
  const hasLongNuls = syntax.nuls.some(({ length }) => length > 2);

  const find = (bytes: Uint8Array, escapes: boolean, removes: boolean): readonly Finding[] => {
    const findings = settleLegacyBytes(bytes, finder.find(bytes, escapes, removes), errors);
    return repairsMojibake ? addMojibake(bytes, findings, to) : findings;
  };

  const repairValue = (
    bytes: Uint8Array,
    { layers, syntax: inner }: SpelledValue,
    isSafe: (result: Repair) => boolean,
  ): Repair => {
    // A screen knows neither all escapes nor hexadecimal digits.
    const isSeen = !bytes.includes(BACKSLASH) && !layers.some(({ isHex }) => isHex);
    if (isSeen && isClean(bytes)) return { status: 'unchanged', bytes, findings: NONE };
    return values.repair(bytes, layers, inner, isSafe);
  };

  const repairText = (
    bytes: Uint8Array,
    escapes: boolean,
    isSafe: (result: Repair) => boolean,
  ): Repair => {
    const isScreened = bytes.length >= SCREENED_LENGTH;
    const findings = isScreened && isClean(bytes) ? NONE : find(bytes, escapes, true);
    if (findings.length === 0) return { status: 'unchanged', bytes, findings: NONE };
    const result = apply(bytes, findings);
    if (result.status === 'rejected' || !hasRemoved(result)) return result;
    // Without the byte between them, `\u00` and `00` are U+0000.
    const isJoined =
      hasLongNuls && finder.find(result.bytes, escapes, true).some(({ kind }) => kind === 'nul');
    if (!isJoined && isSafe(result)) return result;
    return apply(bytes, find(bytes, escapes, false));
  };

  const repair = (
    bytes: Uint8Array,
    escapes: boolean = escapesByDefault,
    value?: SpelledValue,
    isSafe: (result: Repair) => boolean = isAlwaysSafe,
  ): Repair => (value ? repairValue(bytes, value, isSafe) : repairText(bytes, escapes, isSafe));
  const findKeys = settings.equalJsonKeys === 'fail' ? findEqualKeys : () => [];
  return Object.assign(repair, { isClean, findEqualKeys: findKeys });
}
