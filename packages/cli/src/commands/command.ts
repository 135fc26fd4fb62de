/** What all subcommands have. */
import { labels, vendors } from '@utf8/detect';
import { type Command, Option } from 'commander';
import { UsageFailure } from '../failure.js';
import { STDIN } from '../source.js';

/** What stands below the options of a command that is about encodings. */
export const footer: string = `
Encodings: ${labels.join(', ')}.
Exit codes: 0 all is well, or mended; 1 malformed input; 2 wrong usage; 3 input or output failed.`;

/** Where a command's action leaves its exit code. */
export type Report = (exitCode: number) => void;

/** `--vendor`. */
export const createVendorOption = (): Option =>
  new Option('--vendor <name>', 'whose names of encodings to use').choices(vendors);

/** Makes commander throw where it would exit, and say what is wrong as the rest of the program does. */
export function configure(command: Command): Command {
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

/** The inputs that are named, or stdin where none is. */
export function checkInputs(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [STDIN];
  if (files.indexOf(STDIN) !== files.lastIndexOf(STDIN)) {
    throw new UsageFailure('stdin can be read only once; name - once');
  }
  return files;
}

/** Reads a whole number from 1 on. */
export function parseNumber(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d*$/.test(text)) {
    throw new UsageFailure(`${option} takes a whole number from 1 on, not "${text}"`);
  }
  return Number(text);
}
