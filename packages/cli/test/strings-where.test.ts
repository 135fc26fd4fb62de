import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { findJdk } from '../../classfile/test/jdk.js';
import { zip } from '../../classfile/test/zip.js';
import { need } from './built.js';
import { makeClass } from './class.js';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();

const write = (name: string, bytes: Uint8Array | string): string => {
  writeFileSync(path(name), bytes);
  return path(name);
};

const lines = (stdout: Buffer): string[] => stdout.toString().split('\n').slice(0, -1);

/** Lines without their first field, the place. */
const tails = (stdout: Buffer): string[] =>
  lines(stdout).map((line) => line.slice(line.indexOf('\t') + 1));

const texts = (stdout: Buffer): (string | undefined)[] =>
  lines(stdout).map((line) => line.split('\t').at(-1));

const recorded = fileURLToPath(new URL('recorded', import.meta.url));

const sources: [string, { tags?: string[] }, () => void][] = [
  ['that JDK 17 has made', {}, () => cpSync(recorded, path('.'), { recursive: true })],
  [
    'that this JDK makes',
    { tags: ['slow'] },
    () => {
      need('java', '-version');
      const javac = join(findJdk() as string, 'bin', 'javac');
      execFileSync(javac, ['--release', '17', '-d', path('.'), join(recorded, 'Main.java')]);
    },
  ],
];

for (const [title, options, make] of sources) {
  describe(`--where of classes ${title}`, options, () => {
    beforeAll(make);

    it('tells the class, the member and the line of each use', async () => {
      const file = path('Main.class');
      const { status, stdout, stderr } = await utf8([
        'strings',
        '--where',
        '--kind=literal,recipe,switch-label,annotation',
        file,
      ]);
      expect([status, stderr]).toEqual([0, '']);
      // javac adds a hash to the name of a serializable lambda.
      const found = tails(stdout).map((line) => line.replace(/\$[0-9a-f]{8}\$\d/, '$0'));
      expect(found.sort()).toEqual([
        'annotation\tMain @Ljava/lang/Deprecated; since\told',
        'literal\tMain.FIELD:Ljava/lang/String;\theld by a field',
        'literal\tMain.lambda$main$0()Ljava/lang/String;:22\tin a lambda',
        'literal\tMain.main([Ljava/lang/String;)V:19\tloaded twice',
        'literal\tMain.main([Ljava/lang/String;)V:20\tloaded twice',
        'recipe\tMain java/lang/invoke/StringConcatFactory.makeConcatWithConstants[0] at Main.main([Ljava/lang/String;)V:21\tjoined with \\u0001',
        'switch-label\tMain.choose(Ljava/lang/String;)I:12\tlabel',
      ]);
      for (const line of lines(stdout)) expect(line).toMatch(/^.*Main\.class#\d+@\d+\t/);
    });

    it('tells apart what may be translated and what may not', async () => {
      const files = ['Main$Colour.class', 'Main$Point.class', 'Main.class'].map((name) =>
        path(name),
      );
      const kinds = 'enum-constant,record-components,lambda';
      const { stdout } = await utf8(['strings', '--where', '--kind', kinds, ...files]);
      const kindsOf = tails(stdout).map((line) => line.replace(/\t.*\t/, ': '));
      expect(kindsOf.slice(0, 3)).toEqual([
        'enum-constant: RED',
        'enum-constant: GREEN',
        'record-components: x;y',
      ]);
      expect(new Set(kindsOf.slice(3).map((line) => line.split(':')[0]))).toEqual(
        new Set(['lambda']),
      );
    });

    it('finds texts as grep does', async () => {
      const file = path('Main.class');
      const find = async (...args: string[]): Promise<(string | undefined)[]> =>
        texts((await utf8(['strings', '--kind', 'literal', ...args, file])).stdout).sort();
      expect(await find('-e', '^loaded')).toEqual(['loaded twice']);
      expect(await find('-e', 'LOADED')).toEqual([]);
      expect(await find('-i', '-e', 'LOADED')).toEqual(['loaded twice']);
      expect(await find('-e', 'field$', '--regexp=lambda')).toEqual([
        'held by a field',
        'in a lambda',
      ]);
      expect(await find('--where', '-e', 'twice')).toEqual(['loaded twice', 'loaded twice']);
    });

    it('prints the same as JSON', async () => {
      const args = ['strings', '--where', '--json', '-e', 'joined', path('Main.class')];
      const [found, ...others] = lines((await utf8(args)).stdout).map((line) => JSON.parse(line));
      expect(others).toEqual([]);
      const bytes = readFileSync(path('Main.class'));
      expect(found).toEqual({
        type: 'use',
        file: path('Main.class'),
        entry: null,
        index: expect.any(Number),
        offset: bytes.indexOf('joined with'),
        kind: 'recipe',
        where: {
          offset: expect.any(Number),
          class: 'Main',
          member: null,
          line: null,
          annotation: null,
          bootstrap: {
            method: 'java/lang/invoke/StringConcatFactory.makeConcatWithConstants',
            argument: 0,
            callers: [
              {
                member: { type: 'method', name: 'main', descriptor: '([Ljava/lang/String;)V' },
                line: 21,
              },
            ],
            callerCount: 1,
          },
          constant: null,
          id: null,
          resource: null,
          xml: null,
          styled: null,
        },
        bytes: expect.stringMatching(/^6A 6F .* 01$/),
        string: 'joined with \u0001',
        fault: null,
      });
    });
  });
}

describe('a pattern', () => {
  it.each([
    [['-e', '('], 'utf8: -e "(": unterminated group; see utf8 strings --help\n'],
    [['-i'], 'utf8: --ignore-case needs --regexp; see utf8 strings --help\n'],
  ])('is refused if it is none: %j', async (args, sentence) => {
    const { status, stderr } = await utf8(['strings', ...args], makeClass('A', []));
    expect([status, stderr]).toEqual([2, sentence]);
  });

  it('sees code points, and surrogates that are alone', async () => {
    const bytes = makeClass('A', ['a😀', 'a\ud83d']);
    const { stdout } = await utf8(['strings', '--kind=literal', '-e', '^a.$', '--json'], bytes);
    expect(lines(stdout).map((line) => JSON.parse(line).string)).toEqual(['a😀', 'a\ud83d']);
  });
});

describe('what is passed over is said', () => {
  const good = makeClass('Good', ['good']);
  const skips = (stderr: string): string[] =>
    stderr.split('\n').map((line) => line.replaceAll(`${path('.')}/`, ''));

  it('classes of any name are read, and what only looks like one is named', async () => {
    const file = write(
      'agent.jar',
      zip([
        { name: 'inst/A.classdata', bytes: good },
        { name: 'B.esclazz', bytes: good },
        { name: 'C.SCL.lombok', bytes: good },
        { name: 'H.class/', bytes: good },
        { name: 'plugin.hpi', bytes: zip([{ name: 'D.class', bytes: good }]) },
        { name: 'not.class', bytes: Buffer.from('nothing') },
        { name: 'text.txt', bytes: Buffer.from('nothing') },
      ]),
    );
    const { status, stdout, stderr } = await utf8(['strings', '--kind=literal', file]);
    // A file that is named like a class may be a damaged one.
    expect(status).toBe(1);
    expect(lines(stdout).map((line) => line.split('!/').slice(1).join(' '))).toEqual([
      'inst/A.classdata#5@45\tliteral\tgood',
      'B.esclazz#5@45\tliteral\tgood',
      'C.SCL.lombok#5@45\tliteral\tgood',
      'H.class/#5@45\tliteral\tgood',
      'plugin.hpi D.class#5@45\tliteral\tgood',
    ]);
    expect(skips(stderr)).toEqual([
      expect.stringMatching(/^utf8: agent\.jar!\/not\.class: skipped: /),
      '',
    ]);
  });

  it('an archive and a folder without strings', async () => {
    const file = write('empty.jar', zip([{ name: 'text.txt', bytes: Buffer.from('text') }]));
    const { status, stdout, stderr } = await utf8(['strings', file]);
    expect([status, stdout.length]).toEqual([0, 0]);
    expect(skips(stderr)).toEqual(['utf8: empty.jar: contains no class, DEX or resource file', '']);
  });

  it('not of an archive that has more than could be read', async () => {
    let bytes = zip([{ name: 'Good.class', bytes: good }]);
    for (let i = 0; i < 5; i++) bytes = zip([{ name: `${i}.jar`, bytes }]);
    const { status, stderr } = await utf8(['strings', write('deep.jar', bytes)]);
    expect([status, skips(stderr)]).toEqual([
      1,
      [expect.stringMatching(/^utf8: deep\.jar!\/.*1\.jar: is nested more than 3 levels deep/), ''],
    ]);
  });

  it('files of a folder in formats that are not read, and programs with a jar after them are read', async () => {
    const jar = zip([{ name: 'Good.class', bytes: good }]);
    mkdirSync(path('tree'));
    write('tree/a.tar.gz', hex('1F 8B 08 00'));
    write('tree/b.pack', hex('CA FE D0 0D'));
    write('tree/c.odex', 'dey\n036\0');
    write('tree/program', Buffer.concat([Buffer.from('#!/bin/sh\nexec java -jar "$0"\n'), jar]));
    write('tree/text', 'a text that is as long as the end of an archive');
    const { status, stdout, stderr } = await utf8(['strings', '-e', 'good', path('tree')]);
    expect([status, texts(stdout)]).toEqual([0, ['good']]);
    expect(skips(stderr)).toEqual([
      'utf8: tree/a.tar.gz: skipped: is a compressed tar archive; unpack it first',
      'utf8: tree/b.pack: skipped: is classes packed by pack200; unpack them first',
      'utf8: tree/c.odex: skipped: is a program for ART; extract the DEX first',
      '',
    ]);
    const named = await utf8(['strings', path('tree/b.pack')]);
    expect([named.status, skips(named.stderr)]).toEqual([
      1,
      ['utf8: tree/b.pack: is classes packed by pack200; unpack them first', ''],
    ]);
  });

  it('of many things, how many more there are', async () => {
    const items = Array.from({ length: 25 }, (_, i) => ({
      name: `${i}.class`,
      bytes: Buffer.from('nothing'),
    }));
    const { stderr } = await utf8(['strings', write('many.jar', zip(items))]);
    expect(skips(stderr)).toHaveLength(23);
    expect(skips(stderr).slice(-3)).toEqual([
      'utf8: many.jar: contains no class, DEX or resource file',
      'utf8: skipped 5 more',
      '',
    ]);
  });
});

describe('--lenient', () => {
  it('lists the strings of a class with a malformed attribute, and says so', async () => {
    const whole = makeClass('A', ['text', 'SourceFile']);
    // The attribute SourceFile with a length of 1.
    const bytes = Buffer.concat([whole.subarray(0, -2), hex('00 01 00 07 00 00 00 01 00')]);
    const strict = await utf8(['strings', '--kind=literal'], bytes);
    expect([strict.status, strict.stdout.length]).toEqual([1, 0]);
    const { status, stdout, stderr } = await utf8(
      ['strings', '--kind=literal', '--lenient'],
      bytes,
    );
    expect([status, texts(stdout)]).toEqual([1, ['text', 'SourceFile']]);
    expect(stderr).toMatch(
      /^utf8: -: malformed class file at byte \d+: .*SourceFile.*; ignored\n$/,
    );
  });

  it('lists the entries of an archive with a wrong CRC', async () => {
    const bytes = makeClass('A', ['text']);
    const file = write('crc.jar', zip([{ name: 'A.class', bytes, claims: { crc: 1 } }]));
    const { status, stdout, stderr } = await utf8(['strings', '--kind=literal', '--lenient', file]);
    expect([status, texts(stdout)]).toEqual([1, ['text']]);
    expect(stderr).toMatch(/crc\.jar!\/A\.class: is damaged: its CRC-32 is .*; ignored\n$/);
  });
});
