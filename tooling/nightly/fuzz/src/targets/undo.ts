import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { convertDump, DumpError, revertDump } from '@utf8/dump';
import { createDump } from '../../../../../packages/dump/test/random-dump.js';
import { damage } from '../damage.js';
import { pathOf } from '../folder.js';
import { compose } from '../input.js';
import { requireEqual, requireSame, type Target } from '../target.js';

/** A conversion, and what undoes it. */
interface Conversion {
  readonly original: Buffer;
  readonly output: Buffer;
  readonly undo: Buffer;
}

const formats = ['lines', 'csv', 'mysqldump', 'none'];

let conversions: Promise<readonly Conversion[]> | undefined;

async function convertAll(): Promise<readonly Conversion[]> {
  const done: Conversion[] = [];
  for (const format of formats) {
    const mix = { pairs: 2, broken: 1e9 };
    const original = createDump(format === 'none' ? 'lines' : format, 5, 6, mix);
    const [input, output, undo] = [pathOf('in'), pathOf('out'), pathOf('undo')];
    writeFileSync(input, original);
    await convertDump({ input, output, undo, format, from: 'cesu-8+utf-8' });
    done.push({ original, output: readFileSync(output), undo: readFileSync(undo) });
  }
  return done;
}

export const target: Target = {
  title: 'undo logs and outputs that are damaged: the original, or a refusal',
  maxLength: 256,
  isAsync: true,
  *seeds() {
    for (let i = 0; i < 60; i++)
      yield compose(
        '{"at":3,"length":1,"bytes":"eda0"}\n',
        i & 3,
        i % 3,
        i % 4,
        i,
        i * 7,
        i,
        i % 5,
        i,
      );
  },
  async run(input) {
    conversions ??= convertAll();
    const { original, output, undo } = input.pick(await conversions);
    const which = input.below(3);
    const [file, log, back] = [pathOf('out'), pathOf('undo'), pathOf('back')];
    writeFileSync(file, which === 1 ? damage(output, input) : output);
    writeFileSync(log, which === 1 ? undo : which === 2 ? input.rest() : damage(undo, input));
    rmSync(back, { force: true });
    try {
      await revertDump({ input: file, undo: log, output: back });
    } catch (error) {
      if (!(error instanceof DumpError)) throw error;
      requireEqual(existsSync(back), false, 'a refusal that leaves an output');
      return;
    }
    requireSame(readFileSync(back), original, 'what is undone');
  },
};
