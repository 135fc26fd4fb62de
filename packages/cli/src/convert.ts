/** `utf8 convert`: bytes of one encoding to bytes of another. */
import { resolve } from 'node:path';
import { Conversion, type ConvertOptions } from './conversion.js';
import { UsageFailure } from './failure.js';
import { formatFinding } from './finding.js';
import { type Output, openOutput, STDOUT } from './output.js';
import { Progress } from './progress.js';
import { type Range, WHOLE } from './range.js';
import { say } from './say.js';
import { measure, refuseStdout, requireReadable } from './source.js';

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
function clip(total: number | undefined, { from, to }: Range = WHOLE): number | undefined {
  return total === undefined ? undefined : Math.max(0, Math.min(to, total) - from);
}

function checkStats({ stats, output }: ConvertOptions): void {
  if (stats === undefined || stats === STDOUT || resolve(stats) !== resolve(output)) return;
  throw new UsageFailure(`-o and --stats name the same file, ${stats}; name two`);
}
