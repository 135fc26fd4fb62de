import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useFolder, utf8 } from './command.js';

const path = useFolder();

describe('usage errors of scan end with 2 and one sentence', () => {
  const csv = ['scan', '--format', 'csv'];

  it.each([
    [['scan'], '-: its format is not recognised; specify it with --format'],
    [
      ['scan', '--format', 'xls'],
      '--format "xls": expected lines, copy, csv, tsv, tab, json, jsonl, mysqldump, pg_dump, sqlite; see utf8 scan --help',
    ],
    [
      [...csv, '--unpaired-surrogates', 'keep'],
      '--unpaired-surrogates keep requires a target that encodes surrogates, and UTF-8 does not; use fail, replace or escape; see utf8 scan --help',
    ],
    [
      [...csv, '--to', 'mutf-8', '--unpaired-surrogates', 'keep', '--nul', 'remove'],
      '--unpaired-surrogates keep with --nul remove can join two surrogates into one character; use --nul replace; see utf8 scan --help',
    ],
    [
      [...csv, '--unpaired-surrogates', 'x'],
      '--unpaired-surrogates "x": expected fail, replace, escape, keep; see utf8 scan --help',
    ],
    [[...csv, '--max', '0'], '--max "0": expected a whole number, 1 or more; see utf8 scan --help'],
    [
      [...csv, '--max', '1', '--json'],
      '--max limits the summary, which --json replaces; use one of them; see utf8 scan --help',
    ],
    [
      [...csv, '--report', '-'],
      '--report needs a file; --json prints the same; see utf8 scan --help',
    ],
    [
      [...csv, 'a.csv', '--report', './a.csv'],
      '--report and the input are the same file, ./a.csv; choose another file',
    ],
    [
      [...csv, '--limit', 'name'],
      '--limit "name": expected a column and a length in bytes or characters, as in name=40b or name=40c',
    ],
    [
      [...csv, '--limit', 'name=0c'],
      '--limit "name=0c": expected a column and a length in bytes or characters, as in name=40b or name=40c',
    ],
    [
      [...csv, '--key', 'a,,b'],
      '--key "a,,b": expected column names separated by commas, as in id,name; see utf8 scan --help',
    ],
    [[...csv, '--key', 'a,b', '--key', 'a'], '--key names a twice; remove one of them'],
    [
      [...csv, '--columns', ''],
      '--columns "": expected column names separated by commas, as in id,name; see utf8 scan --help',
    ],
    [
      ['scan', '--format', 'lines', '--delimiter', ','],
      '--delimiter applies to copy, csv, tsv, tab; remove it for --format lines; see utf8 scan --help',
    ],
    [
      [...csv, '--key', 'id'],
      '--key requires regular files, since it reads them twice; save stdin to one first',
    ],
    [[...csv, '-', '-'], 'stdin can be read only once; use - once; see utf8 scan --help'],
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
        `utf8: ${option}: no record has a column "${column}"; the columns are id, name\n`,
      ]);
    }
  });

  it.runIf(process.platform !== 'win32')('--key of something that is no file', async () => {
    const { status, stderr } = await utf8([...csv, '/dev/null', '--key', 'id']);
    expect(status).toBe(2);
    expect(stderr).toContain('save /dev/null to one first');
  });

  it('help goes to stdout', async () => {
    const { status, stdout } = await utf8(['scan', '--help']);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(
      /^Usage: utf8 scan.*--unpaired-surrogates.*Exit codes:\n {2}0 /s,
    );
    for (const line of stdout.toString().split('\n')) expect(line.length).toBeLessThan(100);
  });
});
