/** `utf8 detect`: which encodings files may be in. */
import { Detector, labels } from '@utf8/detect';
import { chunks, measure, requireStdout } from '@utf8/dump/internal';
import { listInputs, visit } from '../input/inputs.js';
import { type Command, defineCommand } from '../option/option.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { createStyle } from '../terminal/style.js';
import { count } from '../words/count.js';
import { formatReport } from '../words/detection.js';

export const command: Command = defineCommand({
  name: 'detect',
  description: 'List the encodings that files, or stdin, may be in, with the evidence for each.',
  operands: '[FILE]...',
  options: {
    json: { help: 'print reports as JSON, one object per line' },
  },
  notes: [`Encodings: ${labels.join(', ')}`],
  examples: [
    ['dump.csv', 'Show the evidence for each encoding'],
    ['--json *.csv | jq .verdict.label', 'Print only the encodings'],
  ],
  exitCodes: {
    0: 'every file is well-formed in some encoding',
    1: 'a file is not well-formed in any encoding',
  },
  async run(operands, { json = false }) {
    // Its result is nothing else.
    requireStdout();
    const files = listInputs(operands);
    const total = measure(files);
    const update = createProgress();
    const style = createStyle(json);
    const printer = new Printer(style);
    let done = 0;
    let filesRead = 0;
    let filesInNone = 0;
    let hasFailed = false;
    for (const file of files) {
      const isRead = await visit(file, printer, async (source) => {
        const detector = new Detector();
        for await (const chunk of chunks(source)) {
          detector.push(chunk);
          done += chunk.length;
          update(done, total);
        }
        const report = detector.finish();
        const object = { type: 'report', file, ...report };
        if (!json && filesRead > 0) printer.add('');
        if (json) printer.add(formatJson(object, (_, value) => value ?? null));
        else for (const line of formatReport(file, report, style)) printer.add(line);
        filesRead++;
        if (report.verdict.label === undefined) filesInNone++;
        if (printer.isDue) await printer.print();
      });
      if (!isRead) hasFailed = true;
    }
    await printer.print();
    if (filesInNone > 0 && filesRead > 1 && !json) {
      const files = `${filesInNone} of ${count(filesRead, 'file')}`;
      const verb = filesInNone === 1 ? 'is' : 'are';
      await printer.say(`utf8: ${files} ${verb} not well-formed in any variant`);
    }
    if (hasFailed) return 3;
    return filesInNone > 0 ? 1 : 0;
  },
});
