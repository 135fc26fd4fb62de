/** A report of `utf8 probe` in words. */
import {
  type Deviation,
  type Example,
  type Practice,
  type ProbeReport,
  RAW,
} from '@utf8/vectors/probe';
import type { Style } from '../terminal/style.js';
import { wrap } from '../terminal/wrap.js';
import { count } from './count.js';

/** Number of code points of a text to show, and of bytes of an input. */
const SHOWN = 12;

/** Lists the requirements that a program does not meet. */
export function judgeProbe(
  report: ProbeReport,
  label: string | undefined,
  practice: Practice | undefined,
): string[] {
  const { variant, deviations, malformed } = report;
  const failures: string[] = [];
  if (label !== undefined && variant !== label) failures.push(`reads ${variant}, not ${label}`);
  if (label !== undefined) failures.push(...deviations.map(({ does }) => does));
  if (practice !== undefined && malformed.practice !== practice) {
    failures.push(
      `counts U+FFFD as ${malformed.practice ?? 'nothing: it writes none'}, not ${practice}`,
    );
  }
  return failures;
}

/** The lines about one program. */
export function formatProbe(
  name: string,
  report: ProbeReport,
  failures: readonly string[],
  max: number,
  style: Style,
): string[] {
  const { isExact, isEcho, deviations, variant, reference, malformed, ending, notes, resembles } =
    report;
  const base = variant === reference ? ', with' : `; as ${reference}, it has`;
  const exceptions = isExact ? '' : `${base} ${count(deviations.length, 'exception')}`;
  const verdict = isEcho
    ? style.bad('returns its input unchanged: it decodes nothing')
    : `${report.name}${exceptions}`;
  const rows: (readonly [string, string])[] = [
    ['malformed', `${malformed.does}${malformed.counts ? `: ${malformed.counts}` : ''}`],
    [
      'U+FEFF',
      report.bom === 'otherwise'
        ? 'neither keeps nor strips it at the start'
        : `${report.bom} it at the start`,
    ],
    ...(ending ? [['end', 'adds a line end to every text'] as const] : []),
    ...notes.filter((note) => !note.includes('byte order')).map((note) => ['note', note] as const),
    ...formatResemblance(resembles),
    ['inputs', `${report.inputs}`],
  ];
  const advice = isEcho
    ? [
        '',
        ...wrap(
          'If it does decode them, have it print UTF-16, and name that form with --prints.',
          '',
        ),
      ]
    : [];
  return [
    `${style.title(name)}: ${isExact ? style.good(verdict) : verdict}`,
    ...rows.flatMap(([term, text]) => wrap(text, `  ${term.padEnd(10)} `, ' '.repeat(13))),
    ...(isEcho ? [] : deviations.flatMap((deviation) => formatDeviation(deviation, max, style))),
    ...advice,
    ...(failures.length > 0
      ? ['', ...failures.map((failure) => style.bad(`fails: ${failure}`))]
      : []),
  ];
}

function formatResemblance(resembles: ProbeReport['resembles']): (readonly [string, string])[] {
  const [first] = resembles;
  if (!first) return [['like', 'no known reader']];
  const { differences } = first;
  const verb = differences === 0 ? 'like' : 'almost';
  const rest = differences === 0 ? '' : `; ${count(differences, 'vector')} apart`;
  return [[verb, `${resembles.map(({ name }) => name).join('; ')}${rest}`]];
}

function formatDeviation(deviation: Deviation, max: number, style: Style): string[] {
  const { does, risk, examples } = deviation;
  const rest = deviation.count - Math.min(max, examples.length);
  return [
    '',
    `${style.bad('✗')} ${style.title(does)}: ${count(deviation.count, 'input')}`,
    ...examples.slice(0, max).flatMap(formatExample),
    ...(rest > 0 ? [`    and ${rest} more`] : []),
    ...wrap(risk, '  risk: ', '  '),
  ];
}

function formatExample({ id, description, bytes, expected, got, failure }: Example): string[] {
  const digits = bytes?.match(/../g)?.map((byte) => byte.toUpperCase());
  const input = digits ? cut(digits).join(' ') || 'nothing' : description;
  const [wanted, seen] = showDifference(expected, got);
  return wrap(`${id}: ${input}: expected ${wanted}; ${failure ?? `got ${seen}`}`, '    ', '      ');
}

const cut = (words: readonly string[]): readonly string[] =>
  words.length > SHOWN ? [...words.slice(0, SHOWN), '…'] : words;

const spell = (value: number): string => {
  if (value < 0) return `byte ${(value - RAW).toString(16).toUpperCase()}`;
  if (value > 0x20 && value < 0x7f) return String.fromCharCode(value);
  return `U+${value.toString(16).toUpperCase().padStart(4, '0')}`;
};

/** Both texts from shortly before their first difference on. */
function showDifference(
  expected: readonly number[] | undefined,
  got: readonly number[] | undefined,
): readonly [string, string] {
  let at = 0;
  while (expected && got && at < expected.length && expected[at] === got[at]) at++;
  const from = expected && got && at > SHOWN / 2 ? at - 2 : 0;
  const show = (text: readonly number[] | undefined): string => {
    if (!text) return 'a refusal';
    if (text.length === 0) return 'nothing';
    return `${from > 0 ? '… ' : ''}${cut(text.slice(from).map(spell)).join(' ')}`;
  };
  return [show(expected), show(got)];
}
