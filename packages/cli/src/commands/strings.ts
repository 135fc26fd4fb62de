import type { StringKind } from '@utf8/classfile';
import { Command, Option } from 'commander';
import { addKinds, kindsHelp } from '../strings/kinds.js';
import { checkInputs, configure, exitCodes, type Report } from './command.js';

interface Flags {
  readonly kind?: readonly StringKind[];
  readonly unlikeUtf8?: true;
  readonly json?: true;
}

const help = `
A line is PLACE, KINDS and TEXT with tabs between them. PLACE is FILE#INDEX@OFFSET or
FILE!/ENTRY#INDEX@OFFSET: the index in the constant pool, and the byte where the string begins.
In TEXT and in names \\\\, \\t, \\n, \\r and \\uXXXX stand for backslashes, control characters, ends of
lines, what turns the direction of text, and lone halves of pairs. \\xHH is a malformed byte.

Kinds:
${kindsHelp}

Examples:
  utf8 strings app.jar
  utf8 strings app.jar --kind literal,annotation | cut -f3 | sort -u
  utf8 strings build/classes --unlike-utf8      what a reader of plain UTF-8 gets wrong
  utf8 strings java.base.jmod --json | jq -r 'select(.kinds[] == "name") | .string'

${exitCodes}`;

/** `utf8 strings`, as the command line has it. */
export function createStrings(report: Report): Command {
  return configure(new Command('strings'))
    .description('Lists the strings of JVM class files, jars, jmods and folders, one a line.')
    .argument('[file...]', 'what to read, - for a class file from stdin', [])
    .addOption(
      new Option('--kind <kinds>', 'only these, with commas between them').argParser(addKinds),
    )
    .option('--unlike-utf8', 'only those whose bytes are not UTF-8')
    .option('--json', 'strings as JSON, one object a line')
    .addHelpText('after', help)
    .action(async (files: string[], { kind, unlikeUtf8, json }: Flags) => {
      // Loaded only here: the other commands start sooner without it.
      const { strings } = await import('../strings/strings.js');
      const options = { kinds: kind, unlikeUtf8: unlikeUtf8 ?? false, json: json ?? false };
      report(await strings(checkInputs(files), options));
    });
}
