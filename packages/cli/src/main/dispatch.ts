/** From the words of a command line to a command, and from its result or error to an exit code. */
import { directory } from '../command/directory.js';
import { recoverNames } from '../input/raw-name.js';
import { guess } from '../option/nearest.js';
import type { Command } from '../option/option.js';
import { parse } from '../option/parse.js';
import { UsageError } from '../option/usage-error.js';
import { program } from '../reference/program.js';
import { clearProgress } from '../terminal/progress.js';
import { say } from '../terminal/say.js';

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
    const { name, code = '', message } = error as Error & { code?: string };
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

/** Words of a command line are quoted in errors, and a URL among them may contain a password. */
const hidePasswords = (text: string): string =>
  text
    .replace(/(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:)[^\s"]*@/gi, '$1…@')
    .replace(/([?&]\w*passw(?:or)?d=)[^\s"&]*/gi, '$1…');

/** @param name - Undefined for what needs no command. */
async function runCommand(command: Command, args: string[], name?: string): Promise<number> {
  try {
    const { operands, values } = parse(args, command);
    if (values.help) return await write(await helpFor(name));
    return await command.run(operands, values as never);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}; see utf8${name ? ` ${name}` : ''} --help`);
  }
}

async function loadCommand(name: string): Promise<Command> {
  const entry = directory.find(([each]) => each === name);
  if (entry) return (await entry[2]()).command;
  const names = directory.map(([each]) => each);
  const given = `${JSON.stringify(name)}${guess(name, names)}`;
  throw new UsageError(`unknown command ${given}; see utf8 --help`);
}

/** Help for a command, or for the program. */
async function helpFor(name?: string): Promise<string> {
  const { formatHelp } = await import('../reference/help.js');
  return formatHelp(name === undefined ? program : await loadCommand(name));
}

async function write(text: string): Promise<number> {
  const { writeOut } = await import('../terminal/printer.js');
  await writeOut(text);
  return 0;
}
