/** The command line that does what a scan has told of. */
import { basename } from 'node:path';
import type { RepairOptions } from '../repair/options.js';
import { quoteName } from '../shell.js';
import { STDIN } from '../source.js';

/** A command line of `utf8 convert`. */
export interface Advised {
  readonly file: string;
  readonly repair: RepairOptions;
  /** The options of the format, as they were written. */
  readonly format: readonly string[];
  /** Whether there is something to set apart. */
  readonly rejects: boolean;
}

/** Writes the command line, for a shell. */
export function adviseConversion({ file, repair, format, rejects }: Advised): string {
  const { from, to, loneHalves, nul, errors } = repair;
  const name = nameAs(file);
  const args = ['utf8', 'convert'];
  // A name that begins like an option is taken for one.
  if (file !== STDIN) args.push(file.startsWith('-') ? `./${file}` : file);
  args.push(...format, '--from', from.label, '--to', to.label);
  args.push('--lone-halves', loneHalves, '--nul', nul, '--errors', errors);
  if (rejects) args.push('--rejects', name('rejects'));
  args.push('--undo', name('undo'), '-o', name(to.label));
  return args.map((arg) => (OPTION.test(arg) ? arg : quoteName(arg))).join(' ');
}

const OPTION = /^--?[a-z-]+$/;

/** Names files after an input: `dump.csv.gz` makes `dump.rejects.csv`. */
function nameAs(file: string): (what: string) => string {
  const unpacked = basename(file === STDIN ? 'stdin' : file).replace(/\.(?:gz|zst)$/, '');
  const [, stem = unpacked, ending = ''] = /^(.+)(\.[^.]+)$/.exec(unpacked) ?? [];
  return (what) => `${stem}.${what}${what === 'undo' ? '.jsonl' : ending}`;
}
