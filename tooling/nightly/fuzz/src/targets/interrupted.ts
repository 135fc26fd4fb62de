import { readFileSync, writeFileSync } from 'node:fs';
import { nameCheckpoint } from '@utf8/files';
import {
  formatHeader,
  formatLine,
  parseLine,
  type UndoLogLine,
} from '../../../../../packages/database/src/undo-log/line.js';
import {
  checkUndoLog,
  readBackwards,
} from '../../../../../packages/database/src/undo-log/undo-log-reader.js';
import {
  openResumable,
  Resumable,
} from '../../../../../packages/dump/src/checkpoint/resumption.js';
import { damage } from '../damage.js';
import { pathOf } from '../folder.js';
import { compose, type Input } from '../input.js';
import { require, requireEqual, requireSame, type Target } from '../target.js';

const isTyped = (error: unknown): boolean => /^ERR_UTF8_/.test(Object(error).code);

const line = (id: number): UndoLogLine => ({
  table: 'größe',
  key: { id, part: { hex: 'ab', is: 'blob' } as never },
  column: 'name',
  old: 'eda0bdedb880',
  new: 'f09f9880',
});

/** The undo log of a repair of a database. */
const undoLog: Buffer = Buffer.from(
  formatHeader({
    undoLog: 2,
    product: 'Toy 1',
    database: 'mysql://host/größe',
    from: 'cesu-8+utf-8',
    to: 'utf-8',
  }) + [1, 2, 3].map((id) => formatLine(line(id))).join(''),
);

/** An undo log is refused, or its lines are the same in both directions. */
function checkDatabase(input: Input): void {
  const file = pathOf('undo-log');
  const bytes = input.isChosen() ? Buffer.from(input.rest()) : damage(undoLog, input);
  writeFileSync(file, bytes);
  const lines: UndoLogLine[] = [];
  let summary: ReturnType<typeof checkUndoLog>;
  try {
    summary = checkUndoLog(file, undefined, (each) => lines.push(each));
  } catch (error) {
    if (isTyped(error)) return;
    throw error;
  }
  if (!summary) return;
  const { start, size, isComplete } = summary;
  require(start <= size && size <= bytes.length, 'an undo log longer than its file');
  require(!isComplete, 'an undo log that is complete without its end');
  requireEqual(summary.lines, lines.length, 'lines');
  const backwards = Array.from(readBackwards(file, start, size), ({ text }) => parseLine(text));
  requireEqual(JSON.stringify(backwards.reverse()), JSON.stringify(lines), 'lines, read backwards');
}

const STATE = { line: 1, record: 1, context: null };
const names = ['output', 'rejects', 'undo'] as const;
const parts = (name: string, steps: number): string =>
  Array.from({ length: steps }, (_, step) => `${name} ${step}\n`).join('');

const open = (resume: boolean): ReturnType<typeof openResumable> => {
  const paths = { output: pathOf('out'), rejects: pathOf('rejects'), undo: pathOf('undo') };
  return openResumable(pathOf('in'), paths, { from: 'cesu-8' }, resume);
};

/** A run that was interrupted is resumed at one of its checkpoints, or not at all. */
async function checkRun(input: Input): Promise<void> {
  const steps = input.below(4);
  writeFileSync(pathOf('in'), 'the input');
  const begun = await open(false);
  require(begun instanceof Resumable, 'a run that does not begin');
  for (let step = 0; step < steps; step++) {
    for (const name of names) await begun.outputs.write(name, Buffer.from(`${name} ${step}\n`));
    await begun.save({
      offset: step + 1,
      state: STATE,
      counts: { records: step + 1 },
      digests: undefined,
    });
  }
  begun.close();
  const file = nameCheckpoint(pathOf('out'));
  const whole = readFileSync(file);
  const damaged = damage(whole, input);
  writeFileSync(file, damaged);
  let resumed: Awaited<ReturnType<typeof open>>;
  try {
    resumed = await open(true);
  } catch (error) {
    writeFileSync(file, whole);
    await clear();
    if (isTyped(error)) return;
    throw error;
  }
  require(resumed instanceof Resumable, 'a run that was finished');
  const offset = resumed.progress?.offset ?? 0;
  require(offset <= steps, 'a checkpoint that there never was');
  const { size = 0 } = resumed.outputs.kept.output ?? {};
  const expected = Buffer.from(parts('output', offset));
  requireEqual(size, expected.length, 'the size of an output');
  requireSame(resumed.readOutput(0, size), expected, 'an output that is resumed');
  resumed.discard();
  resumed.close();
}

async function clear(): Promise<void> {
  const left = await open(false);
  if (!(left instanceof Resumable)) return;
  left.discard();
  left.close();
}

export const target: Target = {
  title: 'undo logs and checkpoints that are damaged: what they said, or a refusal',
  maxLength: 1024,
  isAsync: true,
  *seeds() {
    yield compose(undoLog, 0, 1);
    for (let i = 0; i < 40; i++)
      yield compose('{"a":1}', i & 1, i % 4, 0, i % 3, i, i * 5, i, i % 5);
  },
  async run(input) {
    if (input.isChosen()) await checkRun(input);
    else checkDatabase(input);
  },
};
