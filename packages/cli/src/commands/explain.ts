import { Command } from 'commander';
import { findEncoding } from '../codecs.js';
import { explain } from '../explain.js';
import { UsageFailure } from '../failure.js';
import { parseHex } from '../hex.js';
import { STDIN } from '../source.js';
import { configure, createVendorOption, footer, type Report } from './command.js';

interface Flags {
  readonly hex?: readonly string[];
  readonly as?: string;
  readonly vendor?: string;
  readonly json?: true;
  readonly color: boolean;
}

/** `utf8 explain`, as the command line has it. */
export function createExplain(report: Report): Command {
  return configure(new Command('explain'))
    .description('Shows bytes one sequence a line: bits, character, rule, and who takes it.')
    .argument('[file]', 'what to read, - for stdin')
    .option('--hex <bytes...>', 'the bytes themselves, as in "2F C0 AE 2E 2F"')
    .option('--as <encoding>', 'the one encoding to ask, instead of all')
    .option('--json', 'sequences as JSON, one object a line')
    .option('--no-color', 'no colour, which is else used on a terminal')
    .addOption(createVendorOption())
    .addHelpText('after', footer)
    .action(async (file: string | undefined, { hex, as, vendor, json, color }: Flags) => {
      if (hex && file !== undefined) {
        throw new UsageFailure('--hex and a file are two inputs; name one');
      }
      const input = hex ? parseHex(hex.join(' ')) : (file ?? STDIN);
      const options = {
        as: as === undefined ? undefined : findEncoding(as, vendor).label,
        json: json ?? false,
        color,
      };
      report(await explain(input, options));
    });
}
