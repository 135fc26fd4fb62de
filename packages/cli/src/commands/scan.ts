import { Command } from 'commander';
import { addScanFlags, readScanFlags, type ScanFlags } from '../scan/flags.js';
import { scan } from '../scan/scan.js';
import { checkInputs, configure, footer, type Report } from './command.js';

/** `utf8 scan`, as the command line has it. */
export function createScan(report: Report): Command {
  return addScanFlags(configure(new Command('scan')))
    .addHelpText('after', footer)
    .action(async (files: string[], flags: ScanFlags) => {
      const inputs = checkInputs(files);
      report(await scan(inputs, readScanFlags(inputs, flags)));
    });
}
