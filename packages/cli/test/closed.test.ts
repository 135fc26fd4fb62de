/** Streams that a shell closes before the command starts. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { program } from './built.js';
import { plainEnv, useFolder } from './command.js';

const path = useFolder();

/** Runs a line in a shell; `utf8` is the command. */
const runLine = (line: string): Promise<[status: number, stderr: string]> =>
  new Promise((resolve) => {
    const script = `utf8() { "${process.execPath}" "${program}" "$@"; }; cd "${path('.')}"; ${line}`;
    execFile('sh', ['-c', script], { env: plainEnv() }, (error, _, stderr) =>
      resolve([Number(error?.code ?? 0), stderr]),
    );
  });

describe.runIf(process.platform === 'linux')('a closed stream', () => {
  const closed = 'utf8: stdout: is closed; redirect it, or use > /dev/null\n';

  it.each([
    'convert -f utf-8 in',
    'convert -f utf-8 --format csv in -o -',
    'detect in',
    'explain in',
    'strings in',
  ])('is an error of utf8 %s, whose result would be lost', { tags: ['slow'] }, async (args) => {
    writeFileSync(path('in'), 'id,n\n1,a\n');
    expect(await runLine(`utf8 ${args} >&-`)).toEqual([3, closed]);
    const [status] = await runLine(`utf8 ${args} > /dev/null`);
    // A text has no strings of classes.
    expect(status).toBe(args.startsWith('strings') ? 1 : 0);
  });

  it.each([
    'convert -f utf-8 -o out',
    'detect',
    'check',
    'scan --format csv',
    'verify --from utf-8 --format csv in -',
  ])('is an error of utf8 %s, which reads it', { tags: ['slow'] }, async (args) => {
    writeFileSync(path('in'), 'id,n\n1,a\n');
    const [status, stderr] = await runLine(`utf8 ${args} <&-`);
    expect([status, stderr]).toEqual([3, expect.stringContaining('stdin: is closed')]);
  });

  it('does not matter to a command that does not use it', { tags: ['slow'] }, async () => {
    writeFileSync(path('in'), 'id,n\n1,a\n');
    expect(await runLine('utf8 convert -f utf-8 in -o out <&- >&-')).toEqual([0, '']);
    expect(await runLine('utf8 check in <&- >&-')).toEqual([0, '']);
  });

  it('that is open for reading only is an error', { tags: ['slow'] }, async () => {
    for (const args of ['--version', '--help', 'detect in', 'scan --format csv in']) {
      writeFileSync(path('in'), 'id,n\n1,a\n');
      writeFileSync(path('other'), '');
      const [status, stderr] = await runLine(`utf8 ${args} 1< other`);
      expect([status, stderr]).toEqual([3, expect.stringContaining('stdout')]);
    }
  });
});
