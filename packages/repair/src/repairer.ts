import { findEqualKeys, type ObjectKey } from './equal-keys.js';
import { Finder } from './finder.js';
import { applyFindings, type Finding, hasRemoved, type Repair } from './finding.js';
import { addInnerLengths, mayContainLengths } from './inner-length.js';
import { settleLegacyBytes } from './legacy-byte.js';
import { addMojibake, mayContainMojibake } from './mojibake.js';
import { mayContainNoncharacter } from './noncharacter.js';
import { findEscape, type RepairOptions, resolveOptions } from './options.js';
import { createScreen } from './screen.js';
import type { Structure } from './structure.js';
import type { Syntax } from './syntax.js';
import { ValueRepairer } from './value-repairer.js';
import { hasXml } from './xml.js';

/** Context of a text: the syntaxes around it, and the structure inside it. */
export interface StructuredValue {
  /** The syntaxes around it, the outermost first, such as that of COPY. */
  readonly syntaxes: readonly Syntax[];
  /** The structure of the value itself, such as JSON. */
  readonly structure?: Structure | undefined;
}

/** The context of a text, which decides how it is read. */
export interface TextContext {
  /** True if a backslash escapes in this text, if that differs within the syntax. */
  readonly escapes?: boolean | undefined;
  /** The structure of the text, if a search by bytes is not enough. */
  readonly value?: StructuredValue | undefined;
  /**
   * Tells whether a result keeps its meaning without the bytes that a policy removes. If it does not, as when a comment
   * would end early, U+FFFD replaces these bytes instead. Always true by default.
   *
   * @param result - The repaired text, without the bytes that the policy removes.
   * @returns False if the text would be read as something else.
   */
  readonly isSafe?: ((result: Repair) => boolean) | undefined;
}

/** Repairs texts, one at a time. */
export interface Repairer {
  /**
   * Repairs one text.
   *
   * @param bytes - The text. It is never written to.
   * @param context - The context of the text, which decides how it is read.
   * @returns The repaired bytes, and the findings.
   */
  (bytes: Uint8Array, context?: TextContext): Repair;
  /**
   * Tells whether a repair changes nothing in bytes: a text, or a whole file of texts. False may be a
   * false alarm; true never is.
   *
   * @param bytes - A text, or a whole file of texts.
   * @returns False if a closer look is necessary.
   */
  readonly isClean: (bytes: Uint8Array) => boolean;
  /**
   * Tells whether bytes, a text or a part of a file, may contain a length that the repair of the text
   * after it makes wrong, such as PHP's `s:16:"…"`. Such a text has to be passed as a value, with
   * the syntaxes around it. Never true under the policy `keep`.
   *
   * @param bytes - A text, or a part of a file.
   * @returns True if a closer look is necessary.
   */
  readonly mayHaveLengths: (bytes: Uint8Array) => boolean;
  /**
   * Finds keys that a repair makes equal to an earlier key of the same object, which JSON read string by
   * string requires; none under the policy `keep`.
   *
   * @param keys - The keys of one or more objects, in order.
   * @returns Indices of the keys.
   */
  readonly findEqualKeys: (keys: readonly ObjectKey[]) => readonly number[];
}

/** Least length in bytes for which the screen is faster on clean text than a search. */
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
 * Creates a function that repairs texts: values of fields, columns or constants, one at a time.
 *
 * A text without findings is returned unchanged. A finding is replaced as its policy
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
 * @see Unicode 16.0, section 3.9, D93b, for the extent of a fault; UTR #26 for pairs
 */
export function createRepairer(options: RepairOptions): Repairer {
  const settings = resolveOptions(options);
  const { syntax, to, innerLengths } = settings;
  const repairsMojibake = settings.mojibake === 'repair';
  const tests = [createScreen(settings)];
  if (repairsMojibake) tests.push((bytes) => !mayContainMojibake(bytes));
  if (settings.noncharacters !== 'keep') tests.push((bytes) => !mayContainNoncharacter(bytes));
  const isClean = (bytes: Uint8Array): boolean => tests.every((test) => test(bytes));
  const finder = new Finder(settings);
  const mark = String.fromCharCode(findEscape(syntax));
  const escapesByDefault = syntax.quote(mark) !== mark;
  const values = new ValueRepairer(settings);
  const hasLongNuls = syntax.nuls.some(({ length }) => length > 2);

  const find = (bytes: Uint8Array, escapes: boolean, removes: boolean): readonly Finding[] => {
    const findings = settleLegacyBytes(bytes, finder.find(bytes, escapes, removes), settings);
    const found = repairsMojibake ? addMojibake(bytes, findings, to) : findings;
    return addInnerLengths(bytes, found, innerLengths);
  };

  const repairValue = (
    bytes: Uint8Array,
    { syntaxes, structure }: StructuredValue,
    isSafe: (result: Repair) => boolean,
  ): Repair => {
    // A screen knows neither all escapes, nor hexadecimal digits, nor XML.
    const isSeen =
      !bytes.includes(BACKSLASH) && !syntaxes.some(({ isHex }) => isHex) && !hasXml(structure);
    if (isSeen && isClean(bytes)) return { status: 'unchanged', bytes, findings: NONE };
    return values.repair(bytes, syntaxes, structure, isSafe);
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
    { escapes = escapesByDefault, value, isSafe = isAlwaysSafe }: TextContext = {},
  ): Repair => (value ? repairValue(bytes, value, isSafe) : repairText(bytes, escapes, isSafe));
  const findKeys = settings.equalJsonKeys === 'fail' ? findEqualKeys : () => [];
  const mayHaveLengths = innerLengths === 'keep' ? () => false : mayContainLengths;
  return Object.assign(repair, { isClean, mayHaveLengths, findEqualKeys: findKeys });
}
