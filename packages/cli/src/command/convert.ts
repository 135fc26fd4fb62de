/** `utf8 convert`: text or records of one encoding to another. */

import type { Phrase } from '@utf8/dump';
import { bomPolicies, convertDump, fileHazards } from '@utf8/dump';
import { listInputs } from '../input/inputs.js';
import * as shared from '../option/catalogue.js';
import { spellPhrase } from '../option/flag.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { writeOut } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { say, sayAtOnce } from '../terminal/say.js';
import { catchSignals } from '../terminal/signals.js';
import { createStyle } from '../terminal/style.js';
import { advise } from '../words/hint.js';
import { describeOutcome, summarizeOutcome } from '../words/outcome.js';
import { describeRefusal } from '../words/refusal.js';
import { seeReasons } from '../words/see.js';

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
      nul: { ...shared.nulOption, shownDefault: 'keep; fail in records' },
      'unpaired-surrogates': { ...shared.surrogatesOption, shownDefault: 'fail' },
      'equal-json-keys': { ...shared.equalJsonKeysOption, shownDefault: 'fail' },
      noncharacters: { ...shared.noncharactersOption, shownDefault: 'keep' },
      controls: { ...shared.controlsOption, shownDefault: 'fail' },
      mojibake: { ...shared.mojibakeOption, shownDefault: 'keep' },
      'inner-lengths': { ...shared.innerLengthsOption, shownDefault: 'repair' },
      bom: {
        value: 'POLICY',
        help: 'U+FEFF at the start',
        choices: bomPolicies,
        default: 'keep',
      },
    }),
    ...group('Records', {
      format: {
        ...shared.formatOption,
        choices: [...shared.formatOption.choices, shared.PLAIN],
        help: 'format of the records, or none',
      },
      ...shared.dialectOptions,
      allow: {
        value: 'HAZARD',
        help: 'convert despite HAZARD, which may lose data',
        choices: fileHazards,
        isRepeatable: true,
      },
      rejects: { value: 'FILE', help: 'write refused records to FILE, and continue' },
      'reject-children': { help: 'also reject rows that refer to rejected rows' },
    }),
    ...group('Output', {
      output: shared.outputOption,
      undo: { value: 'FILE', help: 'save an undo log for `utf8 revert`' },
      stats: { value: 'FILE', help: 'save counts as JSON; - for stdout, or stderr without -o' },
      json: { help: 'print JSON, one object per line; on stderr without -o' },
    }),
    ...group('Run', {
      jobs: shared.jobsOption,
      range: shared.rangeOption,
      index: { value: 'FILE', help: 'use an index to find the range; write it if missing' },
      resume: { help: 'resume an interrupted run, or start a resumable one' },
    }),
  },
  notes: [
    'Dumps are recognised by their first lines. Each of their records is converted or refused separately, and numbers, NULL and blobs are copied unchanged. Other text is converted as a whole, unless an option such as --rejects needs records: then its format is guessed, or specified with --format.',
  ],
  common: [
    'from',
    'to',
    'errors',
    'format',
    'unpaired-surrogates',
    'fix-header',
    'rejects',
    'undo',
    'output',
    'resume',
  ],
  examples: [
    ['-f cesu-8+utf-8 dump.csv -o fixed.csv', 'Repair a file that contains both UTF-8 and CESU-8'],
    [
      '-f cesu-8 --format csv --rejects bad.csv --undo undo.jsonl dump.csv -o new.csv',
      'Convert record by record, and save an undo log',
    ],
  ],
  exitCodes: {
    0: 'success, including repairs',
    1: 'malformed input, or rejected records',
    75: 'another run is writing the same output; try again later',
  },
  async run(operands, values) {
    const { format, output, rejects, stats, vendor, json = false } = values;
    const input = listInputs(operands, values);
    const needsFormat = [
      'allow',
      'index',
      'rejects',
      'reject-children',
      'unpaired-surrogates',
      'equal-json-keys',
      'noncharacters',
      'controls',
      'mojibake',
      'inner-lengths',
    ];
    const { options: formatOptions } = shared.readDialect(values, needsFormat);
    if (format !== undefined && format !== shared.PLAIN && input.length > 1) {
      throw new UsageError('--format accepts only one file; run utf8 once per file');
    }
    const from = findLabel(values.from, '--from', vendor);
    const to = findLabel(values.to, '--to', vendor);
    const carriesData = output === STDOUT;
    /** Prints an object where no data goes. */
    const print = (object: object): Promise<void> =>
      carriesData ? say(formatJson(object)) : writeOut(`${formatJson(object)}\n`);
    catchSignals();
    const options = {
      ...values,
      input,
      from,
      to,
      formatOptions,
      rejectChildren: values['reject-children'],
      unpairedSurrogates: values['unpaired-surrogates'],
      equalJsonKeys: values['equal-json-keys'],
      innerLengths: values['inner-lengths'],
      stats: stats === STDOUT ? undefined : stats,
      wantsStats: stats !== undefined,
      // A terminal has no room for both the data and a bar.
      onProgress: carriesData && process.stdout.isTTY ? undefined : createProgress(),
      onNotice: (_: string, notice: Phrase) => sayAtOnce(`utf8: ${spellPhrase(notice)}`),
    };
    const report = await convertDump(options);
    const { status, refusal, stats: counts } = report;
    if (refusal) {
      const { isTargetAtFault: _, ...finding } = { isTargetAtFault: undefined, ...refusal };
      if (json) await print({ type: 'finding', ...finding });
      else await say(describeRefusal(refusal, createStyle(false, 'stderr')));
      const attempt = {
        from,
        to,
        errors: values.errors,
        format: 'format' in counts ? counts.format : format,
      };
      if (!json) {
        for (const hint of await advise(refusal, attempt)) await say(`utf8: ${hint}`);
        for (const line of seeReasons([refusal.reason])) await say(line);
      }
      return 1;
    }
    if (status === 'finished before') {
      await say(`utf8: ${output}: an earlier run had finished; its files are now in place`);
    }
    const told = { type: 'stats', ...counts };
    const text = `${formatJson(told, undefined, json ? undefined : 2)}\n`;
    if (stats === STDOUT && carriesData) process.stderr.write(text);
    if (stats === STDOUT && !carriesData) await writeOut(text);
    const outcome = describeOutcome(counts, rejects);
    if (json) await print(summarizeOutcome(counts));
    else if (outcome) await say(outcome);
    return 'records' in counts && counts.records.rejected > 0 ? 1 : 0;
  },
});
