import { Command, Option } from 'commander';
import { type BomPolicy, bomPolicies } from '../bom.js';
import { findEncoding } from '../codecs.js';
import { convert } from '../convert.js';
import { type CounterForm, counterForms } from '../counters.js';
import { UsageFailure } from '../failure.js';
import { type Mending, policies } from '../mend.js';
import { type NulPolicy, nulPolicies } from '../nul.js';
import { STDOUT } from '../output.js';
import { parseRange } from '../range.js';
import { STDIN } from '../source.js';
import {
  checkInputs,
  configure,
  createVendorOption,
  footer,
  parseNumber,
  type Report,
} from './command.js';
import {
  addRecordOptions,
  type RecordFlags,
  readRecordFlags,
  refuseRecordFlags,
} from './records.js';

interface Flags extends RecordFlags {
  readonly from: string;
  readonly to: string;
  readonly errors: 'strict' | Mending;
  readonly bom: BomPolicy;
  readonly nul: NulPolicy;
  readonly output: string;
  readonly range?: string;
  readonly jobs?: string;
  readonly stats?: string;
  readonly counters?: CounterForm;
  readonly json?: true;
  readonly vendor?: string;
}

const aboutRecords = `
With --format, each record is converted or refused by itself; a lone half never joins one in the
next field. --range then takes the records that begin in bytes A to B-1, exactly: of lines, copy
and jsonl they are looked for at A; other formats are read from the start to know where A is.
`;

/** `utf8 convert`, as the command line has it. */
export function createConvert(report: Report): Command {
  const command = configure(new Command('convert'))
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
    .option('--range <A-B>', 'only what begins in bytes A to B-1 of the one file')
    .option('--jobs <number>', 'how many threads convert')
    .option('--stats <file>', 'write what was changed as JSON; - for stdout, or stderr')
    .addOption(
      new Option('--counters <form>', 'counts on stderr for an engine to add up').choices(
        counterForms,
      ),
    )
    .option('--json', 'findings and counts as JSON, one object a line')
    .addOption(createVendorOption());
  return addRecordOptions(command)
    .addHelpText('after', `${aboutRecords}${footer}`)
    .action(async (files: string[], flags: Flags) => {
      const { range, jobs, stats, json = false, vendor } = flags;
      const inputs = checkInputs(files);
      if (range !== undefined && inputs.length > 1) {
        throw new UsageFailure('--range is about one file; name only one');
      }
      const options = {
        from: findEncoding(flags.from, vendor),
        to: findEncoding(flags.to, vendor),
        errors: flags.errors,
        nul: flags.nul,
        output: flags.output,
        range: range === undefined ? undefined : parseRange(range),
        jobs: parseNumber('--jobs', jobs, 1),
        stats,
        counters: flags.counters,
        json,
      };
      const { format, bom } = flags;
      if (format === undefined) {
        refuseRecordFlags(flags);
        report(await convert(inputs, { ...options, bom }));
        return;
      }
      const [file = STDIN, ...others] = inputs;
      if (others.length > 0) {
        throw new UsageFailure('--format is about one file; run once for each');
      }
      if (bom !== 'keep') {
        throw new UsageFailure(
          `--bom ${bom} is not for records; leave --format out to ${bom} U+FEFF, before or after`,
        );
      }
      // Who does not need it does not wait for it.
      const { convertRecords } = await import('../records/convert.js');
      report(await convertRecords(file, { ...options, ...readRecordFlags({ ...flags, format }) }));
    });
}
