import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds as classKinds } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import { findJdk } from '../../classfile/test/jdk.js';
import { zip } from '../../classfile/test/zip.js';
import { need, program } from './built.js';
import { makeClass, spell } from './class.js';
import { hex, useFolder, utf8 } from './command.js';

/** Those of classes, and those of Android's resources alone. */
const kinds = [
  ...classKinds,
  'value',
  'text',
  'type',
  'style',
  'element',
  'namespace',
  'comment',
  'symbol',
];

const path = useFolder();

const write = (name: string, bytes: Uint8Array): string => {
  writeFileSync(path(name), bytes);
  return path(name);
};

/** The rows of what has been printed, each with its three fields. */
const rows = (stdout: Buffer): string[][] =>
  stdout
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));

/** Parses the output of `--json`. */
const objects = (stdout: Buffer): Record<string, unknown>[] =>
  stdout
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe('a line', () => {
  it('is a place, the kinds and the string', async () => {
    const file = write('A.class', makeClass('A', ['Hello\0\ud83d', '😀', 'A']));
    const result = await utf8(['strings', file]);
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(result.stdout.toString()).toBe(`${file}#1@13\tname\tA
${file}#3@20\tname\tjava/lang/Object
${file}#5@42\tliteral\tHello\\u0000\\uD83D
${file}#7@58\tliteral\t😀
${file}#9@70\tliteral\tA
`);
  });

  it('of what javac has made', { tags: ['slow'] }, async () => {
    need('java', '-version');
    writeFileSync(
      path('Golden.java'),
      `@Deprecated(since = "old") public class Golden<T> {
        static final String TEXT = "tab\\t back\\\\ \\0 \\ud83d 😀 한";
      }`,
    );
    const javac = join(findJdk() as string, 'bin', 'javac');
    const options = ['-encoding', 'UTF-8', '--release', '11', '-g:none', '-d', path('.')];
    execFileSync(javac, [...options, path('Golden.java')]);
    const { stdout } = await utf8(['strings', path('Golden.class')]);
    const lines = rows(stdout).map(([, kinds, text]) => `${kinds}: ${text}`);
    expect(lines.sort()).toEqual([
      'annotation: old',
      'attribute: Code',
      'attribute: ConstantValue',
      'attribute: Deprecated',
      'attribute: RuntimeVisibleAnnotations',
      'attribute: Signature',
      'descriptor: ()V',
      'descriptor: Ljava/lang/Deprecated;',
      'descriptor: Ljava/lang/String;',
      'literal: tab\\t back\\\\ \\u0000 \\uD83D 😀 한',
      'name: <init>',
      'name: Golden',
      'name: TEXT',
      'name: java/lang/Object',
      'name: since',
      'signature: <T:Ljava/lang/Object;>Ljava/lang/Object;',
    ]);
    const bytes = readFileSync(path('Golden.class'));
    for (const [place = '', , text = ''] of rows(stdout)) {
      const offset = Number(place.split('@').at(-1));
      const spelled = spell(restore(text));
      expect(bytes.readUInt16BE(offset - 2)).toBe(spelled.length);
      expect(bytes.subarray(offset, offset + spelled.length).equals(spelled)).toBe(true);
    }
  });

  it('is one, loses nothing and does nothing to a terminal, whatever the string is', async () => {
    const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    const literals = [
      'a\\b\\u0041\\\\t\tb\rc\nd\r\n',
      '\x1b[31mred\x7f\x80\x9b\u2028\u2029\u202e\u2066',
      '\ud83d\ude00 \ude00\ud83d \ud83d',
      '',
      ...Array.from({ length: 64 }, (_, i) => all.slice(1024 * i, 1024 * (i + 1)).join('')),
      // The surrogates of each pair of rows, in order and reversed.
      all
        .slice(0xd800, 0xdc00)
        .map((high, i) => high + all[0xdc00 + i])
        .join(''),
      all
        .slice(0xd800, 0xdc00)
        .map((high, i) => all[0xdc00 + i] + high)
        .join(' '),
    ];
    const { stdout } = await utf8(['strings', '--kind', 'literal'], makeClass('A', literals));
    const printed = rows(stdout).map(([, , text = '']) => text);
    expect(printed).toHaveLength(literals.length);
    for (const [i, text] of printed.entries())
      expect(restore(text) === literals[i], `${i}`).toBe(true);
    expect(printed[0]).toBe('a\\\\b\\\\u0041\\\\\\\\t\\tb\\rc\\nd\\r\\n');
    expect(printed[1]).toBe('\\u001B[31mred\\u007F\\u0080\\u009B\\u2028\\u2029\\u202E\\u2066');
    expect(printed[2]).toBe('😀 \\uDE00\\uD83D \\uD83D');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left.
    expect(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]/.test(stdout.toString())).toBe(false);
  });

  it('has the name of its file escaped as well', async () => {
    const inner = zip([{ name: 'tab\tnew\nline.class', bytes: makeClass('A', []) }]);
    const file = write('back\\slash\x1b.jar', inner);
    const { stdout } = await utf8(['strings', file]);
    expect(rows(stdout)[0]?.[0]).toBe(
      `${path('back\\\\slash\\u001B.jar')}!/tab\\tnew\\nline.class#1@13`,
    );
  });
});

/** Returns the text that an escaped text stands for. */
const restore = (text: string): string =>
  text.replace(/\\(?:u([0-9A-F]{4})|(.))/g, (_, code, letter) =>
    code
      ? String.fromCharCode(Number.parseInt(code, 16))
      : ({ t: '\t', n: '\n', r: '\r' }[letter as string] ?? letter),
  );

describe('--json', () => {
  it('prints objects with the same keys, unpaired surrogates included', async () => {
    const file = write(
      'B.jar',
      zip([{ name: 'x/B.class', bytes: makeClass('x/B', ['\0\ud83d']) }]),
    );
    const { stdout } = await utf8(['strings', '--json', '--kind', 'literal', file]);
    expect(objects(stdout)).toEqual([
      {
        type: 'string',
        file,
        entry: 'x/B.class',
        index: 5,
        offset: 44,
        kinds: ['literal'],
        bytes: 'C0 80 ED A0 BD',
        string: '\0\ud83d',
        fault: null,
      },
    ]);
    expect(stdout.toString()).toContain('"string":"\\u0000\\ud83d"');
  });

  it('says what is malformed in a string', async () => {
    const bytes = makeClass('A', [hex('41 E2 82 42 00')]);
    const { status, stdout, stderr } = await utf8(['strings', '--json'], bytes);
    expect(status).toBe(1);
    expect(objects(stdout).at(-1)).toEqual({
      type: 'string',
      file: '-',
      entry: null,
      index: 5,
      offset: 42,
      kinds: ['literal'],
      bytes: '41 E2 82 42 00',
      string: 'A\uFFFDB\uFFFD',
      fault: { offset: 43, length: 2, reason: 'truncated' },
    });
    expect(stderr).toBe('utf8: -#5@42: offset 43: truncated: E2 82 (and 1 more)\n');
  });

  it('tells the same as the lines do', async () => {
    const bytes = makeClass('A', ['a', '\0', hex('FF 5C 80'), '\ud83d\\']);
    const { stdout: lines } = await utf8(['strings'], bytes);
    const { stdout } = await utf8(['strings', '--json'], bytes);
    expect(
      objects(stdout).map(({ file, index, offset, kinds }) => [
        `${file}#${index}@${offset}`,
        `${kinds}`,
      ]),
    ).toEqual(rows(lines).map(([place, kinds]) => [place, kinds]));
  });
});

describe('which strings are listed', () => {
  const bytes = makeClass('A', ['plain', '한글é', '\0', '😀', '\ud83d', hex('FF')]);
  const texts = async (...args: string[]): Promise<(string | undefined)[]> =>
    rows((await utf8(['strings', ...args], bytes)).stdout).map(([, , text]) => text);

  it('--kind accepts one or several, as a list or one by one', async () => {
    const names = ['A', 'java/lang/Object'];
    const literals = ['plain', '한글é', '\\u0000', '😀', '\\uD83D', '\\xFF'];
    expect(await texts('--kind', 'name')).toEqual(names);
    expect(await texts('--kind', 'attribute,literal')).toEqual(literals);
    expect(await texts('--kind', 'literal', '--kind', 'name')).toEqual([...names, ...literals]);
    expect(await texts('--kind=name, unused')).toEqual(names);
    expect(await texts('--kind', 'source')).toEqual([]);
  });

  it('--kind does not swallow the file after it', async () => {
    const file = write('C.class', bytes);
    const { stdout } = await utf8(['strings', '--kind', 'name', file]);
    expect(rows(stdout).map(([place]) => place)).toEqual([`${file}#1@13`, `${file}#3@20`]);
  });

  it('--kind accepts what the library has, and nothing else', async () => {
    for (const kind of kinds) {
      expect((await utf8(['strings', '--kind', kind], makeClass('A', []))).status).toBe(0);
    }
    for (const name of ['litteral', '', 'Literal']) {
      const { status, stdout, stderr } = await utf8(['strings', '--kind', `name,${name}`], bytes);
      expect([status, stdout.length, stderr]).toEqual([
        2,
        0,
        `utf8: --kind "${name}": expected one or more of ${kinds.join(', ')}; see utf8 strings --help\n`,
      ]);
    }
  });

  it('--unlike-utf8 leaves what UTF-8 spells alike', async () => {
    expect(await texts('--unlike-utf8')).toEqual(['\\u0000', '😀', '\\uD83D', '\\xFF']);
    const old = makeClass('A', ['é', hex('C1 81')], 47);
    const { status, stdout } = await utf8(['strings', '--unlike-utf8'], old);
    expect([status, rows(stdout)]).toEqual([0, [['-#7@50', 'literal', 'A']]]);
  });

  it('both together leave what passes both', async () => {
    expect(await texts('--unlike-utf8', '--kind', 'name')).toEqual([]);
  });
});

describe('what is read', () => {
  const inside = (name: string, bytes: Uint8Array, method = 8) => ({ name, bytes, method });
  const one = makeClass('One', ['1']);
  const two = makeClass('Two', ['2']);
  const literals = (stdout: Buffer): string[][] =>
    rows(stdout)
      .filter(([, kinds]) => kinds === 'literal')
      .map(([place = '', , text = '']) => [place.replace(`${path('.')}/`, ''), text]);

  it('classes, archives of any name, and archives in them', async () => {
    const jar = zip([inside('One.class', one), inside('text.txt', Buffer.from('text'))]);
    const files = [
      write('named-otherwise', one),
      write('jar-without-a-name', jar),
      write('some.jmod', Buffer.concat([Buffer.from('JM\x01\x00', 'latin1'), jar])),
      write('some.war', zip([inside('WEB-INF/lib/a.jar', jar, 0), inside('lib/b.jar', jar)])),
      write('run', Buffer.concat([Buffer.from('#!/bin/sh\nexec java -jar "$0"\n'), jar])),
    ];
    const { status, stdout, stderr } = await utf8(['strings', ...files]);
    expect([status, stderr]).toEqual([0, '']);
    expect(literals(stdout)).toEqual([
      ['named-otherwise#5@44', '1'],
      ['jar-without-a-name!/One.class#5@44', '1'],
      ['some.jmod!/One.class#5@44', '1'],
      ['some.war!/WEB-INF/lib/a.jar!/One.class#5@44', '1'],
      ['some.war!/lib/b.jar!/One.class#5@44', '1'],
      ['run!/One.class#5@44', '1'],
    ]);
  });

  it('folders, sorted, with what is below them, and without what is something else', async () => {
    for (const folder of ['tree', 'tree/b', 'tree/b/empty', 'tree/folder.class']) {
      mkdirSync(path(folder));
    }
    write('tree/c.class', one);
    write('tree/b/Z.class', two);
    write('tree/b/a.jar', zip([inside('One.class', one)]));
    write('tree/B.class', two);
    write('tree/notes.txt', Buffer.from('no class'));
    write('tree/d.classdata', two);
    write('tree/modules', hex('DADAFECA'));
    write('tree/folder.class/In.class', one);
    symlinkSync('c.class', path('tree/linked.class'));
    symlinkSync('nowhere', path('tree/broken.class'));
    symlinkSync('..', path('tree/round'));
    const { status, stdout, stderr } = await utf8(['strings', path('tree')]);
    expect([status, stderr]).toEqual([
      0,
      `utf8: ${path('tree/modules')}: skipped: is a jimage, all modules of a JDK in one file; use a .jmod, or the output of jimage extract\n`,
    ]);
    const expected = [
      ['tree/B.class#5@44', '2'],
      ['tree/b/Z.class#5@44', '2'],
      ['tree/b/a.jar!/One.class#5@44', '1'],
      ['tree/c.class#5@44', '1'],
      ['tree/d.classdata#5@44', '2'],
      ['tree/folder.class/In.class#5@44', '1'],
      ['tree/linked.class#5@44', '1'],
    ];
    expect(literals(stdout)).toEqual(expected);
    const { stdout: again } = await utf8(['strings', `${path('tree')}/`]);
    expect(literals(again)).toEqual(expected);
    const { stdout: here } = await utf8(['strings', '.'], '', { cwd: path('tree') });
    expect(literals(here)[0]?.[0]).toBe('./B.class#5@44');
  });

  it('a class from stdin, where no file is named, and from a pipe', async () => {
    expect(literals((await utf8(['strings'], one)).stdout)).toEqual([['-#5@44', '1']]);
    expect(literals((await utf8(['strings', '-'], two)).stdout)).toEqual([['-#5@44', '2']]);
    const long = makeClass('A', ['x'.repeat(65_000), 'y'.repeat(65_000)]);
    const parts = Array.from({ length: Math.ceil(long.length / 1000) }, (_, i) =>
      long.subarray(1000 * i, 1000 * (i + 1)),
    );
    const { stdout } = await utf8(['strings'], parts);
    expect(literals(stdout).map(([, text]) => text?.length)).toEqual([65_000, 65_000]);
  });

  it('the other commands do not load what only this one needs', () => {
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      const text = readFileSync(file, 'utf8');
      for (const [, target = ''] of text.matchAll(/^import .*?'(.*?)'/gm)) {
        if (target.startsWith('./')) load(join(file, '..', target));
      }
      expect(text, file).not.toContain('ClassFileError');
      expect(text, file).not.toContain('JarError');
    };
    load(program);
    // The program itself imports nothing before it knows that it has to.
    load(join(program, '../dispatch.js'));
    expect(loaded.size).toBeGreaterThan(1);
  });
});

it('--help says what a line is, and which kinds there are', async () => {
  const { status, stdout, stderr } = await utf8(['strings', '--help']);
  expect([status, stderr]).toEqual([0, '']);
  const text = stdout.toString();
  expect(text).toMatch(
    /^Usage: utf8 strings \[OPTION\]\.\.\. \[FILE\]\.\.\..*Examples:.*Exit codes:\n {2}0 /s,
  );
  expect(text).toContain('In names and TEXT, \\\\, \\t, \\n, \\r and \\uXXXX stand for');
  for (const kind of kinds) expect(text).toContain(`\n  ${kind} `);
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(100);
});

describe('the name of an entry', () => {
  it('is the text that its bytes mean, in CESU-8 too, and no two are alike', async () => {
    const flags = 1 << 11;
    const spellings = ['EDA0BDEDB880', 'EDA0BDEDB881', 'F09F9880', 'C08009'];
    const items = spellings.map((spelling) => ({
      name: Buffer.from(`${spelling}2e636c617373`, 'hex'),
      bytes: makeClass('A', ['text']),
      claims: { flags },
    }));
    const file = write('names.jar', zip(items));
    const { status, stdout } = await utf8(['strings', '--kind', 'literal', file]);
    expect(status).toBe(0);
    expect(rows(stdout).map(([place]) => place!.slice(file.length + 2))).toEqual([
      '😀.class#5@42',
      '😁.class#5@42',
      '😀.class (entry 3)#5@42',
      '\\u0000\\t.class#5@42',
    ]);
    const { stdout: json } = await utf8(['strings', '--kind', 'literal', '--json', file]);
    expect(new Set(objects(json).map(({ entry }) => entry)).size).toBe(4);
  });

  it('differs in messages from that of another entry whose name looks like its escape', async () => {
    const items = ['a\tb.class', 'a\\tb.class'].map((name) => ({
      name,
      bytes: Buffer.from('CAFEBABE', 'hex'),
      claims: { crc: 0 },
    }));
    const { status, stderr } = await utf8(['strings', write('escapes.jar', zip(items))]);
    expect(status).toBe(1);
    const names = stderr.split('\n').flatMap((line) => /!\/(.*?): /.exec(line)?.[1] ?? []);
    expect(names).toEqual(['a\\tb.class', 'a\\\\tb.class']);
  });
});
