/** `utf8 probe`: identifies how a program reads text, from its output for known bytes. */
import { availableParallelism } from 'node:os';
import {
  type Practice,
  ProbeError,
  type ProbeOptions,
  type ProbeReport,
  practices,
  probe,
} from '@utf8/vectors/probe';
import { labelOption, vendorOption } from '../option/catalogue.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel, wholeNumber } from '../option/value.js';
import { type PrintForm, printForms } from '../probe/printed-text.js';
import { cleanUp, LineProgram, runProgram } from '../probe/tested-program.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { createStyle } from '../terminal/style.js';
import { formatProbe, judgeProbe } from '../words/probe-report.js';

/** The shortest and the longest pause between two parts of an input, in milliseconds. */
const PAUSE = [150, 3000] as const;

export const command: Command = defineCommand({
  name: 'probe',
  description:
    'Feed malformed text to a program, and report which variant it reads and where it deviates.',
  operands: '-- COMMAND [ARGUMENT]...',
  options: {
    ...group('Program', {
      prints: {
        value: 'FORM',
        help: 'form in which the program prints the text',
        choices: printForms as readonly PrintForm[],
        default: 'utf-8',
      },
      lines: { help: 'start it once; exchange hex digits, one input per line' },
      timeout: {
        value: 'SECONDS',
        help: 'stop a run that takes more than SECONDS',
        parse: wholeNumber(3600),
        shownDefault: '10',
      },
      jobs: {
        value: 'N',
        help: 'run N programs at the same time, up to 256',
        parse: wholeNumber(256),
        shownDefault: 'the number of processors',
      },
    }),
    ...group('Test', {
      as: labelOption('expected encoding; fail at any deviation from it', {}),
      vendor: vendorOption,
      practice: {
        value: 'NAME',
        help: 'expected way of counting U+FFFD',
        choices: practices as readonly Practice[],
      },
    }),
    ...group('Output', {
      json: { help: 'print the report as JSON' },
      max: {
        value: 'N',
        help: 'show N inputs of each deviation',
        parse: wholeNumber(20),
        shownDefault: '3',
      },
    }),
  },
  notes: [
    'COMMAND reads bytes from stdin, or from the file {}, decodes them and prints the text on stdout. An exit code other than 0 counts as a refusal. utf8 starts COMMAND without a shell; to use one, write: sh -c "…".',
    'With --lines, COMMAND reads one input per line, as hex digits. It answers each at once with one line: the text as hex digits, or - for a refusal.',
  ],
  examples: [
    ['-- iconv -f UTF-8 -t UTF-8', 'Show what a program accepts, and how an attacker can use it'],
    ['--as utf-8 --prints json -- python3 app.py {}', 'Test a program that reads a file'],
  ],
  exitCodes: {
    0: 'the report is complete, and the tests of --as and --practice pass',
    1: 'a test of --as or --practice fails, or the program decodes nothing',
  },
  async run(operands, values) {
    const { prints, lines, timeout = 10, as, vendor, practice, json, max = 3 } = values;
    if (operands.length === 0) throw new UsageError('missing program; add it after --');
    if (lines && operands.some((word) => word.includes('{}'))) {
      throw new UsageError('--lines and {} cannot be combined');
    }
    const label = as === undefined ? undefined : findLabel(as, '--as', vendor);
    const jobs = values.jobs ?? availableParallelism();
    const options = { timeout: timeout * 1000, prints };
    const common = { ...(label && { as: label }), onProgress: createProgress('inputs') };
    const style = createStyle(json);
    const printer = new Printer(style);
    const name = operands.join(' ');
    let report: ProbeReport;
    try {
      report = lines
        ? await probeLines(operands, options, common)
        : await probeRuns(operands, options, { ...common, concurrency: jobs });
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      await printer.say(`utf8: ${name}: ${error.message}${advise(error.message, prints)}`);
      return 3;
    } finally {
      cleanUp();
    }
    const failures = judgeProbe(report, label, practice);
    if (json) printer.add(formatJson({ type: 'report', command: operands, ...report, failures }));
    else for (const line of formatProbe(name, report, failures, max, style)) printer.add(line);
    await printer.print();
    return failures.length > 0 || report.isEcho ? 1 : 0;
  },
});

type Options = Parameters<typeof runProgram>[2];

function probeLines(
  operands: readonly string[],
  options: Options,
  common: ProbeOptions,
): Promise<ProbeReport> {
  const program = new LineProgram(operands, options);
  return probe((bytes) => program.read(bytes), { ...common, isThorough: true });
}

function probeRuns(
  operands: readonly string[],
  options: Options,
  common: ProbeOptions,
): Promise<ProbeReport> {
  const [shortest, longest] = PAUSE;
  let pause = 0;
  const read = async (bytes: Uint8Array) => {
    const started = performance.now();
    const answer = await runProgram(operands, [bytes], options);
    // The first run is alone on the machine, and measures the start of the program.
    pause ||= Math.min(Math.max(shortest, 4 * (performance.now() - started)), longest);
    return answer;
  };
  const hasFile = operands.some((word) => word.includes('{}'));
  return probe(read, {
    ...common,
    join: true,
    ...(!hasFile && {
      readParts: (parts: readonly Uint8Array[]) => runProgram(operands, parts, options, pause),
    }),
  });
}

/** Patterns of a greeting that was printed in another form; it may follow a byte order mark. */
const forms: readonly (readonly [RegExp, PrintForm])[] = [
  [/^(\?{2})?H\0e\0l/, 'utf-16le'],
  [/^(\?{2})?\0H\0e/, 'utf-16be'],
  [/^(\?{2}\0\0)?H\0{3}e/, 'utf-32le'],
  [/^(\0\0\?{2})?\0{3}H/, 'utf-32be'],
  [/^"Hello, world"/, 'json'],
];

/** Returns advice about a program that does not print its input. */
function advise(message: string, prints: PrintForm): string {
  if (!message.startsWith('prints') || prints !== 'utf-8') return '';
  const [, printed = '""'] = /^prints (".*"), given "Hello/.exec(message) ?? [];
  const text: string = JSON.parse(printed);
  const form = forms.find(([pattern]) => pattern.test(text))?.[1];
  if (!form) return '; it should print the text it reads, in UTF-8 or as --prints says';
  return `; use --prints ${form}`;
}
