/** From the words of a command line to a command, and from its result or error to an exit code. */
import { directory } from '../command/directory.js';
import { recoverNames } from '../input/raw-name.js';
import { describeError } from '../option/flag.js';
import type { Command } from '../option/option.js';
import { parse } from '../option/parse.js';
import { UsageError } from '../option/usage-error.js';
import { program } from '../reference/program.js';
import { clearProgress } from '../terminal/progress.js';
import { say } from '../terminal/say.js';
import { allowColor } from '../terminal/style.js';

/** Exit codes by the code of the error that ended the run. */
const exitCodes = new Map([
  ['ERR_UTF8_USAGE', 2],
  ['ERR_UTF8_INPUT', 3],
  ['ERR_UTF8_OUTPUT', 3],
  ['ERR_UTF8_BUSY', 75],
]);

/** Runs the words after the program's name, and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  // A failed write reports its error to its callback; without a listener it would be thrown as well.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    const [first, ...rest] = await recoverNames(args);
    if (first === undefined) {
      process.stderr.write(await helpFor());
      return 2;
    }
    if (first === 'help') return await write(await helpFor(rest[0]));
    if (first.startsWith('-')) return await runCommand(program, [first, ...rest]);
    return await runCommand(await loadCommand(first), rest, first);
  } catch (error) {
    const failure = error as Error & { code?: string };
    const { name, code = '' } = failure;
    const message = await describe(failure);
    // The reader of stdout has seen enough, as with `| head`.
    if (name === 'BrokenPipe') return 0;
    const exitCode = exitCodes.get(code);
    await say(
      `utf8: ${exitCode ? hidePasswords(message) : `this is a bug in utf8: ${error}; please report it`}`,
    );
    return exitCode ?? 3;
  } finally {
    clearProgress();
  }
}

/** Writes the message of an error, with a guess at what a misspelled word was meant to be. */
async function describe(error: Error): Promise<string> {
  if (!(error instanceof UsageError)) return describeError(error);
  const { guess } = await import('../option/nearest.js');
  return error.write(guess);
}

/** Words of a command line are quoted in errors, and a URL among them may contain a password. */
const hidePasswords = (text: string): string =>
  text
    .replace(/(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)[^\s"]*@/gi, '$1…@')
    .replace(/([?&]\w*passw(?:or)?d=)[^\s"&]*/gi, '$1…');

/** @param name - The command; undefined for options such as `--version`. */
async function runCommand(command: Command, args: string[], name?: string): Promise<number> {
  try {
    const { operands, values } = parse(args, command);
    allowColor(!values['no-color']);
    if (values.help) return await write(await helpFor(name, values.help === '-h'));
    return await command.run(operands, values as never);
  } catch (error) {
    const failure = error as Error & { code?: string };
    if (!(error instanceof UsageError || failure.code === 'ERR_UTF8_REPAIR_OPTION')) throw error;
    throw new UsageError(`${await describe(failure)}; see utf8${name ? ` ${name}` : ''} --help`);
  }
}

async function loadCommand(name: string): Promise<Command> {
  const entry = directory.find(([each]) => each === name);
  if (entry) return (await entry[2]()).command;
  const names = directory.map(([each]) => each);
  throw new UsageError(
    (guess) => `unknown command ${JSON.stringify(name)}${guess(name, names)}; see utf8 --help`,
  );
}

/** Help for a command, in full or on one screen, or for the program. */
async function helpFor(name?: string, isShort = false): Promise<string> {
  const { formatHelp, formatSummary } = await import('../reference/help.js');
  const command = name === undefined ? program : await loadCommand(name);
  return isShort && name !== undefined ? formatSummary(command) : formatHelp(command);
}

async function write(text: string): Promise<number> {
  const { writeOut } = await import('../terminal/printer.js');
  await writeOut(text);
  return 0;
}
