/** `utf8 convert`: bytes of one encoding to bytes of another. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Conversion, type ConvertOptions } from './conversion.js';
import { formatCounters } from './counters.js';
import { convertTogether } from './crew.js';
import { UsageFailure } from './failure.js';
import { type Finding, formatFinding } from './finding.js';
import { type Output, openOutput, STDOUT } from './output.js';
import { Progress } from './progress.js';
import { type Range, WHOLE } from './range.js';
import { say } from './say.js';
import { measure, refuseStdout, requireReadable, STDIN } from './source.js';

export type { ConvertOptions };

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
  const { jobs = 1 } = options;
  if (jobs > 1) requireFiles(files, options.output);
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
    const finding =
      jobs > 1 && output.file !== undefined
        ? await convertTogether(files, { ...options, jobs }, conversion, output.file, progress)
        : await convertInTurn(files, conversion);
    if (finding) {
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
    // Last, since an engine takes them for those of a run that went well.
    if (options.counters) await say(formatCounters(conversion.describe(files)));
    return 0;
  } finally {
    progress.clear();
    output.discard();
    stats?.discard();
  }
}

async function convertInTurn(
  files: readonly string[],
  conversion: Conversion,
): Promise<Finding | undefined> {
  for (const file of files) {
    const finding = await conversion.add(file);
    if (finding) return finding;
  }
  return undefined;
}

/** Makes sure that inputs can be read from any place, and the output written to, for `--jobs`. */
function requireFiles(files: readonly string[], output: string): void {
  for (const file of files) {
    if (file !== STDIN && statSync(file).isFile()) continue;
    throw new UsageFailure(
      `--jobs needs files that can be read from any place, and ${file} is none; leave --jobs out`,
    );
  }
  const stats = output === STDOUT ? undefined : statSync(output, { throwIfNoEntry: false });
  if (output !== STDOUT && (!stats || stats.isFile() || stats.isDirectory())) return;
  const name = output === STDOUT ? 'stdout' : output;
  throw new UsageFailure(
    `--jobs needs a file to write to, and ${name} is none; name one with -o, or leave --jobs out`,
  );
}

/** How much of so many bytes lies in a range. */
function clip(total: number | undefined, { from, to }: Range = WHOLE): number | undefined {
  return total === undefined ? undefined : Math.max(0, Math.min(to, total) - from);
}

function checkStats({ stats, output }: ConvertOptions): void {
  if (stats === undefined || stats === STDOUT || resolve(stats) !== resolve(output)) return;
  throw new UsageFailure(`-o and --stats name the same file, ${stats}; name two`);
}
