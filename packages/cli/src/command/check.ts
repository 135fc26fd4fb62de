/** `utf8 check`: every fault of some files. */
import { type CheckReport, checkDump } from '@utf8/dump';
import { listInputs } from '../input/inputs.js';
import { jobsOption, labelOption, rangeOption, vendorOption } from '../option/catalogue.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { findLabel, wholeNumber } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { count, listCounts } from '../words/count.js';
import { describeFault } from '../words/refusal.js';

export const command: Command = defineCommand({
  name: 'check',
  description: 'List malformed bytes in files, or in stdin, with line, column, offset and reason.',
  operands: '[FILE]...',
  options: {
    ...group('Encodings', {
      as: labelOption('encoding that the input should have', { default: 'utf-8' }),
      vendor: vendorOption,
    }),
    ...group('Output', {
      json: { help: 'print findings as JSON, one object per line' },
      max: { value: 'N', help: 'stop after N findings', parse: wholeNumber() },
    }),
    ...group('Run', { jobs: jobsOption, range: rangeOption }),
  },
  examples: [
    ['dump.csv', 'List everything that is not UTF-8'],
    ['--as cesu-8 --max 10 dump.csv.gz', 'List the first ten faults of a compressed CESU-8 file'],
  ],
  exitCodes: { 0: 'every file is well-formed', 1: 'malformed input' },
  async run(operands, { as, vendor, json = false, max, jobs, range }) {
    const printer = new Printer();
    const report = await checkDump({
      input: listInputs(operands, { range }),
      as: findLabel(as, '--as', vendor),
      max,
      jobs,
      range,
      onProgress: createProgress(),
      async onFinding(finding) {
        printer.add(describeFault(finding, json));
        if (printer.isDue) await printer.print();
      },
      onFailure: (_, { message }) => printer.say(`utf8: ${message}`),
    });
    await printer.print();
    const { total, filesFailed, isStopped } = report;
    if (isStopped) {
      const stop = `utf8: stopped after ${count(total, 'finding')} (--max); there may be more`;
      await printer.say(json ? formatJson({ stopped: true, max }) : stop);
    }
    if (total > 0) await printer.say(summarize(report, json));
    if (filesFailed > 0) return 3;
    return total > 0 ? 1 : 0;
  },
});

function summarize(report: CheckReport, json: boolean): string {
  const { faults, total, filesAtFault: files, filesChecked } = report;
  if (json) return formatJson({ faults, files, filesChecked });
  const places = `${files} of ${count(filesChecked, 'file')}`;
  return `utf8: ${count(total, 'fault')} (${listCounts(faults)}) in ${places}`;
}
