/** `utf8 revert`: the original of a conversion, or the old values of a repaired database. */
import { revertDump } from '@utf8/dump';
import { isDatabaseUrl } from '../input/database-url.js';
import { STDIN } from '../input/stdin.js';
import { outputOption } from '../option/catalogue.js';
import { allowOption, serverOptions } from '../option/database.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { createProgress } from '../terminal/progress.js';
import { catchSignals } from '../terminal/signals.js';

export const command: Command = defineCommand({
  name: 'revert',
  description:
    'Restore the input of a conversion, byte for byte, or the old values of a database, by an undo log.',
  operands: '[FILE|URL]',
  options: {
    undo: { value: 'FILE', help: 'undo log of utf8 convert or utf8 repair', isRequired: true },
    ...group('Files', { output: outputOption }),
    ...group('Databases', {
      allow: {
        ...allowOption,
        help: 'restore rows despite HAZARD',
        choices: ['trigger', 'history'],
      },
      json: { help: 'print the report as JSON instead of a summary' },
      ...serverOptions,
    }),
  },
  examples: [
    ['--undo undo.jsonl -o dump.csv new.csv', 'Restore dump.csv from new.csv'],
    ['--undo app.undo.jsonl sqlite:app.db', 'Restore the old values in a database'],
  ],
  exitCodes: {
    0: 'success',
    1: 'values of the database have changed since, and were kept',
    75: 'another run is writing the same output; try again later',
  },
  async run([file = STDIN], values) {
    const { undo, output } = values;
    if (isDatabaseUrl(file)) {
      if (output !== STDIN) throw new UsageError('--output is for files, not for databases');
      return (await import('../database/revert-database.js')).revertUrl(file, values);
    }
    const other = ['allow', 'json', ...Object.keys(serverOptions)].find(
      (name) => values[name as 'json'] !== undefined,
    );
    if (other) throw new UsageError(`--${other} is for databases, not for files`);
    catchSignals();
    // A terminal has no room for both the data and a bar.
    const onProgress = output === '-' && process.stdout.isTTY ? undefined : createProgress();
    await revertDump({ input: file, undo, output, onProgress });
    return 0;
  },
});
