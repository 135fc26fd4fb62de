/** `utf8 scan`: everything that a conversion of records would change, refuse or break. */
import { statSync } from 'node:fs';
import { InputFailure, UsageFailure } from '../failure.js';
import { type Format, FormatFailure, type Piece } from '../formats/index.js';
import { openInput } from '../inputs/open.js';
import { type Output, openOutput, STDOUT } from '../output.js';
import { Printer } from '../printer.js';
import { Progress } from '../progress.js';
import type { RepairOptions } from '../repair/options.js';
import { Repairer } from '../repair/repairer.js';
import { measure, type Source, STDIN } from '../source.js';
import { adviseConversion } from './advice.js';
import { Collisions } from './collisions.js';
import type { Column } from './column.js';
import type { Finding } from './finding.js';
import { Inspector, type Tools } from './inspector.js';
import { KeyReader } from './key.js';
import { KeyInspector } from './key-inspector.js';
import { type Limit, Limits } from './limit.js';
import { readParts, type Stretch } from './stretches.js';
import { Summary } from './summary.js';

/** What the command line asks for. */
export interface ScanOptions {
  readonly format: Format;
  /** The options of the format, as they were written. */
  readonly formatFlags: readonly string[];
  readonly repair: RepairOptions;
  readonly keys: readonly Column[];
  readonly limits: readonly Limit[];
  /** A path. */
  readonly report: string | undefined;
  readonly json: boolean;
  /** How many findings of each kind are shown. */
  readonly max: number;
}

/**
 * Scans files.
 *
 * @returns The exit code: 0 where nothing is found, 1 where something is, 3 where a file could not be read.
 * @throws {@link Failure} where an output fails, and where a column that is asked for is in no record.
 */
export async function scan(files: readonly string[], options: ScanOptions): Promise<number> {
  const readings = options.keys.length > 0 ? 2 : 1;
  if (readings > 1) requireFiles(files);
  const size = measure(files);
  const progress = new Progress(size === undefined ? undefined : readings * size);
  const printer = new Printer(await openOutput(STDOUT), progress);
  const report = options.report === undefined ? undefined : await openOutput(options.report);
  const scanning = new Scan(options, printer, report, progress);
  try {
    return await scanning.run(files);
  } finally {
    progress.clear();
    report?.discard();
    scanning.stop();
  }
}

/** Makes sure that files can be read twice. */
function requireFiles(files: readonly string[]): void {
  for (const file of files) {
    const stats = file === STDIN ? undefined : statSync(file, { throwIfNoEntry: false });
    if (file !== STDIN && (!stats || stats.isFile() || stats.isDirectory())) continue;
    throw new UsageFailure(
      `--key needs files that can be read twice, and ${file === STDIN ? 'stdin' : file} is none; write it to a file first`,
    );
  }
}

class Scan {
  readonly #options: ScanOptions;
  readonly #printer: Printer;
  readonly #report: Printer | undefined;
  readonly #reportOutput: Output | undefined;
  readonly #progress: Progress;
  readonly #tools: Tools;
  readonly #summary: Summary;
  readonly #failed = new Set<string>();
  /** The command lines to run next, one for each file that would not stay as it is. */
  readonly #next: string[] = [];
  /** Some of the columns that there are, for who asked for another. */
  readonly #columns = new Set<string>();

  constructor(
    options: ScanOptions,
    printer: Printer,
    report: Output | undefined,
    progress: Progress,
  ) {
    const { format, repair, keys, limits, max } = options;
    this.#options = options;
    this.#printer = printer;
    this.#reportOutput = report;
    this.#report = report && new Printer(report, progress);
    this.#progress = progress;
    this.#summary = new Summary(max);
    this.#tools = {
      format,
      options: repair,
      repairer: new Repairer(repair, format),
      keys: new KeyReader(keys),
      limits: new Limits(limits),
      collisions: new Collisions(),
    };
  }

  async run(files: readonly string[]): Promise<number> {
    await this.#inspectAll(files);
    this.#refuseUnseen();
    if (this.#tools.collisions.isWanted) await this.#inspectKeys(files);
    return this.#finish();
  }

  /** Removes what is temporary. */
  stop(): void {
    this.#tools.collisions.remove();
  }

  async #inspectAll(files: readonly string[]): Promise<void> {
    const { limits, keys } = this.#tools;
    // Until every column has been seen, so that a wrong name is known without a second reading.
    const readsAll = (): boolean => limits.isAsked || keys.unseen.size > 0;
    const inspector = new Inspector(this.#tools, (finding) => this.#add(finding));
    const summary = this.#summary;
    for (const file of files) {
      const { flaws, rejected } = summary;
      await this.#visit(file, async (source) => {
        summary.records += await this.#read(source, readsAll, (stretch, piece) => {
          const fate = inspector.inspect(file, stretch, piece);
          if (piece.kind === 'record') summary.addFate(fate);
        });
        if (summary.flaws > flaws) this.#next.push(this.#advise(file, summary.rejected > rejected));
      });
    }
  }

  async #inspectKeys(files: readonly string[]): Promise<void> {
    const inspector = new KeyInspector(this.#tools, (finding) => this.#add(finding));
    for (const file of files) {
      if (this.#failed.has(file)) continue;
      await this.#visit(file, async (source) => {
        await this.#read(
          source,
          () => true,
          (stretch, piece) => inspector.inspect(file, stretch, piece),
        );
      });
    }
    for (const finding of this.#tools.collisions.find()) {
      this.#add(finding);
      await this.#print();
    }
  }

  /** Reads a file; one that cannot be read does not keep the others from being read. */
  async #visit(file: string, read: (source: Source) => Promise<void>): Promise<void> {
    let source: Source | undefined;
    try {
      source = await openInput(file, { compressed: true });
      await read(source);
    } catch (error) {
      if (!(error instanceof InputFailure)) throw error;
      this.#failed.add(file);
      const { message } = error instanceof FormatFailure ? error.in(file) : error;
      await this.#printer.say(`utf8: ${message}\n`);
    } finally {
      await source?.close();
    }
  }

  /** Reads the pieces of a file, and returns how many records there are. */
  async #read(
    source: Source,
    readsAll: () => boolean,
    look: (stretch: Stretch, piece: Piece) => void,
  ): Promise<number> {
    const { format, repairer } = this.#tools;
    let records = 0;
    for await (const part of readParts(source, format, repairer.isClean, readsAll)) {
      for (const stretch of part.stretches) {
        for (const piece of format.createReader(stretch.state).read(stretch.bytes)) {
          this.#remember(piece);
          look(stretch, piece);
          if (this.#isFull) await this.#print();
        }
      }
      records += part.records;
      await this.#print();
      await this.#progress.advance(part.length);
    }
    return records;
  }

  /** Keeps the names of some columns while there is one that has not been seen. */
  #remember(piece: Piece): void {
    const { keys, limits } = this.#tools;
    if (keys.unseen.size + limits.unseen.size === 0 || piece.kind !== 'record') return;
    for (const { column, number } of piece.fields) {
      if (this.#columns.size < 20) this.#columns.add(column ?? String(number));
    }
  }

  #refuseUnseen(): void {
    if (this.#failed.size > 0 || this.#summary.records === 0) return;
    const { keys, limits } = this.#tools;
    for (const [option, [column]] of [
      ['--key', keys.unseen],
      ['--limit', limits.unseen],
    ] as const) {
      if (!column) continue;
      throw new UsageFailure(
        `${option} names a column ${JSON.stringify(column.text)} that no record has; there are ${[...this.#columns].join(', ')}`,
      );
    }
  }

  #add(finding: Finding): void {
    this.#summary.add(finding);
    const line = this.#report || this.#options.json ? `${JSON.stringify(finding)}\n` : '';
    this.#report?.add(line);
    if (this.#options.json) this.#printer.add(line);
  }

  get #isFull(): boolean {
    return this.#printer.isFull || (this.#report?.isFull ?? false);
  }

  async #print(): Promise<void> {
    await this.#printer.print();
    await this.#report?.print();
  }

  async #finish(): Promise<number> {
    const summary = this.#summary;
    await this.#report?.finish();
    this.#reportOutput?.commit();
    if (!this.#options.json) {
      this.#printer.add(`${summary}`);
      if (this.#next.length > 0) this.#printer.add(`\nNext: ${this.#next.join('\nNext: ')}\n`);
    }
    await this.#printer.finish();
    if (this.#options.json) await this.#printer.say(`${JSON.stringify(summary)}\n`);
    if (this.#failed.size > 0) return 3;
    return summary.total > 0 ? 1 : 0;
  }

  #advise(file: string, rejects: boolean): string {
    const { repair, formatFlags: format } = this.#options;
    return adviseConversion({ file, repair, format, rejects });
  }
}
