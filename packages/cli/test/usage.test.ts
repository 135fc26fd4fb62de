import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useFolder, utf8 } from './command.js';

const path = useFolder();

describe('usage errors end with 2 and one sentence', () => {
  const labels = 'utf-8, cesu-8, cesu-8-lenient, cesu-8+utf-8, mutf-8, mutf-8-lenient, rfc2279';
  const known = `there are ${labels}`;

  it.each([
    [['convert'], "required option '--from <encoding>' not specified; see utf8 --help"],
    [['check'], "required option '--as <encoding>' not specified; see utf8 --help"],
    [['frobnicate'], "unknown command 'frobnicate'; see utf8 --help"],
    [
      ['check', '--as', 'utf-8', '--jsn'],
      "unknown option '--jsn' (Did you mean --json?); see utf8 --help",
    ],
    [['convert', '--from'], "option '--from <encoding>' argument missing; see utf8 --help"],
    [['convert', '--from', 'latin1'], `there is no encoding "latin1"; ${known}`],
    [['convert', '--from', 'utf-8', '--to', 'x'], `there is no encoding "x"; ${known}`],
    [['check', '--as', ''], `there is no encoding ""; ${known}`],
    [
      ['check', '--as', 'UTF8'],
      `UTF8 means cesu-8 with --vendor oracle, and without it nothing for sure; write one of ${labels}`,
    ],
    [
      ['check', '--as', 'utf-8', '--vendor', 'acme'],
      "option '--vendor <name>' argument 'acme' is invalid. Allowed choices are oracle; see utf8 --help",
    ],
    [
      ['convert', '--from', 'utf-8', '--errors', 'x'],
      "option '--errors <policy>' argument 'x' is invalid. Allowed choices are strict, replace, ignore, backslashreplace; see utf8 --help",
    ],
    [['check', '--as', 'utf-8', '--max', '0'], '--max takes a whole number from 1 on, not "0"'],
    [['check', '--as', 'utf-8', '--max', 'x'], '--max takes a whole number from 1 on, not "x"'],
    [['detect', '-', '-'], 'stdin can be read only once; name - once'],
    [['detect', '--jsn'], "unknown option '--jsn' (Did you mean --json?); see utf8 --help"],
    [['explain', '--as', 'x'], `there is no encoding "x"; ${known}`],
    [['explain', 'file', '--hex', '41'], '--hex and a file are two inputs; name one'],
    [['explain', '--hex'], "option '--hex <bytes...>' argument missing; see utf8 --help"],
    ...['', 'E', 'ED A', 'ED AG', '0x', '0xED 0x1', 'ED-A0'].map((text): [string[], string] => [
      ['explain', '--hex', text],
      `--hex takes bytes of two hex digits each, as in "ED A0 BD", not ${JSON.stringify(text.split(' ').at(-1))}`,
    ]),
    [['check', '--as', 'utf-8', '-', '-'], 'stdin can be read only once; name - once'],
    [
      ['convert', '--from', 'utf-8', '--range', '1'],
      '--range takes two byte offsets, as in 0-1048576 or 1048576-, not "1"',
    ],
    [
      ['convert', '--from', 'utf-8', '--range', '0-99999999999999999999'],
      '--range takes two byte offsets, as in 0-1048576 or 1048576-, not "0-99999999999999999999"',
    ],
    [['convert', '--from', 'utf-8', '--range', '2-1'], '--range ends before it begins: 2-1'],
    [
      ['convert', '--from', 'utf-8', '--range', '0-1'],
      '--range needs a file that can be read from any place; - is none',
    ],
    [
      ['convert', '--from', 'utf-8', '--range', '0-1', 'a', 'b'],
      '--range is about one file; name only one',
    ],
    [
      ['convert', '--from', 'utf-8', '-o', 'same', '--stats', './same'],
      '-o and --stats name the same file, ./same; name two',
    ],
  ])('%j', async (args, sentence) => {
    const { status, stdout, stderr } = await utf8(args);
    expect([status, stdout.toString(), stderr]).toEqual([2, '', `utf8: ${sentence}\n`]);
  });

  it('--range of something that is no file', async ({ skip }) => {
    if (process.platform === 'win32') skip('no named pipes');
    execFileSync('mkfifo', [path('fifo')]);
    const { status, stderr } = await utf8([
      'convert',
      '--from',
      'utf-8',
      '--range',
      '0-1',
      path('fifo'),
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain(`${path('fifo')} is none`);
  });

  it('no command at all shows what there is', async () => {
    const { status, stderr } = await utf8([]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Usage: utf8.*convert.*check.*detect.*explain/s);
  });
});

describe('help', () => {
  it.each([
    ['--help'],
    ['convert', '--help'],
    ['check', '--help'],
    ['detect', '--help'],
    ['explain', '--help'],
    ['help', 'check'],
  ])('%s %s goes to stdout and ends with 0', async (...args) => {
    const { status, stdout, stderr } = await utf8(args.filter(Boolean));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toMatch(/^Usage: utf8.*Encodings: utf-8, .*Exit codes: 0 /s);
    for (const line of stdout.toString().split('\n')) expect(line.length).toBeLessThan(100);
  });

  it('--version is the one of the package', async () => {
    writeFileSync(path('x'), '');
    const { status, stdout } = await utf8(['--version']);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
