/** `utf8 explain`: bytes, one sequence per line, with an explanation of each. */
import type { Label } from '@utf8/detect';
import { chunks, requireStdout, type Source } from '@utf8/dump/internal';
import { type Explanation, explainSequence, Notes, split } from '@utf8/explain';
import { formatFoot, formatHead, formatNote, formatSequence } from '../explain/annotate.js';
import { parseHex } from '../explain/hex.js';
import { visit } from '../input/inputs.js';
import { STDIN } from '../input/stdin.js';
import { labelOption, vendorOption } from '../option/catalogue.js';
import { type Command, defineCommand } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createStyle } from '../terminal/style.js';
import { seeReasons } from '../words/see.js';

export const command: Command = defineCommand({
  name: 'explain',
  description:
    'Show each sequence of bytes with its bits, character and rule, and the encodings that accept it.',
  operands: '[FILE]',
  options: {
    hex: { value: 'BYTES', help: 'explain these bytes, such as ED A0 BD', isGreedy: true },
    from: labelOption('check only this encoding', { short: 'f' }),
    vendor: vendorOption,
    json: { help: 'print sequences as JSON, one object per line' },
  },
  examples: [
    ['--hex "2F C0 AE 2E 2F"', 'Explain bytes on the command line'],
    ['--from cesu-8 dump.csv | less', 'Explain a file by the rules of one encoding'],
  ],
  exitCodes: { 0: 'success, even if bytes are malformed' },
  async run([file], { hex, from, vendor, json }) {
    // Its result is nothing else.
    requireStdout();
    if (hex && file !== undefined) {
      throw new UsageError(`--hex and ${file} are two inputs; use one of them`);
    }
    const label = from === undefined ? undefined : findLabel(from, '--from', vendor);
    const given = hex && parseHex(hex.join(' '));
    const style = createStyle(json);
    const printer = new Printer(style);
    const notes = new Notes();
    const reasons = new Set<string>();
    const narrow = (explanation: Explanation): Explanation =>
      label ? { ...explanation, variants: pick(explanation.variants, label) } : explanation;
    /** Bytes whose sequences depend on the next chunk. */
    let pending = new Uint8Array();
    let offset = 0;
    let isEmpty = true;
    const explain = async (chunk: Uint8Array, isLast = false): Promise<void> => {
      const bytes = Buffer.concat([pending, chunk]);
      const sequences = split(bytes, offset, isLast);
      let next = sequences.next();
      for (; !next.done; next = sequences.next()) {
        const explanation = narrow(explainSequence(next.value));
        if (json) printer.add(formatJson({ type: 'sequence', ...explanation }));
        else {
          if (isEmpty) printer.add(formatHead(style));
          for (const line of formatSequence(explanation, style)) printer.add(line);
          notes.add(next.value);
          if (explanation.isBroken) {
            for (const { faults } of Object.values(explanation.variants)) {
              for (const { reason } of faults) reasons.add(reason);
            }
          }
        }
        isEmpty = false;
        if (printer.isFull) await printer.print();
      }
      pending = bytes.subarray(next.value);
      offset += next.value;
      await printer.print();
    };
    if (given) await explain(given);
    const read = async (source: Source): Promise<void> => {
      for await (const chunk of chunks(source)) await explain(chunk);
    };
    const options = { refuseBinary: false };
    const isRead = given !== undefined || (await visit(file ?? STDIN, printer, read, options));
    await explain(new Uint8Array(), true);
    if (!json && isEmpty && isRead) printer.add('The input is empty.');
    if (!json && !isEmpty) {
      const paragraphs = notes.list().flatMap((note) => formatNote(note, style));
      const see = seeReasons(reasons).flatMap((line) => ['', style.weak(line)]);
      const foot = ['', ...formatFoot(label, style), ...paragraphs, ...see];
      for (const line of foot) printer.add(line);
    }
    await printer.print();
    return isRead ? 0 : 3;
  },
});

/** Keeps the result of one variant. */
const pick = (variants: Explanation['variants'], label: Label): Explanation['variants'] =>
  ({ [label]: variants[label] }) as Explanation['variants'];
