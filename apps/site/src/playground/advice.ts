/** Advice about an input: command lines that never lose data. */
import type { Label, Report } from '@utf8/detect';
import { quoteArgument } from '../../../../packages/cli/src/words/shell.js';
import type { Scanned, ScanRequest } from './scan.js';

/** One thing to do. */
export interface Step {
  readonly what: string;
  readonly command: string;
  /** The encoding and the policy of a conversion of plain text; undefined for any other command. */
  readonly conversion?: { readonly from: Label; readonly errors: 'fail' | 'escape' };
}

/** Facts about an input besides its report. */
export interface Origin {
  /** The name of the file; undefined for bytes that were typed. */
  readonly file: string | undefined;
  /** The format of a dump, as `--format` names it. */
  readonly format: string | undefined;
  /** True for SQL of an unknown program. */
  readonly isOtherSql?: boolean;
  readonly hasMojibake: boolean;
  /** Result of the scan of a dump. */
  readonly scanned?: Scanned | undefined;
  /** Reason why it stopped. */
  readonly scanError?: string | undefined;
}

/** The policy by which a dump is scanned. Malformed bytes are refused: they may be text as the dump declares it. */
export const scanPolicies = ({ counts }: Report): Pick<ScanRequest, 'unpairedSurrogates'> => ({
  unpairedSurrogates: counts.loneSurrogates > 0 ? 'escape' : 'fail',
});

/** Advises on an input. Each command succeeds on it, except that a scan ends with 1 if it finds something, and none loses data. */
export function advise(report: Report, origin: Origin): Step[] {
  const { verdict, counts } = report;
  const file = quote(origin.file ?? 'FILE');
  const { format, scanned, scanError } = origin;
  const { label, nearest } = verdict;
  const { loneSurrogates, beyondUnicode, fiveByte, sixByte } = counts;
  // Decoded, such bytes may become `../` after a filter has passed them.
  if (counts.overlongs > 0) {
    return [
      {
        what: 'Refuse such text, and see what each byte means',
        command: `utf8 explain ${file}`,
      },
    ];
  }
  const isUtf8 = label === 'utf-8' || label === 'utf8mb3';
  // Only the scan sees what a dump declares, even of well-formed UTF-8, and it names the command that fits.
  if (format) {
    // A scan that stopped in the page stops in a shell, too.
    if (scanned?.isClean || scanError !== undefined) return [];
    const { unpairedSurrogates } = scanPolicies(report);
    const policies =
      unpairedSurrogates === 'fail' ? [] : ['--unpaired-surrogates', unpairedSurrogates];
    const command = ['utf8 scan', '-f', nearest, '--format', format, ...policies, file].join(' ');
    return scanned?.next
      ? [
          { what: 'Convert to UTF-8', command: scanned.next },
          { what: 'List all findings, and keys that become equal', command },
        ]
      : [{ what: 'See what a conversion changes, and which command does it', command }];
  }
  if (origin.isOtherSql) return [];
  if (isUtf8) {
    if (!origin.hasMojibake) return [];
    const args = ['--format', 'lines', '--mojibake', 'repair'];
    return [{ what: 'Undo the second encoding', command: convert('utf-8', args, origin) }];
  }
  // Binary data is not repaired as text.
  const { twoByte, threeByte, fourByte, pairs, malformed } = counts;
  const isNoise = malformed > twoByte + threeByte + fourByte + pairs + loneSurrogates;
  const isBinary = label === undefined && counts.rawNul > 0 && isNoise;
  if (isBinary) return [{ what: 'See what each byte means', command: `utf8 explain ${file}` }];
  const hasForeign = loneSurrogates + beyondUnicode + fiveByte + sixByte > 0;
  // UTF-8 has no form for them: a policy must say what becomes of them.
  const errors = label === undefined || hasForeign ? 'escape' : 'fail';
  const args = errors === 'fail' ? [] : ['--errors', errors];
  return [
    {
      what:
        label === undefined
          ? 'Convert what is well-formed, and keep the other bytes in a visible form'
          : 'Convert to UTF-8',
      command: convert(nearest, args, origin),
      conversion: { from: nearest, errors },
    },
  ];
}

function convert(from: string, args: readonly string[], { file = 'FILE' }: Origin): string {
  const [stem] = splitName(file);
  const undo = args.includes('--format') ? ['--undo', quote(`${stem}.undo.jsonl`)] : [];
  const output = quote(nameResult(file, 'utf-8'));
  return ['utf8 convert', '-f', from, ...args, ...undo, quote(file), '-o', output].join(' ');
}

/** Splits the name of a file before its ending, which is that of the unpacked file: `utf8 convert` packs nothing. */
function splitName(file: string): [stem: string, ending: string] {
  const unpacked = file.replace(/(?<=.)\.(?:gz|zst)$/i, '');
  const [, stem = unpacked, ending = ''] = /^(.+?)(\.[^.]+)?$/.exec(unpacked) ?? [];
  return [stem, ending];
}

/** Names the result of a conversion: `dump.utf-8.sql` for `dump.sql` and for `dump.sql.gz`. */
export function nameResult(file: string, to: string): string {
  const [stem, ending] = splitName(file);
  return `${stem}.${to}${ending}`;
}

/** A name that begins like an option would be read as one. */
export const quote = (name: string): string =>
  quoteArgument(name.startsWith('-') ? `./${name}` : name);
