/** `utf8 revert`: the original of what `utf8 convert --undo` converted. */
import { revertDump } from '@utf8/dump';
import { discard, STDIN } from '../input/inputs.js';
import { outputOption } from '../option/catalogue.js';
import { type Command, defineCommand } from '../option/option.js';
import { createProgress } from '../terminal/progress.js';
import { beforeStop } from '../terminal/signals.js';

export const command: Command = defineCommand({
  name: 'revert',
  description:
    'Restore the input of a conversion, byte for byte, from its output and its undo log.',
  operands: '[FILE]',
  options: {
    undo: { value: 'FILE', help: 'undo log that utf8 convert saved', isRequired: true },
    output: outputOption,
  },
  examples: [
    ['--undo undo.jsonl -o dump.csv new.csv', 'Restore dump.csv from new.csv'],
    ['--undo undo.jsonl new.csv | cmp - dump.csv', 'Prove that a conversion lost nothing'],
  ],
  exitCodes: { 0: 'success', 75: 'another run is writing the same output; try again later' },
  async run([file = STDIN], { undo, output }) {
    beforeStop(discard);
    // A terminal has no room for both the data and a bar.
    const onProgress = output === '-' && process.stdout.isTTY ? undefined : createProgress();
    await revertDump({ input: file, undo, output, onProgress });
    return 0;
  },
});
