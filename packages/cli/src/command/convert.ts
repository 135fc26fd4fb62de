/** `utf8 convert`: text or records of one encoding to another. */
import { type BomPolicy, bomPolicies, convertDump } from '@utf8/dump';
import { discard, listInputs } from '../input/inputs.js';
import * as shared from '../option/catalogue.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { writeOut } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { say, sayAtOnce } from '../terminal/say.js';
import { beforeStop } from '../terminal/signals.js';
import { counterForms, listCounters } from '../words/counters.js';
import { allowances, findHazard } from '../words/hazard.js';
import { advise } from '../words/hint.js';
import { describeOutcome } from '../words/outcome.js';
import { describeRefusal } from '../words/refusal.js';

const STDOUT = '-';

export const command: Command = defineCommand({
  name: 'convert',
  description: 'Convert files, or stdin, from one encoding to another.',
  operands: '[FILE]...',
  options: {
    ...group('Encodings', {
      from: shared.labelOption('encoding of the input', { short: 'f', isRequired: true }),
      to: shared.labelOption('encoding of the output', { short: 't', default: 'utf-8' }),
      vendor: shared.vendorOption,
    }),
    ...group('Malformed text', {
      errors: shared.errorsOption,
      nul: { ...shared.nulOption, shownDefault: 'keep; fail with --format' },
      'unpaired-surrogates': { ...shared.surrogatesOption, shownDefault: 'fail' },
      'equal-json-keys': { ...shared.equalJsonKeysOption, shownDefault: 'fail' },
      mojibake: { ...shared.mojibakeOption, shownDefault: 'keep' },
      bom: {
        value: 'POLICY',
        help: 'U+FEFF at the start of plain text',
        choices: bomPolicies as readonly BomPolicy[],
        default: 'keep',
      },
    }),
    ...group('Records', {
      format: { ...shared.formatOption, shownDefault: 'none, for plain text' },
      ...shared.dialectOptions,
      allow: {
        value: 'HAZARD',
        help: 'convert despite HAZARD, which may lose data',
        choices: allowances,
        isRepeatable: true,
      },
      rejects: { value: 'FILE', help: 'write refused records to FILE, and continue' },
      'reject-children': { help: 'also reject rows that refer to rejected rows' },
    }),
    ...group('Output', {
      output: shared.outputOption,
      undo: { value: 'FILE', help: 'save an undo log for `utf8 revert`' },
      stats: { value: 'FILE', help: 'save counts as JSON; - for stdout, or stderr without -o' },
      counters: {
        value: 'FORM',
        help: 'print counts in the form that an engine reads',
        choices: counterForms,
      },
      json: { help: 'print findings and counts as JSON, one object per line' },
    }),
    ...group('Run', {
      jobs: shared.jobsOption,
      range: shared.rangeOption,
      index: { value: 'FILE', help: 'use an index to find the range; write it if missing' },
      resume: { help: 'resume an interrupted run, or start a resumable one' },
    }),
  },
  notes: [
    'With --format, each record is converted or refused separately. Numbers, NULL and blobs are copied unchanged.',
  ],
  examples: [
    ['-f cesu-8+utf-8 dump.csv -o fixed.csv', 'Repair a file that contains both UTF-8 and CESU-8'],
    [
      '-f cesu-8 --format csv --rejects bad.csv --undo undo.jsonl dump.csv -o new.csv',
      'Convert record by record, and save an undo log',
    ],
  ],
  exitCodes: {
    0: 'success, including repairs and rejected records',
    1: 'malformed input',
    75: 'another run is writing the same output; try again later',
  },
  async run(operands, values) {
    const { format, output, rejects, stats, counters, vendor, json = false } = values;
    const input = listInputs(operands, values);
    const needsFormat = [
      'allow',
      'index',
      'rejects',
      'reject-children',
      'unpaired-surrogates',
      'equal-json-keys',
      'mojibake',
    ];
    const { options: formatOptions } = shared.readDialect(values, needsFormat);
    if (format !== undefined && input.length > 1) {
      throw new UsageError('--format accepts only one file; run utf8 once per file');
    }
    if (format !== undefined && values.bom !== 'keep') {
      throw new UsageError(`--bom ${values.bom} applies only to plain text; leave out --format`);
    }
    const from = findLabel(values.from, '--from', vendor);
    const to = findLabel(values.to, '--to', vendor);
    const carriesData = output === STDOUT;
    beforeStop(discard);
    const options = {
      ...values,
      input,
      from,
      to,
      formatOptions,
      allow: values.allow?.map(findHazard),
      rejectChildren: values['reject-children'],
      unpairedSurrogates: values['unpaired-surrogates'],
      equalJsonKeys: values['equal-json-keys'],
      stats: stats === STDOUT ? undefined : stats,
      wantsStats: stats !== undefined || counters !== undefined,
      // A terminal has no room for both the data and a bar.
      onProgress: carriesData && process.stdout.isTTY ? undefined : createProgress(),
      onNotice: (notice: string) => sayAtOnce(`utf8: ${notice}`),
    };
    const report = await convertDump(options).catch(shared.wordWithFlags);
    const { status, refusal, stats: counts } = report;
    if (refusal) {
      await say(describeRefusal(refusal, json));
      if (!json) for (const hint of await advise(refusal, options)) await say(`utf8: ${hint}`);
      return 1;
    }
    if (status === 'finished before') {
      await say(`utf8: ${output}: an earlier run had finished; its files are now in place`);
    }
    if (!counts) return 0;
    const text = `${formatJson(counts, undefined, 2)}\n`;
    if (stats === STDOUT && carriesData) process.stderr.write(text);
    if (stats === STDOUT && !carriesData) await writeOut(text);
    const outcome = describeOutcome(counts, rejects, json);
    if (outcome) await say(outcome);
    // Last, since to an engine they mean that the run succeeded.
    if (counters) for (const line of listCounters(counts)) await say(line);
    return 0;
  },
});
