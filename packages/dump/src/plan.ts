/** Task of a conversion: its options, with all defaults filled in. */
import { codecFor, type Label, labelFor } from '@utf8/detect';
import {
  type ControlPolicy,
  type EqualKeyPolicy,
  type ErrorsPolicy,
  type InnerLengthPolicy,
  type MojibakePolicy,
  type NoncharacterPolicy,
  type NulPolicy,
  RepairOptionError,
  resolveErrors,
  type SurrogatePolicy,
} from '@utf8/repair';
import { type ByteRange, checkRange, WHOLE } from './cut/range.js';
import { UsageError } from './error.js';
import type { Format, FormatOptions } from './format/format.js';
import { createRawFormat, RAW } from './format/raw.js';
import { findFormat, resolveOptions } from './format/registry.js';
import { type FileHazard, fileHazards } from './load/hazard.js';
import type { Orphans } from './orphan/orphan-test.js';
import { opt, type Phrase, phrase } from './phrase.js';
import type { FormatChoice, RepairChoice } from './pool/work.js';
import { RecordRepairer } from './repair/record-repairer.js';
import type { BomPolicy, bomPolicies } from './rewrite/bom.js';
import type { RewriteTask } from './rewrite/rewriter.js';
import type { TranscribeTask } from './rewrite/transcriber.js';
import { checkJobs, type RunOptions } from './run-options.js';

/** Options that decide how a text changes. */
export interface TextOptions {
  /** Label of the encoding of the input, such as `cesu-8+utf-8`. */
  readonly from: string;
  /** Label of the encoding of the output; `utf-8` by default. */
  readonly to?: string | undefined;
  /** Vendor whose names of encodings come first, such as `oracle`; none by default. */
  readonly vendor?: string | undefined;
  /** Policy for malformed input; `fail` by default, which refuses it. */
  readonly errors?: ErrorsPolicy | undefined;
  /** Policy for U+0000; `fail` by default in records, `keep` in plain text. */
  readonly nul?: NulPolicy | undefined;
  /** Policy for an unpaired surrogate in a record; `fail` by default. Plain text has `errors` alone. */
  readonly unpairedSurrogates?: SurrogatePolicy | undefined;
  /**
   * Policy for keys of one JSON object, or of one hstore, that only the conversion makes equal; `fail` by
   * default, since a database drops all of them but one.
   */
  readonly equalJsonKeys?: EqualKeyPolicy | undefined;
  /** Policy for a noncharacter such as U+FFFE in a record; `keep` by default. Plain text has no policy for it. */
  readonly noncharacters?: NoncharacterPolicy | undefined;
  /** Policy for a character that XML excludes in a column of XML; `fail` by default. Plain text has none. */
  readonly controls?: ControlPolicy | undefined;
  /** Policy for mojibake in a record; `keep` by default. Plain text has no policy for it. */
  readonly mojibake?: MojibakePolicy | undefined;
  /**
   * Policy for lengths in a value that the conversion makes wrong, such as PHP's `s:16:"..."`: `repair`, the
   * default, counts again if the value can be parsed as a whole, and refuses it otherwise. Plain text has no
   * policy for them.
   */
  readonly innerLengths?: InnerLengthPolicy | undefined;
}

/** Options of a format and of its text. */
export interface ContentOptions extends TextOptions {
  /** Name of the format of the records, or `none` for plain text; by default, the recognised format. */
  readonly format?: string | undefined;
  /** Options of the format by name, such as `{ delimiter: ';' }`; those that are absent have their defaults. */
  readonly formatOptions?: FormatOptions | undefined;
  /** Policy for U+FEFF at the start; `keep` by default. */
  readonly bom?: (typeof bomPolicies)[number] | undefined;
}

/** Options of {@link convertDump}. */
export interface ConvertOptions extends ContentOptions, RunOptions {
  /** Paths of files, which may be compressed with gzip or zstd; `-` is stdin. Only plain text has several. */
  readonly input: string | readonly string[];
  /** Path of a file that is replaced as a whole or not at all; `-` is stdout. */
  readonly output: string;
  /** Hazards of loading that do not end the run; none by default. */
  readonly allow?: readonly FileHazard[] | undefined;
  /**
   * True if rows that refer to rejected ones are rejected, too, by the foreign keys that the dump declares;
   * false by default.
   */
  readonly rejectChildren?: boolean | undefined;
  /** Path of a file for rejected records. By default, the first one ends the run. */
  readonly rejects?: string | undefined;
  /** Path of a file from which {@link revertDump} restores the input; none by default. */
  readonly undo?: string | undefined;
  /** Path of a file for the statistics as JSON; none by default. */
  readonly stats?: string | undefined;
  /** True if characters of plain text are counted even if there is no `stats`; false by default. */
  readonly wantsStats?: boolean | undefined;
  /**
   * Path of an index of the input, by which a range is found without reading the file from its start. It
   * must be written with the same format and options; if there is no such file, this run writes it. No index
   * by default.
   */
  readonly index?: string | undefined;
  /**
   * True to continue an interrupted run of the same options, and to make this one resumable; false by
   * default.
   */
  readonly resume?: boolean | undefined;
  /**
   * Receives a sentence when a run is resumed, when it writes an index, and when a file shows that several
   * lines of it are one record.
   *
   * @param sentence - A sentence, without a full stop.
   * @param phrase - The same in parts, for a program that words options in its own way.
   * @returns Nothing, or a promise that the run waits for.
   */
  readonly onNotice?: ((sentence: string, phrase: Phrase) => unknown) | undefined;
}

/** A conversion, complete and checked. */
export interface ConvertPlan {
  readonly inputs: readonly string[];
  readonly choice: FormatChoice;
  readonly format: Format;
  /** Repairer of records; undefined for plain text. */
  readonly repairer: RecordRepairer | undefined;
  readonly from: Label;
  readonly to: Label;
  readonly errors: ErrorsPolicy;
  readonly nul: NulPolicy;
  readonly unpairedSurrogates: SurrogatePolicy;
  readonly equalJsonKeys: EqualKeyPolicy;
  readonly noncharacters: NoncharacterPolicy;
  readonly controls: ControlPolicy;
  readonly mojibake: MojibakePolicy;
  readonly innerLengths: InnerLengthPolicy;
  readonly bom: BomPolicy;
  readonly range: ByteRange;
  readonly jobs: number;
  /** True if characters and changes of plain text are counted. */
  readonly isCounted: boolean;
  readonly allow: readonly FileHazard[];
  /** Rejected rows and their keys; rows that refer to them are rejected, too. Undefined until they are known. */
  readonly orphans?: Orphans | undefined;
}

/**
 * Completes and checks options.
 *
 * @param files - All inputs that are read as these are.
 * @throws {@link UsageError} if they contradict each other.
 */
export function createPlan(
  inputs: readonly string[],
  options: ContentOptions & RunOptions & Pick<ConvertOptions, 'wantsStats' | 'stats' | 'allow'>,
  files: readonly string[] = inputs,
): ConvertPlan {
  const { format: name = RAW, formatOptions = {}, vendor, range, bom = 'keep' } = options;
  const isRaw = name === RAW;
  const choice = {
    name,
    options: isRaw ? formatOptions : resolveOptions(name, formatOptions, files),
  };
  const settings: Omit<ConvertPlan, 'format' | 'repairer'> = {
    inputs,
    choice,
    from: labelFor(options.from, { vendor }),
    to: labelFor(options.to ?? 'utf-8', { vendor }),
    errors: resolveErrors(options.errors ?? 'fail'),
    nul: options.nul ?? (isRaw ? 'keep' : 'fail'),
    unpairedSurrogates: options.unpairedSurrogates ?? 'fail',
    equalJsonKeys: options.equalJsonKeys ?? 'fail',
    noncharacters: options.noncharacters ?? 'keep',
    controls: options.controls ?? 'fail',
    mojibake: options.mojibake ?? 'keep',
    innerLengths: options.innerLengths ?? 'repair',
    bom,
    range: range ? checkRange(range) : WHOLE,
    jobs: checkJobs(options.jobs),
    allow: options.allow ?? [],
    isCounted: options.stats !== undefined || (options.wantsStats ?? false),
  };
  const unknown = settings.allow.find((hazard) => !fileHazards.includes(hazard));
  if (unknown !== undefined) {
    throw new UsageError(
      `unknown hazard ${JSON.stringify(unknown)}; expected ${fileHazards.join(', ')}`,
    );
  }
  if (range && inputs.length > 1) throw new UsageError('a range needs a single input');
  if (isRaw) {
    if (options.unpairedSurrogates !== undefined) {
      throw new UsageError('plain text has no policy for unpaired surrogates; use errors');
    }
    if (settings.allow.length > 0)
      throw new UsageError('plain text has no hazards to allow; specify a format');
    if (options.equalJsonKeys !== undefined) {
      throw new UsageError('plain text has no policy for equal JSON keys; specify a format');
    }
    if (options.innerLengths !== undefined) {
      throw new UsageError('plain text has no policy for inner lengths; specify a format');
    }
    if (settings.noncharacters !== 'keep') {
      throw new UsageError(
        'plain text has no policy for noncharacters; specify a format, such as lines',
      );
    }
    if (options.controls !== undefined) {
      throw new UsageError('plain text has no policy for controls; specify a format');
    }
    if (settings.mojibake !== 'keep') {
      throw new UsageError('mojibake is repaired value by value; specify a format, such as lines');
    }
    if (Object.values(formatOptions).some((value) => value !== undefined && value !== true)) {
      throw new UsageError('plain text has no format options; specify a format');
    }
    checkRemoval(settings);
    return { ...settings, format: createRawFormat(codecFor(settings.from)), repairer: undefined };
  }
  if (inputs.length > 1) throw new UsageError('records can be converted from one input at a time');
  const format = findFormat(name, choice.options);
  return { ...settings, format, repairer: new RecordRepairer(format, describeRepair(settings)) };
}

const SURROGATE = Uint8Array.of(0xed, 0xa0, 0xbd);

/** Refuses policies that remove bytes between two surrogates, if the target refuses both in a row. */
function checkRemoval({
  from,
  to,
  nul,
  errors,
}: Pick<ConvertPlan, 'from' | 'to' | 'nul' | 'errors'>): void {
  const [source, target] = [codecFor(from), codecFor(to)];
  const keepsSurrogates = source.isValid(SURROGATE) && target.isValid(SURROGATE);
  if (!keepsSurrogates || target.grammar.refused.length === 0) return;
  const refuse = (option: 'nul' | 'errors', policy: string): RepairOptionError =>
    new RepairOptionError(
      option,
      phrase`${opt(option, policy)} can join two surrogates, which ${target.name} refuses; use ${opt(option, 'replace')}`,
    );
  if (nul === 'remove') throw refuse('nul', nul);
  if (errors === 'remove') throw refuse('errors', errors);
}

export const describeRepair = ({
  from,
  to,
  errors,
  nul,
  unpairedSurrogates,
  equalJsonKeys,
  noncharacters,
  controls,
  mojibake,
  innerLengths,
}: RepairChoice): RepairChoice => ({
  from,
  to,
  errors,
  nul,
  unpairedSurrogates,
  equalJsonKeys,
  noncharacters,
  controls,
  mojibake,
  innerLengths,
});

/**
 * Describes the task of each segment.
 *
 * @param tracks - True if lines and columns are counted on the way.
 */
export function createTask(
  plan: ConvertPlan,
  { rejects, undo, tracks }: { rejects: boolean; undo: boolean; tracks: boolean },
): RewriteTask | TranscribeTask {
  const { choice, repairer, from, to, errors, nul, bom, isCounted } = plan;
  if (repairer) {
    return {
      task: 'rewrite',
      format: choice,
      repair: repairer.policies,
      rewrite: { rejects, undo, allow: plan.allow, errors, orphans: plan.orphans },
    };
  }
  return {
    task: 'transcribe',
    from,
    to,
    transcribe: { errors, nul, stripsBom: bom === 'strip', counts: isCounted, tracks, undo },
  };
}
