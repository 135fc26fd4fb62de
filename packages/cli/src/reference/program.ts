/** Options and help of the command line before any command. */
import { directory } from '../command/directory.js';
import { type Command, defineCommand } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { writeOut } from '../terminal/printer.js';

/** Generators for the values of `--generate`. */
const generators = {
  man: async () => (await import('./man.js')).formatManPage(program),
  'complete-bash': async () => (await import('./completion.js')).completeBash(program),
  'complete-zsh': async () => (await import('./completion.js')).completeZsh(program),
  'complete-fish': async () => (await import('./completion.js')).completeFish(program),
} as const;

const kinds = Object.keys(generators) as (keyof typeof generators)[];

export const program: Command = defineCommand({
  name: '',
  description: 'Find and fix text that is almost UTF-8.',
  operands: 'COMMAND',
  options: {
    version: { short: 'V', help: 'print the version' },
    generate: { value: 'KIND', help: 'print the man page or shell completions', choices: kinds },
  },
  commands: directory,
  notes: ['Help for a command: utf8 COMMAND -h for one screen, utf8 COMMAND --help for everything'],
  examples: [],
  exitCodes: {
    0: 'success',
    1: 'malformed input, or findings',
    75: 'another run is writing the same output',
  },
  async run(_, { generate }) {
    if (!generate) throw new UsageError('missing command');
    const text = await generators[generate]();
    await writeOut(text);
    return 0;
  },
});
