/** A conversion under way, with what is to be said about it afterwards. */
import { DecodeError, type Fault, transcode, Workbench } from '@utf8/core';
import { type Block, blocks, copyBlock, SIZE } from './blocks.js';
import { type BomPolicy, encodeBom, findBom, startsWith } from './bom.js';
import { type ChangeCounts, Changes } from './changes.js';
import type { Encoding } from './codecs.js';
import type { CounterForm } from './counters.js';
import { UsageFailure } from './failure.js';
import { createFinding, type Finding, type Flaw, findReason } from './finding.js';
import { Mender, type Mending } from './mend.js';
import { findNuls, NulFilter, type NulPolicy, spellingsOfNul } from './nul.js';
import type { Output } from './output.js';
import { locate, Position } from './position.js';
import type { Progress } from './progress.js';
import { alignRange, type Range, WHOLE } from './range.js';
import { quoteName } from './shell.js';
import { openSource, type Source, STDIN } from './source.js';
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
  /** Whether the counts go to stderr for an engine to add up. */
  readonly counters?: CounterForm | undefined;
  readonly json: boolean;
  /** How many threads convert; 1 by default. */
  readonly jobs?: number;
}

/** What there is to say about a part of a conversion. */
export interface Counts {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly characters: number;
  readonly bomsStripped: number;
  readonly bomsAdded: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly nuls: number;
  readonly changes: ChangeCounts | undefined;
}

/** A flaw, and what it takes to tell its line and column. */
interface Spot {
  readonly flaw: Flaw & { readonly block: Block };
  /** What is before the flaw, from `offset` on, where {@link position} is. */
  readonly before: Uint8Array;
  readonly offset: number;
  readonly position: Position | undefined;
}

/** Converts files, one after the other, into one output. */
export class Conversion {
  readonly #options: ConvertOptions;
  readonly #output: Pick<Output, 'write' | 'finish'>;
  readonly #progress: Pick<Progress, 'advance'>;
  readonly #bench: Workbench;
  /** Mends, which takes memory that no kernel works on. */
  readonly #mendingBench: Workbench | undefined;
  /** What mends the faults of the block at hand. */
  #mend: (fault: Fault, bytes: Uint8Array) => string = () => '';
  /** Where blocks with faults are copied to. */
  #spare: Uint8Array = new Uint8Array();
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
  readonly #bom: Uint8Array;
  /** Whether the output still has to begin with a byte order mark. */
  #wantsBom: boolean;
  #bomsAdded = 0;
  /** What the last finding is a fault of. */
  #isTargetAtFault = false;

  constructor(
    options: ConvertOptions,
    output: Pick<Output, 'write' | 'finish'>,
    progress: Pick<Progress, 'advance'>,
  ) {
    const { from, to, errors, nul, bom, range = WHOLE } = options;
    const isCounted = options.stats !== undefined || options.counters !== undefined;
    const filtersNul = nul === 'remove' || nul === 'replace';
    this.#options = options;
    this.#output = output;
    this.#progress = progress;
    this.#bench = new Workbench(from.codec, to.codec);
    if (errors !== 'strict') {
      this.#mender = new Mender(errors, from.codec, to.codec, isCounted);
      this.#mendingBench = new Workbench(from.codec, to.codec, {
        errors: (fault, bytes) => this.#mend(fault, bytes),
      });
    }
    if (filtersNul) this.#nulFilter = new NulFilter(to.codec, nul === 'remove' ? '' : '\uFFFD');
    this.#refused = nul === 'fail' ? spellingsOfNul(from.codec) : [];
    if (isCounted) this.#changes = new Changes(from.codec, to.codec, filtersNul);
    this.#bom = encodeBom(to.codec);
    this.#wantsBom = bom === 'add' && range.from === 0 && range.to > 0;
  }

  /** Converts a file, or the given part of one, up to the first fault where that ends the run. */
  async add(
    file: string,
    range: Range | undefined = this.#options.range,
  ): Promise<Finding | undefined> {
    const source = await openSource(file);
    try {
      const spot = await this.#addSource(source, range);
      this.#changes?.endFile();
      return spot && (await this.#find(source, spot));
    } finally {
      await source.close();
    }
  }

  /**
   * Converts a part of a file that is not the end of what there is to say about it.
   *
   * @returns Whether it came to its end; false at a fault that ends the run.
   */
  async addPart(file: string, range: Range): Promise<boolean> {
    const source = await openSource(file);
    try {
      return (await this.#addSource(source, range)) === undefined;
    } finally {
      await source.close();
    }
  }

  async #find(source: Source, { flaw, before, offset, position }: Spot): Promise<Finding> {
    const place = position ?? (await locate(source, this.#options.from.codec, offset));
    place.advance(before);
    return createFinding(source, flaw.block, flaw, place);
  }

  async #addSource(source: Source, range: Range | undefined): Promise<Spot | undefined> {
    const { from, errors, nul, bom } = this.#options;
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
    // Who looks at blocks besides the kernel would find them overwritten.
    const memory = counted || this.#changes ? undefined : this.#bench.input;
    for await (const block of blocks(source, from.codec, { ...part, memory })) {
      const start =
        block.offset === 0 && bom === 'strip' ? copyBlock(block, new Uint8Array()) : undefined;
      const flaw = await this.#addBlock(start ? this.#stripBom(start) : block);
      if (flaw) {
        const { bytes } = start ?? flaw.block;
        const before = bytes.subarray(0, flaw.block.offset - block.offset + flaw.offset);
        return { flaw, before, offset: block.offset, position: counted };
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
    const [nul] = findNuls(block.bytes, this.#refused);
    const bytes = nul ? block.bytes.subarray(0, nul.offset) : block.bytes;
    const result = this.#changes ? undefined : this.#transcodeInPlace(bytes);
    if (!result || nul) return this.#addCopy(this.#changes ? block : this.#copy(block));
    this.#bytesRead += bytes.length;
    await this.#write(this.#nulFilter?.filter(result) ?? result);
    return undefined;
  }

  #copy(block: Block): Block {
    if (this.#spare.length === 0) this.#spare = new Uint8Array(2 * SIZE);
    return copyBlock(block, this.#spare);
  }

  /** The result where the kernel leaves it; undefined where there is a fault. */
  #transcodeInPlace(bytes: Uint8Array): Uint8Array | undefined {
    try {
      return this.#bench.transcode(bytes);
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }

  /** Converts a block that no kernel overwrites, so that faults can be looked at. */
  async #addCopy(block: Block): Promise<(Flaw & { block: Block }) | undefined> {
    const from = this.#options.from.codec;
    const to = this.#options.to.codec;
    const [nul] = findNuls(block.bytes, this.#refused);
    let flaw: Flaw | undefined = nul && { ...nul, reason: 'nul' };
    let bytes = nul ? block.bytes.subarray(0, nul.offset) : block.bytes;
    let result: Uint8Array;
    try {
      if (this.#mender) this.#mend = this.#mender.policyFor(block);
      result = this.#mendingBench?.transcode(bytes) ?? transcode(bytes, from, to);
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
      if (!startsWith(bytes, this.#bom)) await this.#writeBom();
    }
    this.#bytesWritten += bytes.length;
    await this.#output.write(bytes);
  }

  async #writeBom(): Promise<void> {
    this.#bomsAdded++;
    await this.#write(this.#bom);
  }

  /** Waits until all is written. */
  async finish(): Promise<void> {
    if (this.#wantsBom) {
      this.#wantsBom = false;
      await this.#writeBom();
    }
    await this.#output.finish();
  }

  /** What has been done since the last time, for another conversion to {@link merge}. */
  takeCounts(): Counts {
    const counts = {
      bytesRead: this.#bytesRead,
      bytesWritten: this.#bytesWritten,
      characters: this.#characters,
      bomsStripped: this.#bomsStripped,
      bomsAdded: this.#bomsAdded,
      faults: this.#mender?.faults.take() ?? {},
      nuls: this.#nulFilter?.count ?? 0,
      changes: this.#changes?.take(),
    };
    this.#bytesRead = this.#bytesWritten = this.#characters = 0;
    this.#bomsStripped = this.#bomsAdded = 0;
    if (this.#nulFilter) this.#nulFilter.count = 0;
    return counts;
  }

  /**
   * Adds what another conversion has done with the part that comes next.
   *
   * @param endsFile - Whether a file ends with that part.
   */
  merge(counts: Counts, endsFile: boolean): void {
    this.#bytesRead += counts.bytesRead;
    this.#bytesWritten += counts.bytesWritten;
    this.#characters += counts.characters;
    this.#bomsStripped += counts.bomsStripped;
    this.#bomsAdded += counts.bomsAdded;
    this.#mender?.faults.merge(counts.faults);
    if (this.#nulFilter) this.#nulFilter.count += counts.nuls;
    if (counts.changes) this.#changes?.merge(counts.changes);
    if (endsFile) this.#changes?.endFile();
    if (counts.bytesWritten > 0) this.#wantsBom = false;
  }

  /** What to do about the finding that ended the run. */
  advise({ file, reason }: Finding): string {
    const { from, to } = this.#options;
    if (reason === 'nul') {
      return `${file}: --nul fail refuses U+0000; use --nul remove or --nul replace to go on`;
    }
    const policies = 'add --errors replace, ignore or backslashreplace to go on';
    if (this.#isTargetAtFault) return `${file}: ${to.label} cannot hold this; ${policies}`;
    const argument = file === STDIN ? '' : ` ${quoteName(file)}`;
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
