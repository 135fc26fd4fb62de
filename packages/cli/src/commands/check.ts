import { Command } from 'commander';
import { check } from '../check.js';
import { findEncoding } from '../codecs.js';
import {
  checkInputs,
  configure,
  createVendorOption,
  footer,
  parseNumber,
  type Report,
} from './command.js';

interface Flags {
  readonly as: string;
  readonly json?: true;
  readonly max?: string;
  readonly vendor?: string;
}

/** `utf8 check`, as the command line has it. */
export function createCheck(report: Report): Command {
  return configure(new Command('check'))
    .description('Prints where files, or stdin, are malformed.')
    .argument('[file...]', 'what to read, - for stdin', [])
    .requiredOption('--as <encoding>', 'the encoding that the input should have')
    .option('--json', 'findings as JSON, one object a line')
    .option('--max <number>', 'stop after so many findings')
    .addOption(createVendorOption())
    .addHelpText('after', footer)
    .action(async (files: string[], flags: Flags) => {
      const options = {
        as: findEncoding(flags.as, flags.vendor),
        json: flags.json ?? false,
        max: parseNumber('--max', flags.max, Number.POSITIVE_INFINITY),
      };
      report(await check(checkInputs(files), options));
    });
}
