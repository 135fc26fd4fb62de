import { Command } from 'commander';
import { detect } from '../detect.js';
import { checkInputs, configure, footer, type Report } from './command.js';

interface Flags {
  readonly json?: true;
  readonly color: boolean;
}

/** `utf8 detect`, as the command line has it. */
export function createDetect(report: Report): Command {
  return configure(new Command('detect'))
    .description('Tells which encodings files, or stdin, may be in, and what speaks for each.')
    .argument('[file...]', 'what to read, - for stdin', [])
    .option('--json', 'reports as JSON, one object a line')
    .option('--no-color', 'no colour, which is else used on a terminal')
    .addHelpText('after', footer)
    .action(async (files: string[], flags: Flags) => {
      const options = { json: flags.json ?? false, color: flags.color };
      report(await detect(checkInputs(files), options));
    });
}
