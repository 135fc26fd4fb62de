/** `utf8 convert`: bytes of one encoding to bytes of another. */
import { resolve } from 'node:path';
import { DecodeError, transcode } from '@utf8/core';
import { type Block, blocks } from './blocks.js';
import { type BomPolicy, encodeBom, findBom } from './bom.js';
import { Changes } from './changes.js';
import type { Encoding } from './codecs.js';
import { UsageFailure } from './failure.js';
import { createFinding, type Finding, type Flaw, findReason, formatFinding } from './finding.js';
import { Mender, type Mending } from './mend.js';
import { findNuls, NulFilter, type NulPolicy, spellingsOfNul } from './nul.js';
import { type Output, openOutput, STDOUT } from './output.js';
import { locate, Position } from './position.js';
import { Progress } from './progress.js';
import { alignRange, type Range, WHOLE } from './range.js';
import { say } from './say.js';
import {
  measure,
  openSource,
  refuseStdout,
  requireReadable,
  type Source,
  STDIN,
} from './source.js';
import { count } from './tally.js';

/** What the command line asks for. */
export interface ConvertOptions {
  readonly from: Encoding;
  readonly to: Encoding;
  readonly errors: 'strict' | Mending;
  readonly bom: BomPolicy;
  readonly nul: NulPolicy;
  /** A path, or `-` for stdout. */
  readonly output: string;
  readonly range: Range | undefined;
  /** A path, or `-` for stdout or stderr, whichever carries no data. */
  readonly stats: string | undefined;
  readonly json: boolean;
}

/**
 * Converts files, one after the other, into one output.
 *
 * @returns The exit code: 0, or 1 where a fault ended the run.
 * @throws {@link Failure} where input or output fails.
 */
export async function convert(files: readonly string[], options: ConvertOptions): Promise<number> {
  checkStats(options);
  requireReadable(files);
  const total = measure(files);
  if (options.range && total === undefined) {
    throw new UsageFailure(
      `--range needs a file that can be read from any place; ${files} is none`,
    );
  }
  const carriesData = options.output === STDOUT;
  if (carriesData) refuseStdout(files);
  const output = await openOutput(options.output);
  let stats: Output | undefined;
  let progress = new Progress(undefined);
  try {
    if (options.stats && !(carriesData && options.stats === STDOUT)) {
      stats = await openOutput(options.stats);
    }
    // A terminal has no room for both the data and a bar.
    if (!(carriesData && process.stdout.isTTY)) progress = new Progress(clip(total, options.range));
    const conversion = new Conversion(options, output, progress);
    for (const file of files) {
      const finding = await conversion.add(file);
      if (!finding) continue;
      await output.flush();
      progress.clear();
      await say(formatFinding(finding, options.json));
      if (!options.json) await say(`utf8: ${conversion.advise(finding)}\n`);
      return 1;
    }
    await conversion.finish();
    progress.clear();
    if (options.stats) {
      const text = `${JSON.stringify(conversion.describe(files), null, 2)}\n`;
      if (stats) await stats.write(Buffer.from(text));
      else await say(text);
      await stats?.finish();
    }
    output.commit();
    stats?.commit();
    await say(conversion.summarize());
    return 0;
  } finally {
    progress.clear();
    output.discard();
    stats?.discard();
  }
}

/** How much of so many bytes lies in a range. */
function clip(total: number | undefined, { from, to } = WHOLE): number | undefined {
  return total === undefined ? undefined : Math.max(0, Math.min(to, total) - from);
}

function checkStats({ stats, output }: ConvertOptions): void {
  if (stats === undefined || stats === STDOUT || resolve(stats) !== resolve(output)) return;
  throw new UsageFailure(`-o and --stats name the same file, ${stats}; name two`);
}

/** A conversion under way, with what is to be said about it afterwards. */
class Conversion {
  readonly #options: ConvertOptions;
  readonly #output: Output;
  readonly #progress: Progress;
  readonly #mender: Mender | undefined;
  readonly #nulFilter: NulFilter | undefined;
  /** What `--nul fail` looks for in the source. */
  readonly #refused: readonly Uint8Array[];
  /** Undefined where nobody asked for statistics, which cost time. */
  readonly #changes: Changes | undefined;
  #characters = 0;
  #bytesRead = 0;
  #bytesWritten = 0;
  #bomsStripped = 0;
  /** Whether the output still has to begin with a byte order mark. */
  #wantsBom: boolean;
  #bomsAdded = 0;
  /** What the last finding is a fault of. */
  #isTargetAtFault = false;

  constructor(options: ConvertOptions, output: Output, progress: Progress) {
    const { from, to, errors, nul, bom, range = WHOLE, stats } = options;
    const filtersNul = nul === 'remove' || nul === 'replace';
    this.#options = options;
    this.#output = output;
    this.#progress = progress;
    if (errors !== 'strict') {
      this.#mender = new Mender(errors, from.codec, to.codec, stats !== undefined);
    }
    if (filtersNul) this.#nulFilter = new NulFilter(to.codec, nul === 'remove' ? '' : '\uFFFD');
    this.#refused = nul === 'fail' ? spellingsOfNul(from.codec) : [];
    if (stats !== undefined) this.#changes = new Changes(from.codec, to.codec, filtersNul);
    this.#wantsBom = bom === 'add' && range.from === 0 && range.to > 0;
  }

  /** Converts a file, up to the first fault where that ends the run. */
  async add(file: string): Promise<Finding | undefined> {
    const source = await openSource(file);
    try {
      const finding = await this.#addSource(source);
      this.#changes?.endFile();
      return finding;
    } finally {
      await source.close();
    }
  }

  async #addSource(source: Source): Promise<Finding | undefined> {
    const { from, errors, nul, bom, range } = this.#options;
    if (range && source.size === undefined) {
      throw new UsageFailure(
        `--range needs a file that can be read from any place, and ${source.name} is none`,
      );
    }
    const part = range ? await alignRange(source, from.codec, range) : WHOLE;
    // What is read only once has to be counted on the way, where a fault may end the run.
    const counted =
      source.size === undefined && (errors === 'strict' || nul === 'fail')
        ? new Position(from.codec)
        : undefined;
    for await (const block of blocks(source, from.codec, part)) {
      const isStart = block.offset === 0 && bom === 'strip';
      const flaw = await this.#addBlock(isStart ? this.#stripBom(block) : block);
      if (flaw) {
        const position = counted ?? (await locate(source, from.codec, block.offset));
        const shift = flaw.block.offset - block.offset;
        position.advance(block.bytes.subarray(0, flaw.offset + shift));
        return createFinding(source, flaw.block, flaw, position);
      }
      counted?.advance(block.bytes);
      await this.#progress.advance(block.bytes.length);
    }
    return undefined;
  }

  #stripBom(block: Block): Block {
    const length = findBom(this.#options.from.codec, block.bytes);
    if (length === 0) return block;
    this.#bomsStripped++;
    this.#bytesRead += length;
    this.#characters++;
    return {
      bytes: block.bytes.subarray(length),
      context: block.context.subarray(length),
      offset: block.offset + length,
    };
  }

  /** Converts a block up to what ends the run, and returns that. */
  async #addBlock(block: Block): Promise<(Flaw & { block: Block }) | undefined> {
    const from = this.#options.from.codec;
    const to = this.#options.to.codec;
    const [nul] = findNuls(block.bytes, this.#refused);
    let flaw: Flaw | undefined = nul && { ...nul, reason: 'nul' };
    let bytes = nul ? block.bytes.subarray(0, nul.offset) : block.bytes;
    let result: Uint8Array;
    try {
      result = transcode(bytes, from, to, { errors: this.#mender?.policyFor(block) ?? 'strict' });
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      flaw = { offset: error.offset, length: error.length, reason: findReason(from, block, error) };
      // What is before the fault comes out, however the input was cut into blocks.
      bytes = bytes.subarray(0, error.offset);
      result = transcode(bytes, from, to);
      this.#isTargetAtFault = from.isValid(
        block.bytes.subarray(error.offset, error.offset + error.length),
      );
    }
    if (this.#changes) {
      this.#characters += from.countCodePoints(bytes);
      this.#changes.add(bytes, result, this.#mender?.spans ?? []);
    }
    this.#bytesRead += bytes.length;
    await this.#write(this.#nulFilter?.filter(result) ?? result);
    return flaw && { ...flaw, block };
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#wantsBom && bytes.length > 0) {
      this.#wantsBom = false;
      if (findBom(this.#options.to.codec, bytes) === 0) await this.#writeBom();
    }
    this.#bytesWritten += bytes.length;
    await this.#output.write(bytes);
  }

  async #writeBom(): Promise<void> {
    this.#bomsAdded++;
    await this.#write(encodeBom(this.#options.to.codec));
  }

  /** Waits until all is written. */
  async finish(): Promise<void> {
    if (this.#wantsBom) {
      this.#wantsBom = false;
      await this.#writeBom();
    }
    await this.#output.finish();
  }

  /** What to do about the finding that ended the run. */
  advise({ file, reason }: Finding): string {
    const { from, to } = this.#options;
    if (reason === 'nul') {
      return `${file}: --nul fail refuses U+0000; use --nul remove or --nul replace to go on`;
    }
    const policies = 'add --errors replace, ignore or backslashreplace to go on';
    if (this.#isTargetAtFault) return `${file}: ${to.label} cannot hold this; ${policies}`;
    const argument = file === STDIN ? '' : ` ${quote(file)}`;
    return `${file}: malformed ${from.label}; ${policies}, or list all faults: utf8 check --as ${from.label}${argument}`;
  }

  /** What was not merely converted, in one line; nothing where all was well. */
  summarize(): string {
    const { errors, json } = this.#options;
    const faults = this.#mender?.faults;
    const nuls = this.#nulFilter?.count ?? 0;
    if (!faults?.total && nuls === 0) return '';
    if (json)
      return `${JSON.stringify({ errors, faults: faults ?? {}, nul: this.#describeNul() })}\n`;
    const parts: string[] = [];
    if (faults?.total) {
      parts.push(`${this.#mender?.done} ${count(faults.total, 'fault')} (${faults})`);
    }
    if (nuls > 0) {
      const done = this.#options.nul === 'remove' ? 'removed' : 'replaced';
      parts.push(`${done} U+0000 ${count(nuls, 'time')}`);
    }
    return `utf8: ${parts.join('; ')}\n`;
  }

  /** The statistics, as JSON has them. */
  describe(files: readonly string[]): object {
    const { from, to, errors } = this.#options;
    return {
      files,
      from: from.label,
      to: to.label,
      bytesRead: this.#bytesRead,
      bytesWritten: this.#bytesWritten,
      characters: this.#characters,
      lines: this.#changes?.lines,
      changedCharacters: this.#changes?.characters,
      changedLines: this.#changes?.changedLines,
      errors,
      faults: this.#mender?.faults ?? {},
      nul: this.#describeNul(),
      bom: { stripped: this.#bomsStripped, added: this.#bomsAdded },
    };
  }

  #describeNul(): object {
    const done = this.#nulFilter?.count ?? 0;
    const isRemoved = this.#options.nul === 'remove';
    return { removed: isRemoved ? done : 0, replaced: isRemoved ? 0 : done };
  }
}

/** A file name as a shell takes it. */
function quote(name: string): string {
  return /^[\w./@%+=:,][\w./@%+=:,-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
