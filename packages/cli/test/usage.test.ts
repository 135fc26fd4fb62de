import { describe, expect, it } from 'vitest';
import { directory } from '../src/command/directory.js';
import { runBuilt } from './built.js';
import { utf8 } from './command.js';

describe('a usage error ends with 2 and one sentence', () => {
  const labels =
    'utf-8, cesu-8, cesu-8-lenient, cesu-8+utf-8, mutf-8, mutf-8-lenient, wtf-8, wtf-8-generalized, mutf-8-android, rfc2279, rfc2279-lax, utf8mb3';
  const errors = 'fail, replace, remove, escape, or a single-byte encoding such as windows-1252';
  const offsets = 'expected byte offsets, as in 0-1048576 or 1048576-';
  const number = 'expected a whole number, 1 or more';

  it.each([
    [['convert'], 'missing option --from LABEL; see utf8 convert --help'],
    [['frobnicate'], 'unknown command "frobnicate"; see utf8 --help'],
    [['chekc'], 'unknown command "chekc" (did you mean check?); see utf8 --help'],
    [['help', 'chekc'], 'unknown command "chekc" (did you mean check?); see utf8 --help'],
    [['--json'], 'unknown option --json; see utf8 --help'],
    [['--'], 'missing command; see utf8 --help'],
    [['--generate'], '--generate needs a value: --generate KIND; see utf8 --help'],
    [['check', '--jsn'], 'unknown option --jsn (did you mean --json?); see utf8 check --help'],
    [['check', '-x'], 'unknown option -x; see utf8 check --help'],
    [['check', '--json=x'], '--json accepts no value; see utf8 check --help'],
    [['convert', '--from'], '--from needs a value: --from LABEL; see utf8 convert --help'],
    [['convert', '-f', '--to'], '-f needs a value: -f LABEL; see utf8 convert --help'],
    [
      ['convert', '-f', 'latin1'],
      `--from "latin1": unknown encoding; expected ${labels}; see utf8 convert --help`,
    ],
    [
      ['convert', '--from', 'utf-8', '--to', 'CESU_8'],
      `--to "CESU_8": unknown encoding (did you mean cesu-8?); expected ${labels}; see utf8 convert --help`,
    ],
    [
      ['check', '--from', ''],
      `--from "": unknown encoding; expected ${labels}; see utf8 check --help`,
    ],
    [
      ['check', '--from', 'AL32UTF8'],
      `--from "AL32UTF8": unknown without a vendor; add --vendor oracle for utf-8, or use one of ${labels}; see utf8 check --help`,
    ],
    [
      ['check', '--vendor', 'acme'],
      '--vendor "acme": expected oracle, mysql; see utf8 check --help',
    ],
    [
      ['convert', '--from', 'utf-8', '--errors', 'replac'],
      `--errors "replac": expected ${errors} (did you mean replace?); see utf8 convert --help`,
    ],
    [['check', '--max', '0'], `--max "0": ${number}; see utf8 check --help`],
    [['check', '--max', 'x'], `--max "x": ${number}; see utf8 check --help`],
    [['detect', '-', '-'], 'stdin can be read only once; use - once; see utf8 detect --help'],
    [['detect', '--jsn'], 'unknown option --jsn (did you mean --json?); see utf8 detect --help'],
    [
      ['explain', '--from', 'x'],
      `--from "x": unknown encoding; expected ${labels}; see utf8 explain --help`,
    ],
    [['explain', 'a', 'b'], 'unexpected argument "b"; see utf8 explain --help'],
    [
      ['explain', 'file', '--hex', '41'],
      '--hex and file are two inputs; use one of them; see utf8 explain --help',
    ],
    [['explain', '--hex'], '--hex needs a value: --hex BYTES; see utf8 explain --help'],
    ...['', 'E', 'ED A', 'ED AG', '0x', '0xED 0x1', 'ED-A0'].map((text): [string[], string] => [
      ['explain', '--hex', text],
      `--hex ${JSON.stringify(text.split(' ').at(-1))}: expected bytes of two hex digits each, as in "ED A0 BD"; see utf8 explain --help`,
    ]),
    [['check', '-', '-'], 'stdin can be read only once; use - once; see utf8 check --help'],
    [
      ['convert', '-f', 'utf-8', '--range', '1'],
      `--range "1": ${offsets}; see utf8 convert --help`,
    ],
    [
      ['convert', '-f', 'utf-8', '--range', '0-99999999999999999999'],
      `--range "0-99999999999999999999": ${offsets}; see utf8 convert --help`,
    ],
    [
      ['convert', '-f', 'utf-8', '--range', '2-1'],
      '--range 2-1: the end is before the start; see utf8 convert --help',
    ],
    [
      ['convert', '-f', 'utf-8', '--range', '0-1'],
      '--range requires a regular file; - is not one; see utf8 convert --help',
    ],
    ...[['convert', '-f', 'utf-8'], ['check'], ['scan', '--format', 'lines']].map(
      ([name = '', ...rest]): [string[], string] => [
        [name, ...rest, '--range', '0-1', 'a', 'b'],
        `--range needs a single file; see utf8 ${name} --help`,
      ],
    ),
    ...['0', '257', '99999999999999999999', 'x', '-1', '1.5', ''].map(
      (text): [string[], string] => [
        ['check', '--jobs', text],
        `--jobs ${JSON.stringify(text)}: expected a whole number from 1 to 256; see utf8 check --help`,
      ],
    ),
    [
      ['convert', '-f', 'utf-8', '-o', 'same', '--stats', './same'],
      '--stats and -o are the same file, ./same; choose another file',
    ],
  ])('%j', async (args, sentence) => {
    const { status, stdout, stderr } = await utf8(args);
    expect([status, stdout.toString(), stderr]).toEqual([2, '', `utf8: ${sentence}\n`]);
  });

  it('an option is accepted with = and in its short form, and -- ends options', async () => {
    for (const args of [['--from=cesu-8'], ['-fcesu-8'], ['-f', 'cesu-8', '--', '-']]) {
      const { status, stdout } = await utf8(['convert', ...args], 'text');
      expect([status, stdout.toString()]).toEqual([0, 'text']);
    }
    const { stderr } = await utf8(['check', '--', '--json']);
    expect(stderr).toBe('utf8: --json: no such file; check the name\n');
  });

  it('no command at all shows the help', async () => {
    const { status, stderr } = await utf8([]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Usage: utf8.*detect.*check.*explain.*convert/s);
  });
});

describe('help', () => {
  const loaded = directory.map(([name]) => [name]);
  const names = ['convert', 'revert', 'scan', 'check', 'detect', 'explain', 'strings'];

  it.each([[['--help']], [['-h']], [['help']]])('%j lists the commands', async (args) => {
    const { status, stdout, stderr } = await utf8(args);
    expect([status, stderr]).toEqual([0, '']);
    const text = stdout.toString();
    expect(text).toMatch(
      /^Usage: utf8 .*\n\nFind.*Look:\n.*Files:\n.*Databases:\n.*Programs:\n.*Exit codes:\n {2}0 /s,
    );
    for (const name of names) expect(text).toContain(`\n  ${name} `);
  });

  it.each(names)('%s --help is help, and so is help %s', async (name) => {
    const { status, stdout, stderr } = await utf8([name, '--help']);
    expect([status, stderr]).toEqual([0, '']);
    const text = stdout.toString();
    expect(text).toMatch(new RegExp(`^Usage: utf8 ${name} .*\n\n[A-Z][^\n]*\\.\n\n`));
    expect(text.match(/^ {2}utf8 /gm)).toHaveLength(2);
    expect(text).toMatch(/Exit codes:\n {2}0 {2}.*\n {2}(1|2) /);
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThan(100);
    // Options have one line each, with a default in brackets.
    const options = text.split(/\n\n(?=Values:|Examples:)/)[0]?.split('\n') ?? [];
    expect(options.filter((line) => /^ {12}/.test(line))).toEqual([]);
    for (const args of [
      ['help', name],
      [name, '--json', '--help'],
    ]) {
      if (args[1] === '--json' && !text.includes('--json')) continue;
      expect((await utf8(args)).stdout.toString()).toBe(text);
    }
  });

  it.each(loaded)('%s -h fits on a screen, and points to --help', async (name) => {
    const { status, stdout, stderr } = await utf8([name, '-h']);
    expect([status, stderr]).toEqual([0, '']);
    const lines = stdout.toString().trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines.at(-1)).toBe(`All options, values and exit codes: utf8 ${name} --help`);
    const full = (await utf8([name, '--help'])).stdout.toString();
    const options = lines.filter((line) => /^ +(-\w, )?--/.test(line));
    expect(options.length).toBeGreaterThan(2);
    for (const option of options) expect(full).toContain(option.trim().split('  ')[0]);
  });

  it('lists encodings where they are needed', async () => {
    const { stdout } = await utf8(['check', '--help']);
    expect(stdout.toString()).toMatch(/\n {6}--from +utf-8, cesu-8, /);
  });

  it('--version is the one of the package', async () => {
    const { status, stdout } = await runBuilt(['--version']);
    expect(status).toBe(0);
    expect(stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
