/** The options of `utf8 convert` that are about records, and what they are for. */
import type { Command } from 'commander';
import { Option } from 'commander';
import { UsageFailure } from '../failure.js';
import { formatNames } from '../formats/index.js';
import type { RecordOptions } from '../records/options.js';
import { type LoneHalvesPolicy, loneHalvesPolicies } from '../repair/options.js';
import { splitNames } from '../scan/flags.js';

/** As commander has them. */
export interface RecordFlags {
  readonly format?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly header: boolean;
  readonly columns?: string;
  readonly loneHalves?: LoneHalvesPolicy;
  readonly rejects?: string;
  readonly undo?: string;
  readonly resume?: true;
}

/** Adds the options that say what the records of a file look like. */
export function addFormatOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <name>', 'read records, each by itself').choices(formatNames))
    .option('--delimiter <character>', 'what is between columns, such as ";" or "\\t"')
    .option('--quote <character>', 'what is around fields; "" for nothing')
    .option('--no-header', 'the first record has no names of columns')
    .option('--columns <names>', 'the names of columns, with commas between them');
}

/** Adds the options that say what becomes of records. */
export function addRecordOptions(command: Command): Command {
  return addFormatOptions(command)
    .addOption(
      new Option('--lone-halves <policy>', 'what to do about half a pair; fail by default').choices(
        loneHalvesPolicies,
      ),
    )
    .option('--rejects <file>', 'where records go that are refused, while the run goes on')
    .option('--undo <file>', 'write what utf8 revert takes to undo this')
    .option('--resume', 'go on where the same command was killed; needs files and -o');
}

/** What the flags say, where there is a format. */
export function readRecordFlags(
  flags: RecordFlags & { readonly format: string },
): Pick<RecordOptions, 'format' | 'loneHalves' | 'rejects' | 'undo' | 'resume'> {
  const { delimiter, quote, header, columns } = flags;
  return {
    format: {
      name: flags.format,
      options: {
        delimiter,
        quote,
        header,
        columns: columns === undefined ? undefined : splitNames('--columns', columns),
      },
    },
    loneHalves: flags.loneHalves ?? 'fail',
    rejects: flags.rejects,
    undo: flags.undo,
    resume: flags.resume ?? false,
  };
}

/**
 * Makes sure that nothing is asked for that only records have.
 *
 * @throws {@link UsageFailure} where something is.
 */
export function refuseRecordFlags(flags: RecordFlags): void {
  const { delimiter, quote, header, columns, loneHalves, rejects, undo, resume } = flags;
  const asked = {
    delimiter,
    quote,
    'no-header': header ? undefined : true,
    columns,
    'lone-halves': loneHalves,
    rejects,
    undo,
    resume,
  };
  const flag = Object.entries(asked).find(([, value]) => value !== undefined)?.[0];
  if (flag === undefined) return;
  throw new UsageFailure(`--${flag} is about records; say with --format what they look like`);
}
