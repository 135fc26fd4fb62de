import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useFolder, utf8 } from './command.js';

const path = useFolder();

describe('usage errors of scan end with 2 and one sentence', () => {
  const csv = ['scan', '--format', 'csv'];

  it.each([
    [['scan'], "required option '--format <name>' not specified; see utf8 --help"],
    [
      ['scan', '--format', 'xls'],
      'there is no format "xls"; there are lines, copy, csv, tsv, jsonl, mysqldump, pg_dump',
    ],
    [
      [...csv, '--unpaired-surrogates', 'keep'],
      '--unpaired-surrogates keep needs a target that has them, and utf-8 has none; use fail, replace or escape',
    ],
    [
      [...csv, '--to', 'mutf-8', '--unpaired-surrogates', 'keep', '--nul', 'remove'],
      '--unpaired-surrogates keep with --nul remove could make one character of two halves; use replace instead of remove',
    ],
    [
      [...csv, '--unpaired-surrogates', 'x'],
      "option '--unpaired-surrogates <policy>' argument 'x' is invalid. Allowed choices are fail, replace, escape, keep; see utf8 --help",
    ],
    [[...csv, '--max', '0'], '--max takes a whole number from 1 on, not "0"'],
    [
      [...csv, '--max', '1', '--json'],
      '--max is about the summary, which --json leaves out; leave one of them out',
    ],
    [
      [...csv, '--report', '-'],
      '--report takes the name of a file; --json writes the same to stdout',
    ],
    [
      [...csv, 'a.csv', '--report', './a.csv'],
      '--report would replace an input, ./a.csv; name another file',
    ],
    [
      [...csv, '--limit', 'name'],
      '--limit takes a column and how many bytes or characters it holds, as in name=40b or name=40c, not "name"',
    ],
    [
      [...csv, '--limit', 'name=0c'],
      '--limit takes a column and how many bytes or characters it holds, as in name=40b or name=40c, not "name=0c"',
    ],
    [
      [...csv, '--key', 'a,,b'],
      '--key takes names of columns with commas between them, as in id,name, not "a,,b"',
    ],
    [[...csv, '--key', 'a,b', '--key', 'a'], '--key names a twice; name it once'],
    [
      [...csv, '--columns', ''],
      '--columns takes names of columns with commas between them, as in id,name, not ""',
    ],
    [
      ['scan', '--format', 'lines', '--delimiter', ','],
      '--delimiter is for copy, csv, tsv; leave it out with --format lines',
    ],
    [
      [...csv, '--key', 'id'],
      '--key needs files that can be read twice, and stdin is none; write it to a file first',
    ],
    [[...csv, '-', '-'], 'stdin can be read only once; name - once'],
  ])('%j', async (args, sentence) => {
    const { status, stdout, stderr } = await utf8(args);
    expect([status, stdout.toString(), stderr]).toEqual([2, '', `utf8: ${sentence}\n`]);
  });

  it('a key or a limit for a column that no record has', async () => {
    writeFileSync(path('a.csv'), 'id,name\n1,a\n');
    for (const [option, value, column] of [
      ['--key', 'nam', 'nam'],
      ['--limit', 'users.name=4b', 'users.name'],
    ] as const) {
      const { status, stdout, stderr } = await utf8([...csv, path('a.csv'), option, value]);
      expect([status, stdout.toString(), stderr]).toEqual([
        2,
        '',
        `utf8: ${option} names a column "${column}" that no record has; there are id, name\n`,
      ]);
    }
  });

  it('--key of something that is no file', async ({ skip }) => {
    if (process.platform === 'win32') skip('no named pipes');
    execFileSync('mkfifo', [path('fifo')]);
    const { status, stderr } = await utf8([...csv, path('fifo'), '--key', 'id']);
    expect(status).toBe(2);
    expect(stderr).toContain(`${path('fifo')} is none`);
  });

  it('help goes to stdout', async () => {
    const { status, stdout } = await utf8(['scan', '--help']);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^Usage: utf8 scan.*--unpaired-surrogates.*Exit codes: 0 /s);
    for (const line of stdout.toString().split('\n')) expect(line.length).toBeLessThan(100);
  });
});
