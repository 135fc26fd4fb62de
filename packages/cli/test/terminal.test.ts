/** Names and texts that would act on a terminal: none of them may reach one raw. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { escapeReversibly, escapeText, formatJson } from '../src/terminal/escape.js';
import { escapePainted } from '../src/terminal/style.js';
import { quoteArgument } from '../src/words/shell.js';
import { need } from './built.js';
import { makeClass } from './class.js';
import { hex, plainEnv, useFolder, utf8 } from './command.js';

const path = useFolder();

/** ESC, BEL, a tab, line ends, DEL, C1, ALM, marks, separators, an override, an isolate. */
const EVIL =
  'a\x1b]0;x\x07\t\r\n\x7f\x9b31m\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\u2067.csv';
const SHOWN =
  'a\\u001B]0;x\\u0007\\t\\r\\n\\u007F\\u009B31m\\u061C\\u200E\\u200F\\u2028\\u2029\\u202A\\u202E\\u2066\\u2069\\u2067.csv';

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left.
const UNSAFE = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u;

describe('escapeText', () => {
  it.each([
    ['what is harmless', 'a\\b é 한 😀', 'a\\b é 한 😀'],
    ['controls and bidi controls', EVIL, SHOWN],
    ['unpaired surrogates', '\ud83d \udbff \udc00', '\\uD83D \\uDBFF \\uDC00'],
    ['bytes of a file name', '\udc80\udcff', '\\x80\\xFF'],
  ])('%s', (_, text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
    expect(escapeText(escaped)).toBe(escaped);
  });

  it('leaves no code unit that acts on a terminal', () => {
    const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join(' ');
    expect(UNSAFE.test(escapeText(all).replaceAll('\n', '!'))).toBe(false);
    expect(UNSAFE.test(formatJson(all))).toBe(false);
    expect(JSON.parse(formatJson(all))).toBe(all);
  });

  it('loses nothing if it has to be reversible', () => {
    expect(escapeReversibly('\\n\n\udcff')).toBe('\\\\n\\n\\uDCFF');
  });

  it('lets colours pass, and no other control sequence', () => {
    expect(escapePainted('\x1b[1mbold\x1b[22m\x1b[2J\x1b[31;5m')).toBe(
      '\x1b[1mbold\x1b[22m\\u001B[2J\\u001B[31;5m',
    );
  });
});

describe.skipIf(process.platform === 'win32')('a file name', () => {
  const evil = (): string => path(EVIL);
  const shown = (): string => `${path('')}${path('').endsWith('/') ? '' : '/'}${SHOWN}`;
  const faulty = Buffer.concat([Buffer.from('id\n1'), hex('FF'), Buffer.from('\n')]);

  const commands: [string, string[], boolean][] = [
    ['check', ['check', 'FILE'], true],
    ['convert', ['convert', '-f', 'utf-8', 'FILE'], true],
    ['convert, with a format', ['convert', '-f', 'utf-8', '--format', 'csv', 'FILE'], true],
    ['detect', ['detect', 'FILE'], true],
    ['scan', ['scan', '--format', 'csv', 'FILE'], true],
    ['strings', ['strings', 'FILE'], true],
    ['revert', ['revert', 'FILE', '--undo', 'FILE'], true],
    ['revert, as the undo log', ['revert', '/dev/null', '--undo', 'FILE'], true],
    ['check, if it is missing', ['check', 'FILE'], false],
    ['convert, if it is missing', ['convert', '-f', 'utf-8', 'FILE'], false],
    ['detect, if it is missing', ['detect', 'FILE'], false],
    ['explain, if it is missing', ['explain', 'FILE'], false],
    ['scan, if it is missing', ['scan', '--format', 'csv', 'FILE'], false],
    ['strings, if it is missing', ['strings', 'FILE'], false],
    ['revert, if it is missing', ['revert', 'FILE', '--undo', 'FILE'], false],
    ['explain, as a second input', ['explain', 'FILE', '--hex', '41'], true],
    ['explain, as too much', ['explain', 'x', 'FILE'], true],
    ['convert, as the output', ['convert', '-f', 'utf-8', '/dev/null', '-o', 'FILE/x'], true],
    [
      'convert, as the input and the output',
      ['convert', '-f', 'utf-8', 'FILE', '-o', 'FILE'],
      true,
    ],
    ['an unknown command', ['FILE'], true],
    ['an unknown option', ['check', '--FILE'], true],
    ['a value', ['check', '--from', 'FILE'], true],
  ];

  it.each(commands)('%s', async (_, args, exists) => {
    rmSync(evil(), { force: true });
    if (exists) writeFileSync(evil(), faulty);
    const named = args.map((arg) => arg.replace('FILE', evil()));
    for (const env of [plainEnv(), plainEnv({ FORCE_COLOR: '1' })]) {
      const { status, stdout, stderr } = await utf8(named, '', { env });
      expect(status).toBeGreaterThan(0);
      // The colours of `detect` are the only exception.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: ESC starts a colour.
      const text = `${stdout}${stderr}`.replace(/\x1b\[\d{1,2}m/g, '');
      expect(text).not.toMatch(UNSAFE);
      if (!args.some((arg) => /^(--)?FILE$/.test(arg) && arg !== 'FILE')) {
        expect(text.replaceAll('\\\\', '\\')).toContain('\\u202E');
      }
    }
  });

  it('is shown whole, in one line', async () => {
    writeFileSync(evil(), faulty);
    const { stdout } = await utf8(['check', evil()]);
    expect(stdout.toString().split('\n')[0]).toBe(`${shown()}:2:2: offset 4: invalid-lead: FF`);
    const { stderr } = await utf8(['convert', '-f', 'utf-8', evil()]);
    expect(stderr).toContain(`utf8: ${shown()}: malformed utf-8`);
  });

  it.each([
    ['check', ['check', '--json']],
    ['detect', ['detect', '--json']],
    ['scan', ['scan', '--format', 'csv', '--json']],
    ['convert', ['convert', '-f', 'utf-8', '--json']],
  ])('is escaped in the JSON of %s, and restored by a parser', async (name, args) => {
    writeFileSync(evil(), faulty);
    const { stdout, stderr } = await utf8([...args, evil()]);
    expect(`${stdout}${stderr}`).not.toMatch(UNSAFE);
    const [line = ''] = (name === 'convert' ? stderr : stdout.toString()).split('\n');
    expect(JSON.parse(line)).toMatchObject({ file: evil() });
    expect(line).toContain('\\u202e');
  });

  it('is escaped in the counts of --stats -', async () => {
    writeFileSync(evil(), 'text\n');
    const args = ['convert', '-f', 'utf-8', evil(), '-o', path('out'), '--stats', '-'];
    const { stdout } = await utf8(args);
    expect(stdout.toString()).not.toMatch(UNSAFE);
    expect(JSON.parse(stdout.toString()).files).toEqual([evil()]);
  });

  it('of a class is escaped in strings', async () => {
    mkdirSync(path('classes'), { recursive: true });
    writeFileSync(path(`classes/${EVIL}.class`), makeClass('A', ['text']));
    const { status, stdout } = await utf8(['strings', '--kind', 'literal', path('classes')]);
    expect(status).toBe(0);
    expect(stdout.toString().replaceAll('\tliteral\ttext\n', '')).not.toMatch(UNSAFE);
  });

  it('in the command line of scan is the same name to bash', { tags: ['slow'] }, async () => {
    need('bash');
    for (const name of [EVIL, "it's\n\\n", 'é한\x80😀', 'a b']) {
      const written = execFileSync('bash', ['-c', `printf %s ${quoteArgument(name)}`]);
      expect(written.toString()).toBe(name);
    }
    writeFileSync(evil(), 'id\n1\xff\n', 'latin1');
    const { stdout } = await utf8(['scan', '--format', 'csv', evil()]);
    const [, next = ''] = /Next: utf8 convert (.*) --format/.exec(stdout.toString()) ?? [];
    expect(execFileSync('bash', ['-c', `printf %s ${next}`]).toString()).toBe(evil());
  });
});

describe('what a dump contains', () => {
  it('as names and values of columns', async () => {
    const name = `"${EVIL}"`;
    const rows = Buffer.concat([
      Buffer.from(`id,${name}\n${name},x`),
      hex('ED A0 BD ED B8 80'),
      Buffer.from('\n'),
    ]);
    writeFileSync(path('columns.csv'), rows);
    const scan = ['scan', '--format', 'csv', path('columns.csv')];
    for (const more of [
      ['--key', 'id'],
      ['--key', 'nam'],
      ['--limit', 'id=1b'],
      ['--json', '--key', 'id'],
    ]) {
      const { status, stdout, stderr } = await utf8([...scan, ...more]);
      expect(status).toBeGreaterThan(0);
      expect(`${stdout}${stderr}`).not.toMatch(UNSAFE);
      expect(`${stdout}${stderr}`.toLowerCase()).toContain('\\u202e');
    }
    const convert = ['convert', '-f', 'utf-8', '--format', 'csv', path('columns.csv')];
    expect((await utf8(convert)).stderr).not.toMatch(UNSAFE);
  });

  it('as names of tables', async () => {
    const table = EVIL.replace(/[\n\r]/g, '');
    const sql = Buffer.from(`INSERT INTO \`${table}\` (\`${table}\`) VALUES ('\xff');\n`, 'latin1');
    writeFileSync(path('tables.sql'), sql);
    for (const more of [[], ['--json']]) {
      const dump = ['--format', 'mysqldump', '--assume', 'text', path('tables.sql')];
      const args = ['scan', ...dump, ...more];
      const { status, stdout, stderr } = await utf8(args);
      expect(status).toBe(1);
      expect(`${stdout}${stderr}`).not.toMatch(UNSAFE);
    }
  });

  it('as a header that does not fit', async () => {
    const file = path('limits.csv');
    writeFileSync(file, `${EVIL.replace(/[\r\n]/g, '')}\nx\n`);
    const { status, stderr } = await utf8(['scan', '--format', 'csv', '--key', 'id', file]);
    expect(status).toBe(2);
    expect(stderr).not.toMatch(UNSAFE);
    expect(readFileSync(file, 'utf8')).toMatch(UNSAFE);
  });
});

describe('colour', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ESC starts every control sequence.
  const PAINT = /\x1b\[\d+m/;
  const raw = Buffer.from('id,name\n1,a\xed\xa0\xbd\xed\xb8\x80\x1b[31m\xff\n', 'latin1');

  it.each([
    ['check', ['check', 'in.csv']],
    ['convert', ['convert', '-f', 'cesu-8', 'in.csv', '-o', 'out.csv']],
    ['detect', ['detect', 'in.csv']],
    ['explain', ['explain', 'in.csv']],
    ['scan', ['scan', '--format', 'csv', 'in.csv']],
    ['strings', ['strings', 'A.class']],
    ['verify', ['verify', '--format', 'csv', '--key', 'id', 'in.csv', 'other.csv']],
    ['repair', ['repair', 'sqlite:none.db']],
  ])('%s has it on terminals, unless it is refused', async (_, args) => {
    writeFileSync(path('in.csv'), raw);
    writeFileSync(path('other.csv'), 'id,name\n1,a\n');
    writeFileSync(path('A.class'), makeClass('A', ['text\x1b[31m']));
    const show = async (more: readonly string[], env: NodeJS.ProcessEnv) => {
      const around = { cwd: path('.'), terminal: 'both' as const, env: plainEnv(env) };
      const { stdout, stderr } = await utf8([...args, ...more], '', around);
      return `${stdout}${stderr}`;
    };
    const colored = await show([], {});
    expect(colored).toMatch(PAINT);
    // Text from the file stays escaped.
    expect(colored).not.toContain('\x1b[31m\\xff');
    expect(colored).not.toContain('text\x1b[31m');
    expect(await show([], { NO_COLOR: '1' })).not.toMatch(PAINT);
    expect(await show(['--no-color'], { FORCE_COLOR: '1' })).not.toMatch(PAINT);
  });
});
