/** The command that a scan suggests, run as it is printed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useFolder, utf8 } from './command.js';

const folder = useFolder();

const PAIR = Buffer.from('eda0bdedb880', 'hex');

/** Reads a line as a shell does. */
const split = (line: string): string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${line}`])
    .toString()
    .split('\0')
    .slice(0, -1);

let folders = 0;

it
  .runIf(process.platform !== 'win32')
  .each(['-o.csv', '--help', '--.csv', "it's.csv", 'a b.csv', 'a\nb.csv', '$(exit).csv', '*.csv'])(
  'a file that is named %j is converted',
  { tags: ['slow'] },
  async (name) => {
    const cwd = join(folder('.'), `${folders++}`);
    mkdirSync(cwd);
    writeFileSync(
      join(cwd, name),
      Buffer.concat([Buffer.from('id,n\n1,'), PAIR, Buffer.from('\n2,')]),
    );
    const { stdout } = await utf8(['scan', '--format', 'csv', '--', name], '', { cwd });
    const next = /^Next: utf8 (.*)$/m.exec(stdout.toString())?.[1] ?? '';
    const { status, stderr } = await utf8(split(next), '', { cwd });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('unknown')]);
    const [, stem = name, ending = ''] = /^(.+)(\.[^.]+)$/s.exec(name) ?? [];
    const output = join(cwd, `${stem}.utf-8${ending}`);
    expect(existsSync(output)).toBe(true);
    expect(readFileSync(output, 'utf8')).toContain('😀');
  },
);
