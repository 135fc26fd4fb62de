/** The command line for the conversion that a scan has checked. */
import { basename } from 'node:path';
import type { FormatOptions, ScanReport } from '@utf8/dump';
import { STDIN } from '../input/stdin.js';
import { quotePath, quoteWord } from './shell.js';

/**
 * Writes a `utf8 convert` command line for a shell.
 *
 * @param dialect - The options of the format, as they were written.
 * @param policies - Values of options by name.
 * @param rejects - Records to set aside: refused `rows`, or their `children` as well, which refer to them.
 */
export function formatNextCommand(
  file: string,
  dialect: readonly string[],
  policies: Readonly<Record<string, string>> & { readonly to: string },
  rejects?: 'rows' | 'children',
): string {
  const name = nameAfter(file);
  const args = ['utf8', 'convert'];
  if (file !== STDIN) args.push(quotePath(file));
  args.push(...dialect.map(quoteWord));
  for (const [option, value] of Object.entries(policies)) {
    args.push(`--${option}`, quoteWord(value));
  }
  if (rejects) args.push('--rejects', quotePath(name('rejects')));
  if (rejects === 'children') args.push('--reject-children');
  args.push('--undo', quotePath(name('undo')), '-o', quotePath(name(policies.to)));
  return args.join(' ');
}

/** Rewrites declarations. Without it, a conversion stops where a server would store another text. */
const FIX = '--fix-header';

/** Tells whether a conversion would change a file and reach its end. Text that is right as declared needs none. */
const isConvertible = ({
  flaws,
  outsideRecords,
  misdeclared,
  hazards,
  declared,
  failed,
}: ScanReport['files'][number]): boolean =>
  !failed &&
  outsideRecords + hazards.length === 0 &&
  declared?.fits !== 'all' &&
  flaws + misdeclared > 0;

/**
 * Writes the command lines that convert the scanned files.
 *
 * @param dialect - The options of the format.
 * @param policies - Values of options by name.
 * @param isDecoded - Tells whether a policy decodes an encoding that a dump declares.
 */
export function formatNextCommands(
  { files, findings }: ScanReport,
  dialect: readonly string[],
  policies: Readonly<Record<string, string>> & { readonly to: string },
  isDecoded: (charset: string) => boolean,
): string[] {
  return files.filter(isConvertible).map(({ file, rejected, misdeclared, declared }) => {
    // With --fix-header, text in the declared encoding is decoded.
    const decodes =
      policies.errors === 'fail' && declared?.fits === 'some' && isDecoded(declared.charset);
    // Rows that refer to rejected ones end a conversion.
    const kept = findings['orphaned-row'] ? 'children' : 'rows';
    const rejects = rejected > 0 ? kept : undefined;
    const fixes = (misdeclared > 0 || decodes) && !dialect.includes(FIX);
    return formatNextCommand(file, fixes ? [...dialect, FIX] : dialect, policies, rejects);
  });
}

/** The words that name a format which was recognised, with the delimiter that was guessed. */
export function spellFormat(
  values: Readonly<Record<string, unknown>>,
  { format, formatOptions }: { readonly format: string; readonly formatOptions: FormatOptions },
): readonly string[] {
  if (values.format !== undefined) return [];
  const { delimiter } = formatOptions;
  const isGuessed = typeof delimiter === 'string' && values.delimiter === undefined;
  const spelled = isGuessed ? (delimiter === '\t' ? '\\t' : delimiter) : undefined;
  return ['--format', format, ...(spelled === undefined ? [] : ['--delimiter', spelled])];
}

/** Names files after an input: `dump.csv.gz` makes `dump.rejects.csv`. */
function nameAfter(file: string): (what: string) => string {
  const unpacked = basename(file === STDIN ? 'stdin' : file).replace(/\.(?:gz|zst)$/, '');
  const [, stem = unpacked, ending = ''] = /^(.+)(\.[^.]+)$/s.exec(unpacked) ?? [];
  return (what) => `${stem}.${what}${what === 'undo' ? '.jsonl' : ending}`;
}
