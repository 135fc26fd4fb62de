import { readFileSync, writeFileSync } from 'node:fs';
import * as cesu8 from '@utf8/cesu8';
import { split } from '@utf8/explain';
import * as strict from '@utf8/strict';
import { describe, expect, it } from 'vitest';
import { hex, sample, useFolder, utf8 } from './command.js';

const path = useFolder();

describe('check', () => {
  it('says nothing of well-formed input', async () => {
    const result = await utf8(['check', '--from', 'cesu-8+utf-8', sample]);
    expect(result).toEqual({ status: 0, signal: null, stdout: hex(''), stderr: '' });
  });

  it('says nothing of empty input', async () => {
    writeFileSync(path('empty'), '');
    for (const args of [[], [path('empty')]]) {
      expect((await utf8(['check', '--from', 'utf-8', ...args])).status).toBe(0);
    }
  });

  it('lists every malformed character of every file, and sums up', async () => {
    writeFileSync(path('one'), hex('41 0A C3 A9 C0 80 0A'));
    writeFileSync(path('two'), hex('41'));
    const args = ['check', '--from', 'utf-8', path('one'), path('two'), '-'];
    const { status, stdout, stderr } = await utf8(args, hex('E2 82'));
    expect(status).toBe(1);
    expect(stdout.toString()).toBe(`${path('one')}:2:2: offset 4: overlong: C0 80
-:1:1: offset 0: truncated: E2 82
`);
    expect(stderr).toBe('utf8: 2 malformed characters (overlong 1, truncated 1) in 2 of 3 files\n');
  });

  it('finds each six-byte pair of the sample once', async () => {
    const { stdout, stderr } = await utf8(['check', '--from', 'utf-8', '--json', sample]);
    const [summary, ...findings] = parseLines(stdout.toString()).reverse();
    const bytes = readFileSync(sample);
    const text = bytes.toString('latin1');
    expect(stderr).toBe('');
    expect(findings).toHaveLength(368);
    expect(findings.reverse()).toEqual(
      Array.from(text.matchAll(/\xed[\xa0-\xaf].\xed../gs), ({ index: offset, 0: pair }) => ({
        type: 'finding',
        file: sample,
        ...findPlace(bytes, offset),
        offset,
        length: 6,
        reason: 'surrogate',
        bytes: Buffer.from(pair, 'latin1')
          .toString('hex', 0)
          .toUpperCase()
          .replace(/..(?=.)/g, '$& '),
      })),
    );
    expect(summary).toEqual({
      type: 'summary',
      total: 368,
      reasons: { surrogate: 368 },
      files: 1,
      filesChecked: 1,
    });
  });

  it('sums up as JSON too, if there is nothing to find', async () => {
    const { status, stdout } = await utf8(['check', '--json'], 'text');
    expect([status, parseLines(stdout.toString())]).toEqual([
      0,
      [{ type: 'summary', total: 0, reasons: {}, files: 0, filesChecked: 1 }],
    ]);
  });

  it('stops after --max findings in all, and says so', async () => {
    writeFileSync(path('faulty'), hex('FF FF FF'));
    const args = [
      'check',
      '--from',
      'utf-8',
      '--max',
      '4',
      path('faulty'),
      path('faulty'),
      path('faulty'),
    ];
    const { status, stdout, stderr } = await utf8(args);
    expect(status).toBe(1);
    expect(stdout.toString().trimEnd().split('\n')).toHaveLength(4);
    expect(stderr).toBe(`utf8: stopped after 4 findings (--max); there may be more
utf8: 4 malformed characters (invalid-lead 4) in 2 of 2 files
`);
  });

  it('counts lines and columns right where the input is cut into blocks', async () => {
    // One long line, then short ones, with faults on both sides of the places where blocks may end.
    const bytes = Buffer.alloc(600_000, Buffer.from('a한é'));
    for (let i = 262_000; i < 262_300; i += 37) bytes[i] = 0xff;
    for (let i = 524_000; i < 524_600; i += 23) bytes[i] = i % 2 ? 0x0a : 0xe0;
    writeFileSync(path('blocks'), bytes);
    const faults = new Map(Array.from(strict.faults(bytes), (fault) => [fault.offset, fault]));
    const reference: string[] = [];
    let [line, column] = [1, 0];
    for (const { offset } of split(bytes)) {
      column++;
      const fault = faults.get(offset);
      if (fault) reference.push(`${line}:${column}: offset ${offset}: ${fault.reason}`);
      if (bytes[offset] === 0x0a) [line, column] = [line + 1, 0];
    }
    for (const [args, input] of [
      [[path('blocks')], ''],
      [[], bytes],
    ] as const) {
      const { stdout } = await utf8(['check', '--from', 'utf-8', ...args], input);
      const found = stdout.toString().trimEnd().split('\n');
      expect(found.map((line) => line.replace(/^.*?:(?=\d)|: [^:]*$/g, ''))).toEqual(reference);
    }
  });

  it('stays linear where every byte is a fault', async () => {
    const bytes = Buffer.alloc(30_000, 0x80);
    const { status, stdout } = await utf8(['check', '--from', 'cesu-8'], bytes);
    expect(status).toBe(1);
    const last = stdout.toString().trimEnd().split('\n').at(-1);
    expect(last).toBe('-:1:30000: offset 29999: unexpected-continuation: 80');
    expect([...cesu8.faults(bytes)]).toHaveLength(30_000);
  });
});

function parseLines(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Line and column by counting all that is before. */
function findPlace(bytes: Buffer, offset: number) {
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf(0x0a) + 1;
  return {
    line: before.reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1),
    column: [...split(before.subarray(lineStart))].length + 1,
  };
}
