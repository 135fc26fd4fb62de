/** `utf8 check`: every malformed character of some files. */
import { checkDump } from '@utf8/dump';
import { listInputs } from '../input/inputs.js';
import { jobsOption, labelOption, rangeOption, vendorOption } from '../option/catalogue.js';
import { describeError, spellPhrase } from '../option/flag.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { findLabel, wholeNumber } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { createStyle } from '../terminal/style.js';
import { count, listCounts } from '../words/count.js';
import { describeFault } from '../words/refusal.js';

export const command: Command = defineCommand({
  name: 'check',
  description:
    'List malformed characters in files, or in stdin, with line, column, offset and reason.',
  operands: '[FILE]...',
  options: {
    ...group('Encodings', {
      from: labelOption('encoding of the input', { short: 'f', default: 'utf-8' }),
      vendor: vendorOption,
    }),
    ...group('Output', {
      json: { help: 'print findings and counts as JSON, one object per line' },
      max: { value: 'N', help: 'stop after N findings', parse: wholeNumber() },
    }),
    ...group('Run', { jobs: jobsOption, range: rangeOption }),
  },
  examples: [
    ['dump.csv', 'List every character that is not UTF-8'],
    ['--from cesu-8 --max 10 dump.csv.gz', 'List the first ten errors of a compressed CESU-8 file'],
  ],
  exitCodes: { 0: 'every file is well-formed', 1: 'malformed input' },
  async run(operands, { from, vendor, json = false, max, jobs, range }) {
    const style = createStyle(json);
    const printer = new Printer(style);
    const report = await checkDump({
      input: listInputs(operands, { range }),
      from: findLabel(from, '--from', vendor),
      max,
      jobs,
      range,
      onProgress: createProgress(),
      async onFinding(finding) {
        printer.add(
          json ? formatJson({ type: 'finding', ...finding }) : describeFault(finding, style),
        );
        if (printer.isDue) await printer.print();
      },
      onNotice: (_, notice) => printer.say(`utf8: ${spellPhrase(notice)}`),
      onFailure: (_, error) => printer.say(`utf8: ${describeError(error)}`),
    });
    const { total, reasons, filesMalformed: files, filesChecked, filesFailed, isStopped } = report;
    if (json) {
      const stopped = isStopped ? { stoppedAfter: max } : {};
      printer.add(formatJson({ type: 'summary', total, reasons, files, filesChecked, ...stopped }));
    }
    await printer.print();
    if (isStopped && !json) {
      const stop = `stopped after ${count(total, 'finding')} (--max); there may be more`;
      await printer.say(`utf8: ${stop}`);
    }
    if (total > 0 && !json) {
      const found = `${count(total, 'malformed character')} (${listCounts(reasons)})`;
      await printer.say(`utf8: ${found} in ${files} of ${count(filesChecked, 'file')}`);
    }
    if (filesFailed > 0) return 3;
    return total > 0 ? 1 : 0;
  },
});
