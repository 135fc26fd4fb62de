/** `utf8 scan`: everything that a conversion of records would change, refuse or break. */
import { type ScanFinding, scanDump } from '@utf8/dump';
import { discard, listInputs } from '../input/inputs.js';
import * as shared from '../option/catalogue.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel, readNames, wholeNumber } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { beforeStop } from '../terminal/signals.js';
import { formatNextCommand } from '../words/next-command.js';
import { summarizeScan } from '../words/scan-report.js';

/** How many findings of each kind the summary shows by default. */
const MOST = 3;

const MIXED = 'cesu-8+utf-8';

/** What `--fix-header` is for. */
const FIXED = ['narrow column', 'narrow connection', 'unstated encoding'] as const;

export const command: Command = defineCommand({
  name: 'scan',
  description:
    'List what converting records would change, refuse or break, without converting them.',
  operands: '[FILE]...',
  options: {
    ...group('Encodings', {
      from: shared.labelOption('encoding of the input', { short: 'f', default: MIXED }),
      to: shared.labelOption('encoding of the output', { short: 't', default: 'utf-8' }),
      vendor: shared.vendorOption,
    }),
    ...group('Malformed text', {
      errors: shared.errorsOption,
      nul: { ...shared.nulOption, default: 'fail' },
      'unpaired-surrogates': { ...shared.surrogatesOption, default: 'fail' },
      'equal-json-keys': { ...shared.equalJsonKeysOption, shownDefault: 'fail' },
      mojibake: { ...shared.mojibakeOption, default: 'keep' },
    }),
    ...group('Records', {
      format: { ...shared.formatOption, isRequired: true },
      ...shared.dialectOptions,
      key: {
        value: 'COLUMNS',
        help: 'columns that identify a record, as in id or id,name',
        isRepeatable: true,
        parse: readNames,
      },
      limit: {
        value: 'COLUMN=MOST',
        help: 'maximum length: name=40b (bytes) or name=40c (characters)',
        isRepeatable: true,
      },
    }),
    ...group('Output', {
      report: { value: 'FILE', help: 'save all findings as JSON, one object per line' },
      json: { help: 'print all findings as JSON instead of a summary' },
      max: {
        value: 'N',
        help: 'show N findings of each kind',
        parse: wholeNumber(),
        shownDefault: `${MOST}`,
      },
    }),
    ...group('Run', {
      jobs: shared.jobsOption,
      range: shared.rangeOption,
      index: { value: 'FILE', help: 'save an index for ranges; with --range, use it' },
    }),
  },
  notes: ['The summary ends with the `utf8 convert` command lines to run next, one for each file.'],
  examples: [
    ['--format csv --key id dump.csv', 'Name records by their id, and find keys that become equal'],
    [
      '--format mysqldump --limit users.name=80b --report findings.jsonl dump.sql.gz',
      'Find texts that become too long, and save all findings',
    ],
  ],
  exitCodes: {
    0: 'nothing found, or only findings that a conversion leaves alone',
    1: 'a conversion would change, refuse or break something',
    75: 'another run is writing the same report; try again later',
  },
  async run(operands, values) {
    const { vendor, errors, nul, mojibake, report, json, max } = values;
    const input = listInputs(operands, values);
    const dialect = shared.readDialect(values);
    if (max !== undefined && json) {
      throw new UsageError('--max limits the summary, which --json replaces; use one of them');
    }
    if (report === '-') throw new UsageError('--report needs a file; --json prints the same');
    const from = findLabel(values.from, '--from', vendor);
    const to = findLabel(values.to, '--to', vendor);
    const unpairedSurrogates = values['unpaired-surrogates'];
    const equalJsonKeys = values['equal-json-keys'];
    const printer = new Printer();
    beforeStop(discard);
    const print = async (finding: ScanFinding): Promise<void> => {
      printer.add(formatJson(finding));
      if (printer.isDue) await printer.print();
    };
    const options = {
      ...values,
      input,
      from,
      to,
      formatOptions: dialect.options,
      unpairedSurrogates,
      equalJsonKeys,
      keys: values.key?.flat(),
      limits: values.limit,
      max: max ?? MOST,
      onProgress: createProgress(),
      // Without it, only the findings of the summary leave the threads.
      onFinding: json ? print : undefined,
      onFailure: (_: string, { message }: Error) => printer.say(`utf8: ${message}`),
    };
    const result = await scanDump(options).catch(shared.wordWithFlags);
    if (!json) {
      for (const line of summarizeScan(result)) printer.add(line);
      const policies = {
        from,
        to,
        'unpaired-surrogates': unpairedSurrogates,
        nul,
        errors,
        ...(equalJsonKeys && { 'equal-json-keys': equalJsonKeys }),
        ...(mojibake === 'keep' ? {} : { mojibake }),
      };
      // Without it, the conversion would stop where the server loses characters.
      const fixes = FIXED.some((kind) => kind in result.findings);
      const args = fixes ? [...dialect.args, '--fix-header'] : dialect.args;
      const next = result.files.filter(({ flaws, failed }) => flaws > 0 && !failed);
      if (next.length > 0) printer.add('');
      for (const { file, rejected } of next) {
        printer.add(`Next: ${formatNextCommand(file, args, policies, rejected > 0)}`);
      }
    }
    await printer.print();
    if (json) await printer.say(formatJson(result));
    if (result.files.some(({ failed }) => failed)) return 3;
    const kinds = Object.keys(result.findings) as (keyof typeof result.findings)[];
    return kinds.some((kind) => !result.suggested.includes(kind)) ? 1 : 0;
  },
});
