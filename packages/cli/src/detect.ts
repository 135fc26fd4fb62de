/** `utf8 detect`: which encodings some files may be in. */
import { Detector, type Report } from '@utf8/detect';
import { chunks } from './chunks.js';
import { openOutput, STDOUT } from './output.js';
import { Printer } from './printer.js';
import { Progress } from './progress.js';
import { formatReport } from './report.js';
import { measure, type Source } from './source.js';
import { createStyle } from './style.js';
import { count } from './tally.js';
import { visit } from './visit.js';

/** What the command line asks for. */
export interface DetectOptions {
  readonly json: boolean;
  /** Whether colour is welcome where it can be seen. */
  readonly color: boolean;
}

/**
 * Prints which encodings some files may be in, and what speaks for each.
 *
 * @returns The exit code: 0 where each file is well-formed in some variant, 1 where one is in none, 3
 *   where one could not be read.
 * @throws {@link OutputFailure} where the output fails.
 */
export async function detect(
  files: readonly string[],
  { json, color }: DetectOptions,
): Promise<number> {
  const progress = new Progress(measure(files));
  const printer = new Printer(await openOutput(STDOUT), progress);
  const style = createStyle(color);
  const detector = new Detector();
  let filesRead = 0;
  let filesInNone = 0;
  let hasFailed = false;
  for (const file of files) {
    const isRead = await visit(file, printer, async (source) => {
      const report = await examine(source, detector, progress);
      if (!json && filesRead > 0) printer.add('\n');
      printer.add(json ? formatJson(file, report) : formatReport(file, report, style));
      filesRead++;
      if (report.verdict.label === undefined) filesInNone++;
      // Who looks on sees each file at once; into a file or a pipe many go together.
      if (printer.isFull || process.stdout.isTTY) await printer.print();
    });
    if (!isRead) hasFailed = true;
  }
  await printer.finish();
  if (filesInNone > 0 && filesRead > 1 && !json) {
    const verb = filesInNone === 1 ? 'is' : 'are';
    await printer.say(
      `utf8: ${filesInNone} of ${count(filesRead, 'file')} ${verb} well-formed in no variant\n`,
    );
  }
  if (hasFailed) return 3;
  return filesInNone > 0 ? 1 : 0;
}

async function examine(source: Source, detector: Detector, progress: Progress): Promise<Report> {
  try {
    for await (const chunk of chunks(source)) {
      detector.push(chunk);
      await progress.advance(chunk.length);
    }
  } catch (error) {
    // What has been read of a file that fails must not count for the next one.
    detector.finish();
    throw error;
  }
  return detector.finish();
}

/** All keys, so that each line has the same ones; `null` is what there is none of. */
function formatJson(file: string, report: Report): string {
  const line = JSON.stringify({ file, ...report }, (_, value) => value ?? null);
  return `${line}\n`;
}
