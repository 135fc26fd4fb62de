/** The command line: what there is, and what is wrong with what somebody wrote. */
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { createCheck } from './commands/check.js';
import { configure, footer } from './commands/command.js';
import { createConvert } from './commands/convert.js';
import { createDetect } from './commands/detect.js';
import { createExplain } from './commands/explain.js';
import { createRevert } from './commands/revert.js';
import { createScan } from './commands/scan.js';
import { BrokenPipe, Failure } from './failure.js';
import { undoAll } from './interrupt.js';
import { say } from './say.js';

/**
 * Runs the command.
 *
 * @param args - What stands on the command line behind the program's name.
 * @returns The exit code.
 */
export async function run(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    undoAll();
    return sayWhy(error);
  }
}

/** Says in one sentence what ended the run, unless that has been said. */
async function sayWhy(error: unknown): Promise<number> {
  if (error instanceof BrokenPipe) return 0;
  if (error instanceof Failure) {
    await say(`utf8: ${error.message}\n`);
    return error.exitCode;
  }
  // Commander has said it already. Its own exit code for any wrong usage is 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  await say(`utf8: this is a bug in utf8 itself: ${error}; please report it\n`);
  return 3;
}

function createProgram(report: (exitCode: number) => void): Command {
  const program = configure(new Command('utf8'))
    .description('Converts, checks, detects and explains every encoding that calls itself UTF-8.')
    .version(manifest.version)
    .addHelpText('after', footer);
  const creators = [
    createConvert,
    createRevert,
    createScan,
    createCheck,
    createDetect,
    createExplain,
  ];
  for (const create of creators) program.addCommand(create(report));
  return program;
}
