import { Command, Option } from 'commander';
import { STDOUT } from '../output.js';
import { STDIN } from '../source.js';
import { configure, footer, type Report } from './command.js';

interface Flags {
  readonly undo: string;
  readonly output: string;
}

/** `utf8 revert`, as the command line has it. */
export function createRevert(report: Report): Command {
  return configure(new Command('revert'))
    .description('Undoes a conversion with what utf8 convert --undo wrote, byte by byte.')
    .argument('[file]', 'what that conversion wrote, - for stdin')
    .requiredOption('--undo <file>', 'what --undo wrote')
    .addOption(
      new Option('-o, --output <file>', 'where to write, all or nothing; - for stdout').default(
        STDOUT,
        'stdout',
      ),
    )
    .addHelpText('after', footer)
    .action(async (file: string | undefined, flags: Flags) => {
      const { revert } = await import('../records/revert.js');
      report(await revert(file ?? STDIN, flags));
    });
}
