/** What a conversion is asked to do, with everything that was left out filled in. */
import { codecFor, type Label, labelFor } from '@utf8/detect';
import {
  createRepairer,
  type EqualKeyPolicy,
  type ErrorsPolicy,
  type MojibakePolicy,
  type NulPolicy,
  RepairOptionError,
  type SurrogatePolicy,
} from '@utf8/repair';
import { type ByteRange, checkRange, WHOLE } from './cut/range.js';
import { UsageError } from './error.js';
import type { Format, FormatOptions } from './format/format.js';
import { createRawFormat, RAW } from './format/raw.js';
import { findFormat, resolveOptions } from './format/registry.js';
import { type Hazard, hazards } from './load/hazard.js';
import type { Orphans } from './orphan/orphan-test.js';
import type { FormatChoice, RepairChoice } from './pool/work.js';
import type { BomPolicy } from './rewrite/bom.js';
import type { RewriteTask } from './rewrite/conversion.js';
import type { TranscribeTask } from './rewrite/transcription.js';
import { checkJobs, type RunOptions } from './run-options.js';

/** Options that decide what a text becomes. */
export interface TextOptions {
  /** Label of the encoding of the input, such as `cesu-8+utf-8`. */
  readonly from: string;
  /** Label of the encoding of the output; `utf-8` by default. */
  readonly to?: string | undefined;
  /** Vendor whose names of encodings come first, such as `oracle`; none by default. */
  readonly vendor?: string | undefined;
  /** What malformed input becomes; `strict` by default, which refuses it. */
  readonly errors?: ErrorsPolicy | undefined;
  /** What U+0000 becomes; `fail` by default in records, `keep` in plain text. */
  readonly nul?: NulPolicy | undefined;
  /** What an unpaired surrogate in a record becomes; `fail` by default. Plain text has `errors` alone. */
  readonly unpairedSurrogates?: SurrogatePolicy | undefined;
  /**
   * What is done if only the conversion makes keys of one JSON object, or of one hstore, equal; `fail` by
   * default, since a database drops all of them but one.
   */
  readonly equalJsonKeys?: EqualKeyPolicy | undefined;
  /** What is done about mojibake in a record; `keep` by default. Plain text has no policy for it. */
  readonly mojibake?: MojibakePolicy | undefined;
}

/** Options of a format and of its text. */
export interface ContentOptions extends TextOptions {
  /** Name of the format of the records; `raw`, plain text, by default. */
  readonly format?: string | undefined;
  /** Options of the format by name, such as `{ delimiter: ';' }`; those that are absent have their defaults. */
  readonly formatOptions?: FormatOptions | undefined;
  /** What is done about U+FEFF at the start of plain text; `keep` by default. */
  readonly bom?: BomPolicy | undefined;
}

/** Options of {@link convertDump}. */
export interface ConvertOptions extends ContentOptions, RunOptions {
  /** Paths of files, which may be compressed with gzip or zstd; `-` is stdin. Only plain text has several. */
  readonly input: string | readonly string[];
  /** Path of a file that is replaced as a whole or not at all; `-` is stdout. */
  readonly output: string;
  /** Hazards of loading that do not end the run; none by default. */
  readonly allow?: readonly Hazard[] | undefined;
  /**
   * Whether rows that refer to rejected ones are rejected, too, by the foreign keys that the dump declares;
   * false by default.
   */
  readonly rejectChildren?: boolean | undefined;
  /** Path of a file for rejected records. By default, the first one ends the run. */
  readonly rejects?: string | undefined;
  /** Path of a file from which {@link revertDump} restores the input; none by default. */
  readonly undo?: string | undefined;
  /** Path of a file for the statistics as JSON; none by default. */
  readonly stats?: string | undefined;
  /** Whether characters of plain text are counted even if there is no `stats`; false by default. */
  readonly wantsStats?: boolean | undefined;
  /**
   * Path of an index of the input, by which a range is found without reading the file from its start. It
   * has to be written with the same format and options; if there is no such file, this run writes it. None by
   * default.
   */
  readonly index?: string | undefined;
  /** Whether to continue an interrupted run of the same options, and to make this one resumable; false by default. */
  readonly resume?: boolean | undefined;
  /**
   * Receives a sentence when a run is resumed, and when it writes an index.
   *
   * @param sentence - A sentence, without a full stop.
   * @returns Nothing, or a promise that the run waits for.
   */
  readonly onNotice?: ((sentence: string) => unknown) | undefined;
}

/** A conversion, complete and checked. */
export interface ConvertPlan {
  readonly inputs: readonly string[];
  readonly format: FormatChoice;
  readonly from: Label;
  readonly to: Label;
  readonly errors: ErrorsPolicy;
  readonly nul: NulPolicy;
  readonly unpairedSurrogates: SurrogatePolicy;
  readonly equalJsonKeys: EqualKeyPolicy;
  readonly mojibake: MojibakePolicy;
  readonly bom: BomPolicy;
  readonly range: ByteRange;
  readonly jobs: number;
  /** Whether characters and changes of plain text are counted. */
  readonly isCounted: boolean;
  readonly allow: readonly Hazard[];
  /** What rows refer to that are rejected with them, once it is known. */
  readonly orphans?: Orphans | undefined;
}

/**
 * Completes and checks options.
 *
 * @throws {@link UsageError} if they contradict each other.
 */
export function createPlan(
  inputs: readonly string[],
  options: ContentOptions & RunOptions & Pick<ConvertOptions, 'wantsStats' | 'stats' | 'allow'>,
): ConvertPlan {
  const { format = RAW, formatOptions = {}, vendor, range, bom = 'keep' } = options;
  const isRaw = format === RAW;
  const plan: ConvertPlan = {
    inputs,
    format: {
      name: format,
      options: isRaw ? formatOptions : resolveOptions(format, formatOptions),
    },
    from: labelFor(options.from, { vendor }),
    to: labelFor(options.to ?? 'utf-8', { vendor }),
    errors: options.errors ?? 'strict',
    nul: options.nul ?? (isRaw ? 'keep' : 'fail'),
    unpairedSurrogates: options.unpairedSurrogates ?? 'fail',
    equalJsonKeys: options.equalJsonKeys ?? 'fail',
    mojibake: options.mojibake ?? 'keep',
    bom,
    range: range ? checkRange(range) : WHOLE,
    jobs: checkJobs(options.jobs),
    allow: options.allow ?? [],
    isCounted: options.stats !== undefined || (options.wantsStats ?? false),
  };
  const unknown = plan.allow.find((hazard) => !hazards.includes(hazard));
  if (unknown !== undefined) {
    throw new UsageError(
      `unknown hazard ${JSON.stringify(unknown)}; expected ${hazards.join(', ')}`,
    );
  }
  if (range && inputs.length > 1) throw new UsageError('a range needs a single input');
  if (isRaw) {
    if (options.unpairedSurrogates !== undefined) {
      throw new UsageError('plain text has no policy for unpaired surrogates; use errors');
    }
    if (plan.allow.length > 0)
      throw new UsageError('plain text has no hazards to allow; name a format');
    if (options.equalJsonKeys !== undefined) {
      throw new UsageError('plain text has no policy for equal JSON keys; name a format');
    }
    if (plan.mojibake !== 'keep') {
      throw new UsageError('mojibake is repaired value by value; name a format, such as lines');
    }
    if (Object.values(formatOptions).some((value) => value !== undefined && value !== true)) {
      throw new UsageError('plain text has no format options; name a format');
    }
    checkRemoval(plan);
  } else {
    if (inputs.length > 1)
      throw new UsageError('records can be converted from one input at a time');
    if (bom !== 'keep') throw new UsageError(`bom: '${bom}' is for plain text only`);
    // Throws if the policies cannot go together.
    createRepairer({ ...describeRepair(plan), syntax: findFormatOf(plan) });
  }
  return plan;
}

const SURROGATE = Uint8Array.of(0xed, 0xa0, 0xbd);

/** Refuses to remove what separates two surrogates, if the target refuses both in a row. */
function checkRemoval({ from, to, nul, errors }: ConvertPlan): void {
  const [source, target] = [codecFor(from), codecFor(to)];
  const keepsSurrogates = source.isValid(SURROGATE) && target.isValid(SURROGATE);
  if (!keepsSurrogates || target.grammar.refused.length === 0) return;
  const refuse = (option: 'nul' | 'errors', policy: string): RepairOptionError =>
    new RepairOptionError(
      option,
      `${option}: '${policy}' can join two surrogates, which ${target.name} refuses; use ${option}: 'replace'`,
    );
  if (nul === 'remove') throw refuse('nul', nul);
  if (errors === 'ignore') throw refuse('errors', errors);
}

/** The format of a plan. */
export const findFormatOf = ({ format: { name, options }, from }: ConvertPlan): Format =>
  name === RAW ? createRawFormat(codecFor(from)) : findFormat(name, options);

export const describeRepair = ({
  from,
  to,
  errors,
  nul,
  unpairedSurrogates,
  equalJsonKeys,
  mojibake,
}: ConvertPlan): RepairChoice => ({
  from,
  to,
  errors,
  nul,
  unpairedSurrogates,
  equalJsonKeys,
  mojibake,
});

/** The test for bytes that a conversion of records leaves as they are. */
export function createScreen(plan: ConvertPlan, format: Format): (bytes: Uint8Array) => boolean {
  return createRepairer({
    ...describeRepair(plan),
    from: codecFor(plan.from),
    to: codecFor(plan.to),
    syntax: format,
  }).isClean;
}

/**
 * Describes what is done to each segment.
 *
 * @param tracks - Whether lines and columns are counted on the way.
 */
export function createTask(
  plan: ConvertPlan,
  { rejects, undo, tracks }: { rejects: boolean; undo: boolean; tracks: boolean },
): RewriteTask | TranscribeTask {
  const { format, from, to, errors, nul, bom, isCounted } = plan;
  if (format.name !== RAW) {
    return {
      task: 'rewrite',
      format,
      repair: describeRepair(plan),
      rewrite: { rejects, undo, allow: plan.allow, orphans: plan.orphans },
    };
  }
  return {
    task: 'transcribe',
    from,
    to,
    transcribe: { errors, nul, stripsBom: bom === 'strip', counts: isCounted, tracks, undo },
  };
}
