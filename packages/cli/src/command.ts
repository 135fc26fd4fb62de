/** The command line: what there is, and what is wrong with what somebody wrote. */
import { labels, vendors } from '@utf8/detect';
import { Command, CommanderError, Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { type BomPolicy, bomPolicies } from './bom.js';
import { check } from './check.js';
import { findEncoding } from './codecs.js';
import { convert } from './convert.js';
import { detect } from './detect.js';
import { explain } from './explain.js';
import { BrokenPipe, Failure, UsageFailure } from './failure.js';
import { parseHex } from './hex.js';
import { undoAll } from './interrupt.js';
import { type Mending, policies } from './mend.js';
import { type NulPolicy, nulPolicies } from './nul.js';
import { STDOUT } from './output.js';
import { parseRange } from './range.js';
import { say } from './say.js';
import { addScanFlags, readScanFlags, type ScanFlags } from './scan/flags.js';
import { scan } from './scan/scan.js';
import { STDIN } from './source.js';

const encodings = `Encodings: ${labels.join(', ')}.`;

const exitCodes = `
Exit codes: 0 all is well, or mended; 1 malformed input; 2 wrong usage; 3 input or output failed.`;

interface ConvertFlags {
  readonly from: string;
  readonly to: string;
  readonly errors: 'strict' | Mending;
  readonly bom: BomPolicy;
  readonly nul: NulPolicy;
  readonly output: string;
  readonly range?: string;
  readonly jobs?: string;
  readonly stats?: string;
  readonly json?: true;
  readonly vendor?: string;
}

interface CheckFlags {
  readonly as: string;
  readonly json?: true;
  readonly max?: string;
  readonly vendor?: string;
}

interface DetectFlags {
  readonly json?: true;
  readonly color: boolean;
}

interface ExplainFlags {
  readonly hex?: readonly string[];
  readonly as?: string;
  readonly vendor?: string;
  readonly json?: true;
  readonly color: boolean;
}

/**
 * Runs the command.
 *
 * @param args - What stands on the command line behind the program's name.
 * @returns The exit code.
 */
export async function run(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    undoAll();
    return sayWhy(error);
  }
}

/** Says in one sentence what ended the run, unless that has been said. */
async function sayWhy(error: unknown): Promise<number> {
  if (error instanceof BrokenPipe) return 0;
  if (error instanceof Failure) {
    await say(`utf8: ${error.message}\n`);
    return error.exitCode;
  }
  // Commander has said it already. Its own exit code for any wrong usage is 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  await say(`utf8: this is a bug in utf8 itself: ${error}; please report it\n`);
  return 3;
}

function createProgram(report: (exitCode: number) => void): Command {
  const program = configure(new Command('utf8'))
    .description('Converts, checks, detects and explains every encoding that calls itself UTF-8.')
    .version(manifest.version)
    .addHelpText('after', `\n${encodings}${exitCodes}`);

  configure(program.command('convert'))
    .description('Converts files, or stdin, to another encoding.')
    .argument('[file...]', 'what to read, - for stdin', [])
    .requiredOption('--from <encoding>', 'the encoding of the input')
    .option('--to <encoding>', 'the encoding of the output', 'utf-8')
    .addOption(
      new Option('--errors <policy>', 'what to do about malformed input')
        .choices(policies)
        .default('strict'),
    )
    .addOption(
      new Option('--bom <policy>', 'what to do about U+FEFF at the beginning')
        .choices(bomPolicies)
        .default('keep'),
    )
    .addOption(
      new Option('--nul <policy>', 'what to do about U+0000').choices(nulPolicies).default('keep'),
    )
    .addOption(
      new Option('-o, --output <file>', 'where to write, all or nothing; - for stdout').default(
        STDOUT,
        'stdout',
      ),
    )
    .option('--range <A-B>', 'only the characters that begin in bytes A to B-1 of the one file')
    .option('--jobs <number>', 'how many threads convert; from files, to a file')
    .option('--stats <file>', 'write what was changed as JSON; - for stdout, or stderr')
    .option('--json', 'findings and counts as JSON, one object a line')
    .addOption(new Option('--vendor <name>', 'whose names of encodings to use').choices(vendors))
    .addHelpText('after', `\n${encodings}${exitCodes}`)
    .action(async (files: string[], flags: ConvertFlags) => {
      const { range, jobs, stats, json = false, vendor } = flags;
      const options = {
        from: findEncoding(flags.from, vendor),
        to: findEncoding(flags.to, vendor),
        errors: flags.errors,
        bom: flags.bom,
        nul: flags.nul,
        output: flags.output,
        range: range === undefined ? undefined : parseRange(range),
        jobs: parseNumber('--jobs', jobs, 1),
        stats,
        json,
      };
      const inputs = checkInputs(files);
      if (range !== undefined && inputs.length > 1) {
        throw new UsageFailure('--range is about one file; name only one');
      }
      report(await convert(inputs, options));
    });

  configure(program.command('check'))
    .description('Prints where files, or stdin, are malformed.')
    .argument('[file...]', 'what to read, - for stdin', [])
    .requiredOption('--as <encoding>', 'the encoding that the input should have')
    .option('--json', 'findings as JSON, one object a line')
    .option('--max <number>', 'stop after so many findings')
    .addOption(new Option('--vendor <name>', 'whose names of encodings to use').choices(vendors))
    .addHelpText('after', `\n${encodings}${exitCodes}`)
    .action(async (files: string[], flags: CheckFlags) => {
      const options = {
        as: findEncoding(flags.as, flags.vendor),
        json: flags.json ?? false,
        max: parseNumber('--max', flags.max, Number.POSITIVE_INFINITY),
      };
      report(await check(checkInputs(files), options));
    });

  addScanFlags(configure(program.command('scan')))
    .addHelpText('after', `\n${encodings}${exitCodes}`)
    .action(async (files: string[], flags: ScanFlags) => {
      const inputs = checkInputs(files);
      report(await scan(inputs, readScanFlags(inputs, flags)));
    });

  configure(program.command('detect'))
    .description('Tells which encodings files, or stdin, may be in, and what speaks for each.')
    .argument('[file...]', 'what to read, - for stdin', [])
    .option('--json', 'reports as JSON, one object a line')
    .option('--no-color', 'no colour, which is else used on a terminal')
    .addHelpText('after', `\n${encodings}${exitCodes}`)
    .action(async (files: string[], flags: DetectFlags) => {
      const options = { json: flags.json ?? false, color: flags.color };
      report(await detect(checkInputs(files), options));
    });

  configure(program.command('explain'))
    .description('Shows bytes one sequence a line: bits, character, rule, and who takes it.')
    .argument('[file]', 'what to read, - for stdin')
    .option('--hex <bytes...>', 'the bytes themselves, as in "2F C0 AE 2E 2F"')
    .option('--as <encoding>', 'the one encoding to ask, instead of all')
    .option('--json', 'sequences as JSON, one object a line')
    .option('--no-color', 'no colour, which is else used on a terminal')
    .addOption(new Option('--vendor <name>', 'whose names of encodings to use').choices(vendors))
    .addHelpText('after', `\n${encodings}${exitCodes}`)
    .action(async (file: string | undefined, { hex, as, vendor, json, color }: ExplainFlags) => {
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

  return program;
}

/** Makes commander throw where it would exit, and say what is wrong as the rest of the program does. */
function configure(command: Command): Command {
  return command.exitOverride().configureOutput({
    outputError: (text, write) => {
      const sentence = text
        .trim()
        .replace(/^error: /, '')
        .replace(/\.?\s*\n\s*/g, ' ');
      write(`utf8: ${sentence.replace(/\.$/, '')}; see utf8 --help\n`);
    },
  });
}

function checkInputs(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [STDIN];
  if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN)) {
    throw new UsageFailure('stdin can be read only once; name - once');
  }
  return files;
}

function parseNumber(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d*$/.test(text)) {
    throw new UsageFailure(`${option} takes a whole number from 1 on, not "${text}"`);
  }
  return Number(text);
}
