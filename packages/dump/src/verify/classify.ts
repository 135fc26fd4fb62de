/** In which way the value of the target differs from that of the source, and whether that was asked for. */
import { type Codec, formatBytes } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import {
  createRepairer,
  type ErrorsPolicy,
  type Finding,
  type InnerLengthPolicy,
  type NulPolicy,
  type Repairer,
  type SurrogatePolicy,
} from '@utf8/repair';
import { viewOf } from '../format/shared/ascii.js';
import type { RepairChoice } from '../pool/work.js';
import { Mark, markFindings } from './cell.js';
import { isReplaced } from './replaced.js';
import { findSpelling } from './spelling.js';
import type { ShownValue, ValueFinding, VerifyFinding } from './verify-finding.js';

/** A value of the source, or of the target, which has no `raw`; undefined for NULL. */
export interface PairedValue {
  readonly value: Uint8Array;
  /** The value before the conversion, if the conversion changes it. */
  readonly raw: Uint8Array | undefined;
  readonly marks: number;
}

/** Tells whether a finding is reported, and not only counted. */
export type ShownTest = (name: VerifyFinding['class'], isExplained: boolean) => boolean;

type Verdict = Pick<VerifyFinding, 'class' | 'options' | 'detail'> & {
  readonly isExplained?: boolean;
};

/** Policies that were not asked for. */
interface Alternative extends Pick<RepairChoice, 'unpairedSurrogates' | 'errors' | 'nul'> {
  readonly innerLengths: InnerLengthPolicy;
  readonly repair: Repairer;
}

/** Compares pairs of values. */
export class Classifier {
  readonly #from: Codec;
  readonly #to: Codec;
  readonly #choice: RepairChoice;
  readonly #ignoresSpelling: boolean;
  readonly #replacement: Uint8Array;
  #alternatives: readonly Alternative[] | undefined;

  constructor(choice: RepairChoice, ignoresSpelling: boolean) {
    this.#from = codecFor(choice.from);
    this.#to = codecFor(choice.to);
    this.#replacement = this.#to.encode('\ufffd');
    this.#choice = choice;
    this.#ignoresSpelling = ignoresSpelling;
  }

  /**
   * Compares two values; undefined if they are equal and the conversion does not change the first.
   *
   * @param isShown - Tells whether the finding needs the values, which take time to describe.
   */
  compare(
    source: PairedValue | undefined,
    target: PairedValue | undefined,
    isShown: ShownTest = () => true,
  ): ValueFinding | undefined {
    const verdict = this.#judge(source, target);
    if (!verdict) return undefined;
    const { class: name, options, detail, isExplained = false } = verdict;
    const isExpected = isExplained || (name === 'spelling' && this.#ignoresSpelling);
    if (!isShown(name, isExpected)) return { class: name, isExplained: isExpected };
    return {
      class: name,
      isExplained: isExpected,
      options,
      detail,
      value: source ? showValue(source.raw ?? source.value, this.#from) : null,
      becomes: source?.raw ? showValue(source.value, this.#to) : undefined,
      found: target ? showValue(target.value, this.#to) : null,
    };
  }

  #judge(source: PairedValue | undefined, target: PairedValue | undefined): Verdict | undefined {
    if (!source && !target) return undefined;
    if (!source || !target) return { class: 'null' };
    const { value, raw, marks } = source;
    const found = target.value;
    const isMalformed = (target.marks & Mark.malformed) !== 0;
    const areBlobs = (marks & target.marks & Mark.blob) !== 0;
    const isOneBlob = ((marks | target.marks) & Mark.blob) !== 0;
    if (viewOf(value).equals(found)) {
      if (isMalformed) return { class: 'invalid' };
      if (!raw) return undefined;
      return { class: nameRepair(marks), isExplained: true };
    }
    const spelling = isMalformed ? undefined : findSpelling(value, found);
    if (spelling) return { class: 'spelling', detail: spelling };
    // A text may be spelled as a blob is: `0x…`.
    const isText = isOneBlob && !areBlobs && this.#from.isValid(value) && this.#to.isValid(found);
    const isBlob = isOneBlob && !isText;
    const isFlawed = raw !== undefined || (marks & Mark.refused) !== 0 || isText;
    const alternative = isFlawed ? this.#findAlternative(raw ?? value, found) : undefined;
    if (alternative) return alternative;
    if (
      found.length < value.length &&
      viewOf(value).compare(found, 0, found.length, 0, found.length) === 0
    ) {
      const bytes = count(found.length, 'byte');
      if (isBlob) return { class: 'truncation', detail: `after ${bytes}` };
      if (isMalformed) return { class: 'truncation', detail: `within a character, after ${bytes}` };
      const characters = this.#to.countCodePoints(found);
      return { class: 'truncation', detail: `after ${count(characters, 'character')}, ${bytes}` };
    }
    if (isBlob) return { class: 'other' };
    if (isMalformed) return { class: 'invalid' };
    const text = this.#to.decode(found, { errors: 'replace' });
    const isLossy = [
      this.#to.decode(value, { errors: 'replace' }),
      this.#from.decode(raw ?? value, { errors: 'replace' }),
    ].some((original) => isReplaced(original, text));
    return { class: isLossy ? 'replacement' : 'other' };
  }

  /** Finds the policies that turn a value into that of the target. */
  #findAlternative(raw: Uint8Array, found: Uint8Array): Verdict | undefined {
    this.#alternatives ??= createAlternatives(this.#choice);
    const wanted = viewOf(found);
    for (const { repair, ...policies } of this.#alternatives) {
      const { status, bytes, findings } = repair(raw);
      if (status !== 'changed') continue;
      if (!wanted.equals(bytes) && !wanted.equals(lowerEscapes(bytes))) continue;
      const given = this.#choice.innerLengths ?? 'repair';
      const options = describePolicies(findings, policies, given);
      const name = nameRepair(markFindings(findings, this.#replacement));
      const isBlob = Object.keys(options).length === 0;
      return {
        class: name,
        ...(isBlob ? { detail: 'though it is written as a blob' } : { options }),
      };
    }
    return undefined;
  }
}

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The options that decide about findings. */
function describePolicies(
  findings: readonly Finding[],
  { unpairedSurrogates, errors, nul, innerLengths }: Omit<Alternative, 'repair'>,
  given: InnerLengthPolicy,
): Readonly<Record<string, string>> {
  const options: Record<string, string> = {};
  for (const { kind, reason } of findings) {
    if (kind === 'unpaired-surrogate') options.unpairedSurrogates = unpairedSurrogates;
    else if (kind === 'nul') options.nul = nul;
    else if (reason !== undefined) options.errors = errors;
  }
  return innerLengths === given ? options : { ...options, innerLengths };
}

function nameRepair(marks: number): 'repair' | 'escape' | 'replacement' {
  if (marks & Mark.escaped) return 'escape';
  return marks & Mark.replaced ? 'replacement' : 'repair';
}

/** Programs other than ours write `\ud83d`. */
const lowerEscapes = (bytes: Uint8Array): Buffer =>
  Buffer.from(
    viewOf(bytes)
      .toString('latin1')
      .replace(/\\u[0-9A-F]{4}|\\x[0-9A-F]{2}/g, (spelling) => spelling.toLowerCase()),
    'latin1',
  );

/** Policies for all that may be wrong with a value, those that lose least first. */
const POLICIES: readonly (readonly [SurrogatePolicy, ErrorsPolicy])[] = [
  ['escape', 'escape'],
  ['escape', 'windows-1252'],
  ['replace', 'replace'],
  ['replace', 'remove'],
];

const NULS: readonly NulPolicy[] = ['keep', 'remove', 'replace'];

/** Other programs leave lengths as they are. */
const LENGTHS: readonly InnerLengthPolicy[] = ['repair', 'keep'];

function createAlternatives({ from, to }: RepairChoice): readonly Alternative[] {
  return LENGTHS.flatMap((innerLengths) =>
    POLICIES.flatMap(([unpairedSurrogates, errors]) =>
      NULS.map((nul) => {
        const policies = { unpairedSurrogates, errors, nul, innerLengths };
        return { ...policies, repair: createRepairer({ from, to, ...policies }) };
      }),
    ),
  );
}

/** UTF-16 code units and bytes of a value that are shown. */
const SHOWN = 200;
const SHOWN_BYTES = 32;

/** Shows the start of a value. */
export function showValue(value: Uint8Array, codec: Codec): ShownValue {
  // A character has at most six bytes.
  const start = codec.truncate(value.subarray(0, 6 * SHOWN + 6), 6 * SHOWN);
  const text = codec.decode(start, { errors: 'backslashreplace' }).slice(0, SHOWN);
  const isWhole = text.length < SHOWN && start.length === value.length;
  return {
    text: isWhole ? text : `${text.replace(/[\ud800-\udbff]$/, '')}…`,
    hex: formatBytes(value.subarray(0, SHOWN_BYTES)),
    length: value.length,
  };
}
