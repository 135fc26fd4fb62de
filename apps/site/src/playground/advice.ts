/** Advice about an input: command lines that never lose data. */
import type { Label, Report } from '@utf8/detect';
import { quotePath, quoteWord } from '../../../../packages/cli/src/words/shell.js';
import type { Scanned, ScanRequest } from './scan.js';

/** One thing to do. */
export interface Step {
  readonly what: string;
  readonly command: string;
  /** The encoding and the policy of a conversion of plain text; undefined for any other command. */
  readonly conversion?: {
    readonly from: Label;
    readonly errors: 'fail' | 'escape' | typeof LEGACY;
  };
}

/** Facts about an input besides its report. */
export interface Origin {
  /** The name of the file; undefined for bytes that were typed. */
  readonly file: string | undefined;
  /** The format of records, as `--format` names it; undefined for plain text. */
  readonly format: string | undefined;
  readonly isDump: boolean;
  /** True for SQL of an unknown program. */
  readonly isOtherSql: boolean;
  /** Result of the scan. */
  readonly scanned: Scanned | undefined;
  /** Reason why it stopped. */
  readonly scanError: string | undefined;
}

/**
 * Tells whether text has a character in a form that filters do not see: decoded, it may become `../` after they have
 * passed it. Binary columns of a dump are no text.
 */
export const isAttack = (
  { counts }: Report,
  { isDump, scanned }: Pick<Origin, 'isDump' | 'scanned'>,
): boolean => (isDump && scanned ? scanned.hasOverlong : counts.overlongs > 0);

/** The encoding that text outside of the family is taken for. */
const LEGACY = 'windows-1252';

/** Tells whether no byte above 7F is part of a sequence. The last character may only be cut. */
const isOneByte = ({ counts: { malformed, rawNul, ...sequences }, variants }: Report): boolean =>
  malformed > 0 &&
  rawNul === 0 &&
  Object.values(sequences).every((count) => count === 0) &&
  !(malformed === 1 && variants.some(({ fault }) => fault?.incomplete));

/** Chooses the policies of a scan. A dump says itself in which encoding malformed bytes may be. */
export const scanPolicies = (
  report: Report,
  isDump: boolean,
): Pick<ScanRequest, 'unpairedSurrogates' | 'errors'> => ({
  unpairedSurrogates: report.counts.loneSurrogates > 0 ? 'escape' : 'fail',
  errors: !isDump && isOneByte(report) ? LEGACY : 'fail',
});

/** Advises on an input. Each command succeeds on it, except that a scan ends with 1 if it finds something, and none loses data. */
export function advise(report: Report, origin: Origin): Step[] {
  const { nearest } = report.verdict;
  const file = quotePath(origin.file ?? 'FILE');
  const { format, isDump, scanned, scanError } = origin;
  // A scan that stopped in the page stops in a shell, too.
  if (scanned?.isClean || (isDump && scanError !== undefined)) return [];
  if (isAttack(report, origin)) {
    return [
      {
        what: 'Refuse such text, and see what each byte means',
        command: `utf8 explain ${file}`,
      },
    ];
  }
  if (origin.isOtherSql || scanError !== undefined) return [];
  const { unpairedSurrogates, errors } = scanPolicies(report, isDump);
  // Only the scan sees what a dump declares, even of well-formed UTF-8, and it names the command that fits.
  if (format && scanned) {
    const policies = [
      ...(unpairedSurrogates === 'fail' ? [] : ['--unpaired-surrogates', unpairedSurrogates]),
      ...(errors === 'fail' ? [] : ['--errors', errors]),
    ];
    const dialect = scanned.dialect.map(quoteWord);
    const command = ['utf8 scan', '-f', nearest, ...dialect, ...policies, file].join(' ');
    if (!scanned.next) {
      const what = 'See what a conversion changes, and which command does it';
      return [...(isDump ? [] : advisePlain(report, origin)), { what, command }];
    }
    const policy = unpairedSurrogates === 'escape' ? 'escape' : errors;
    return [
      {
        what: errors === LEGACY ? READ_LEGACY : 'Convert to UTF-8',
        command: scanned.next,
        ...(isDump ? {} : { conversion: { from: nearest, errors: policy } }),
      },
      { what: 'List all findings', command },
    ];
  }
  return advisePlain(report, origin);
}

/** Advises on an input that may be converted as plain text. */
function advisePlain(report: Report, origin: Origin): Step[] {
  const { verdict, counts } = report;
  const { label, nearest } = verdict;
  const { scanned } = origin;
  const { errors } = scanPolicies(report, false);
  if (label === 'utf-8' || label === 'utf8mb3') {
    if (!scanned?.hasMojibake || scanned.isRefused) return [];
    const args = [...scanned.dialect.map(quoteWord), '--mojibake', 'repair'];
    return [{ what: 'Undo the second encoding', command: convert('utf-8', args, origin) }];
  }
  // Binary data is not repaired as text.
  const { twoByte, threeByte, fourByte, pairs, malformed, loneSurrogates } = counts;
  const isNoise = malformed > twoByte + threeByte + fourByte + pairs + loneSurrogates;
  const isBinary = label === undefined && counts.rawNul > 0 && isNoise;
  if (isBinary) {
    const command = `utf8 explain ${quotePath(origin.file ?? 'FILE')}`;
    return [{ what: 'See what each byte means', command }];
  }
  if (errors === LEGACY && !scanned?.isRefused) {
    return [
      {
        what: READ_LEGACY,
        command: convert(nearest, ['--errors', errors], origin),
        conversion: { from: nearest, errors },
      },
    ];
  }
  const { beyondUnicode, fiveByte, sixByte } = counts;
  const hasForeign = loneSurrogates + beyondUnicode + fiveByte + sixByte > 0;
  // UTF-8 has no form for them: a policy must say what becomes of them.
  const policy = label === undefined || hasForeign ? 'escape' : 'fail';
  const args = policy === 'fail' ? [] : ['--errors', policy];
  return [
    {
      what:
        label === undefined
          ? 'Convert what is well-formed, and keep the other bytes in a visible form'
          : 'Convert to UTF-8',
      command: convert(nearest, args, origin),
      conversion: { from: nearest, errors: policy },
    },
  ];
}

const READ_LEGACY =
  'If this is Western European text, read it as Windows-1252 (else --errors windows-1251 or another)';

function convert(from: string, args: readonly string[], { file = 'FILE' }: Origin): string {
  const [stem] = splitName(file);
  const undo = args.includes('--format') ? ['--undo', quotePath(`${stem}.undo.jsonl`)] : [];
  const output = quotePath(nameResult(file, 'utf-8'));
  return ['utf8 convert', '-f', from, ...args, ...undo, quotePath(file), '-o', output].join(' ');
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
