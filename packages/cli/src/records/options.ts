/** What `utf8 convert --format …` is asked to do, and what cannot be asked at once. */
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CounterForm } from '../counters.js';
import { UsageFailure } from '../failure.js';
import { STDOUT } from '../output.js';
import type { Range } from '../range.js';
import type { RepairOptions } from '../repair/options.js';
import { STDIN } from '../source.js';
import type { FormatChoice } from './order.js';

/** What the command line asks for. */
export interface RecordOptions extends RepairOptions {
  readonly format: FormatChoice;
  /** A path, or `-` for stdout. */
  readonly output: string;
  readonly rejects: string | undefined;
  readonly undo: string | undefined;
  /** A path, or `-` for stdout or stderr, whichever carries no data. */
  readonly stats: string | undefined;
  /** Whether the counts go to stderr for an engine to add up. */
  readonly counters: CounterForm | undefined;
  readonly range: Range | undefined;
  readonly resume: boolean;
  readonly json: boolean;
  /** How many threads rewrite. */
  readonly jobs: number;
}

/**
 * Makes sure that options go together.
 *
 * @throws {@link UsageFailure} where they do not.
 */
export function checkOptions(file: string, options: RecordOptions): void {
  const { range, output, rejects, undo, stats, resume } = options;
  for (const [flag, path] of Object.entries({ '--rejects': rejects, '--undo': undo })) {
    if (path !== STDOUT) continue;
    throw new UsageFailure(
      `${flag} needs a file of its own, since stdout has the output; name one`,
    );
  }
  const outputs: [string, string | undefined][] = [
    ['-o', output],
    ['--rejects', rejects],
    ['--undo', undo],
    ['--stats', stats],
  ];
  refuseTwice(outputs);
  // The output may be the input, since it is another file until the end; nothing else may.
  if (file !== STDIN) refuseInput(file, outputs.slice(1));
  if (resume) {
    if (output === STDOUT) {
      throw new UsageFailure('--resume needs a file to go on with; name it with -o');
    }
    if (file === STDIN) {
      throw new UsageFailure(
        '--resume needs an input that can be read again, and - is none; name a file',
      );
    }
  }
  if (range && (file === STDIN || !isFile(file))) {
    throw new UsageFailure(`--range needs a file that can be read from any place; ${file} is none`);
  }
}

/** Whether a path is that of a regular file, or of nothing, which whoever opens it will say. */
export const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;

function refuseTwice(outputs: readonly [string, string | undefined][]): void {
  const seen = new Map<string, string>();
  for (const [flag, path] of outputs) {
    if (path === undefined || path === STDOUT) continue;
    const before = seen.get(findReal(path));
    if (before)
      throw new UsageFailure(`${before} and ${flag} name the same file, ${path}; name two`);
    seen.set(findReal(path), flag);
  }
}

function refuseInput(file: string, outputs: readonly [string, string | undefined][]): void {
  for (const [flag, path] of outputs) {
    if (path === undefined || path === STDOUT || !isFile(path)) continue;
    if (findReal(path) !== findReal(file)) continue;
    throw new UsageFailure(
      `${flag} names the input, ${path}, which would be lost; name another file`,
    );
  }
}

/** A path without symbolic links, as far as there is something. */
function findReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
