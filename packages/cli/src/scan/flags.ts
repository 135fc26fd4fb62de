/** The options of `utf8 scan`, as they are written. */
import { resolve } from 'node:path';
import { vendors } from '@utf8/detect';
import { type Command, Option } from 'commander';
import { findEncoding } from '../codecs.js';
import { UsageFailure } from '../failure.js';
import { findFormat, formatNames } from '../formats/index.js';
import { type Mending, policies } from '../mend.js';
import { type NulPolicy, nulPolicies } from '../nul.js';
import { STDOUT } from '../output.js';
import { checkRepair, type LoneHalvesPolicy, loneHalvesPolicies } from '../repair/options.js';
import { createColumn } from './column.js';
import { parseLimit } from './limit.js';
import type { ScanOptions } from './scan.js';

/** What commander makes of the options. */
export interface ScanFlags {
  readonly format: string;
  readonly from: string;
  readonly to: string;
  readonly vendor?: string;
  readonly loneHalves: LoneHalvesPolicy;
  readonly nul: NulPolicy;
  readonly errors: 'strict' | Mending;
  readonly key?: readonly string[];
  readonly limit?: readonly string[];
  readonly columns?: string;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly header: boolean;
  readonly report?: string;
  readonly json?: true;
  readonly max?: string;
}

/** How many findings of each kind are shown unless somebody says otherwise. */
const MOST = 3;

const gather = (text: string, known: readonly string[] = []): readonly string[] => [...known, text];

/** Adds the options to a command. */
export function addScanFlags(command: Command): Command {
  return command
    .description('Finds all that a conversion of records would change, refuse or break.')
    .argument('[file...]', 'what to read, - for stdin', [])
    .requiredOption('--format <name>', `what records are written in: ${formatNames.join(', ')}`)
    .option('--from <encoding>', 'the encoding of the input', 'cesu-8+utf-8')
    .option('--to <encoding>', 'the encoding that it is to have', 'utf-8')
    .addOption(
      new Option('--lone-halves <policy>', 'what would be done about halves of pairs')
        .choices(loneHalvesPolicies)
        .default('fail'),
    )
    .addOption(
      new Option('--nul <policy>', 'what would be done about U+0000')
        .choices(nulPolicies)
        .default('fail'),
    )
    .addOption(
      new Option('--errors <policy>', 'what would be done about other malformed input')
        .choices(policies)
        .default('strict'),
    )
    .option('--key <columns>', 'columns that tell records apart, as in id or id,name', gather)
    .option('--limit <column=most>', 'what a column holds, as in name=40b or name=40c', gather)
    .option('--columns <names>', 'the names of the columns, where the file has none')
    .option('--delimiter <character>', 'what stands between columns')
    .option('--quote <character>', 'what stands around fields, "" for nothing')
    .option('--no-header', 'the first record has no names of columns')
    .option('--report <file>', 'every finding as JSON, one object a line')
    .option('--json', 'the same on stdout, instead of a summary')
    .option('--max <number>', `show so many findings of each kind, instead of ${MOST}`)
    .addOption(new Option('--vendor <name>', 'whose names of encodings to use').choices(vendors));
}

/**
 * Reads the options.
 *
 * @throws {@link UsageFailure} where they make no sense.
 */
export function readScanFlags(files: readonly string[], flags: ScanFlags): ScanOptions {
  const { vendor, report, json = false, max, columns, delimiter, quote, header } = flags;
  const repair = {
    from: findEncoding(flags.from, vendor),
    to: findEncoding(flags.to, vendor),
    loneHalves: flags.loneHalves,
    nul: flags.nul,
    errors: flags.errors,
  };
  checkRepair(repair);
  if (max !== undefined && json) {
    throw new UsageFailure(
      '--max is about the summary, which --json leaves out; leave one of them out',
    );
  }
  if (max !== undefined && !/^[1-9]\d*$/.test(max)) {
    throw new UsageFailure(`--max takes a whole number from 1 on, not ${JSON.stringify(max)}`);
  }
  if (report === STDOUT) {
    throw new UsageFailure('--report takes the name of a file; --json writes the same to stdout');
  }
  if (report !== undefined && files.some((file) => resolve(file) === resolve(report))) {
    throw new UsageFailure(`--report would replace an input, ${report}; name another file`);
  }
  return {
    format: findFormat(flags.format, {
      delimiter,
      quote,
      header,
      columns: columns === undefined ? undefined : splitNames('--columns', columns),
    }),
    formatFlags: writeFormatFlags(flags),
    repair,
    keys: readKeys(flags.key ?? []),
    limits: (flags.limit ?? []).map(parseLimit),
    report,
    json,
    max: max === undefined ? MOST : Number(max),
  };
}

function readKeys(texts: readonly string[]): ScanOptions['keys'] {
  const names = texts.flatMap((text) => splitNames('--key', text));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageFailure(`--key names ${twice} twice; name it once`);
  return names.map(createColumn);
}

/** Reads names with commas between them. */
export function splitNames(option: string, text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.includes('')) return names;
  throw new UsageFailure(
    `${option} takes names of columns with commas between them, as in id,name, not ${JSON.stringify(text)}`,
  );
}

/** The options of the format once more, for a command line. */
function writeFormatFlags({ format, columns, delimiter, quote, header }: ScanFlags): string[] {
  const flags = ['--format', format];
  if (columns !== undefined) flags.push('--columns', columns);
  if (delimiter !== undefined) flags.push('--delimiter', delimiter);
  if (quote !== undefined) flags.push('--quote', quote);
  if (!header) flags.push('--no-header');
  return flags;
}
