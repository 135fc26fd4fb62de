/** Tests of the inputs, the selection and the table of commands, on tiny files and invented times. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { spellingOf } from '../src/arena/codecs.mjs';
import { encode } from '../src/arena/reference.mjs';
import { runProcess } from '../src/commands/process.mjs';
import { DAMAGES, FORMATS, writeRows } from '../src/commands/rows.mjs';
import { compareFiles } from '../src/commands/tasks.mjs';
import { makePlan } from '../src/plan.mjs';

const folder = mkdtempSync(join(tmpdir(), 'bench-commands-'));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = (...only: string[]) =>
  makePlan({ mode: 'quick', only, filesUpTo: undefined, broken: undefined }).commands;
const tasksOf = (...only: string[]) => [
  ...new Set(plan(...only)?.tasks.map(({ command, format }) => `${command} ${format}`)),
];

describe('inputs of commands', () => {
  it.each(
    Object.keys(FORMATS).flatMap((format) =>
      Object.keys(DAMAGES).map((damage) => [format, damage]),
    ),
  )('%s with %s damaged is CESU-8, and the twin is the same text in UTF-8', (format, damage) => {
    const name = format as keyof typeof FORMATS;
    const degree = damage as keyof typeof DAMAGES;
    const { rows, damaged, size } = writeRows(name, degree, 4096, at('source'), at('twin'));
    const source = readFileSync(at('source'));
    const text = readFileSync(at('twin'), 'utf8');
    expect(source.equals(encode(text, spellingOf('cesu-8')))).toBe(true);
    expect(size).toBe(source.length);
    expect(damaged).toBe(Math.floor(rows / DAMAGES[degree]));
    expect(text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0).toBe(damaged);
  });
});

describe('the selection of commands', () => {
  it('has every format of one command, or one format of all', () => {
    expect(tasksOf('scan')).toEqual([
      ...['scan csv', 'scan copy', 'scan jsonl', 'scan mysqldump', 'scan pg_dump'],
    ]);
    expect(tasksOf('csv')).toEqual(['convert csv', 'scan csv', 'verify csv', 'revert csv']);
    expect(tasksOf('scan', 'strings', 'csv', 'jar')).toEqual(['scan csv', 'strings jar']);
  });

  it('is the conversion of plain files unless commands are named', () => {
    expect(tasksOf()).toEqual(['convert plain']);
    expect(plan('decode')).toBeUndefined();
  });

  it('takes the size from the command line', () => {
    const wish = { mode: 'full', filesUpTo: undefined, broken: undefined } as const;
    expect(makePlan({ ...wish, only: ['scan'] }).commands?.size).toBe(64 * 2 ** 20);
    expect(makePlan({ ...wish, only: ['scan'], fileSize: 1000 }).commands?.size).toBe(1000);
  });
});

it('a difference between outputs is found where it is', () => {
  writeFileSync(at('a'), 'abc');
  writeFileSync(at('b'), 'abd');
  writeFileSync(at('c'), 'abcd');
  expect(compareFiles(at('a'), at('a'))).toBeUndefined();
  expect(compareFiles(at('a'), at('b'))).toMatch(/^MiB 0 differs from byte 2 on/);
  expect(compareFiles(at('c'), at('a'))).toMatch(/byte 3|bytes: 4 instead of 3/);
});

// By bash, which a machine may lack.
it('a process is measured with its children, and its failure reported', {
  tags: ['slow'],
}, async () => {
  const ran = await runProcess(['sh', '-c', 'echo out; echo why >&2; exit 3'], at('out'));
  expect(ran.error).toBe('ended with 3: why');
  expect(readFileSync(at('out'), 'utf8')).toBe('out\n');
  expect(ran.milliseconds).toBeGreaterThanOrEqual(0);
  expect(ran.cpu).toBeGreaterThanOrEqual(0);
  expect((await runProcess(['sh', '-c', 'exit 1'], undefined, [0, 1])).error).toBeUndefined();
});
