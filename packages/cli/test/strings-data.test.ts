/** `utf8 strings` of heap dumps, Java serialization and NBT. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  compound,
  hprof,
  join,
  record,
  stream,
  tag,
  u4,
  utf,
} from '../../classfile/test/data/build.js';
import { useFolder, utf8 } from './command.js';

const path = useFolder();

const write = (name: string, bytes: Uint8Array): string => {
  writeFileSync(path(name), bytes);
  return path(name);
};

const SMILE = 'EDA0BDEDB880';
const level = compound(
  '',
  compound('Level', compound('Player', tag(8, 'Name', '0006', SMILE)), tag(8, 'bad', '0002 41FF')),
);
const good = compound('', compound('Level', tag(8, 'Name', '0006', SMILE)));

/** Lines of the output, without the name of the file. */
const lines = (stdout: Buffer, file: string): string[] =>
  stdout
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replaceAll(file, 'FILE'));

describe('NBT', () => {
  const expected = [
    'FILE#""@3\tname\t',
    'FILE#Level@6\tname\tLevel',
    'FILE#Level.Name@14\tname\tName',
    'FILE#Level.Name@20\tvalue\t😀',
  ];

  it.each([
    ['as it is', good],
    ['in gzip', gzipSync(good)],
    ['in zlib', deflateSync(good)],
    ['in zlib without compression', deflateSync(good, { level: 0 })],
  ])('%s is recognised by its content, whatever its name', async (_, bytes) => {
    const file = write('level.dat', bytes);
    const { status, stdout, stderr } = await utf8(['strings', file]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(lines(stdout, file)).toEqual(expected);
    const piped = await utf8(['strings'], bytes);
    expect(lines(piped.stdout, '-#').map((line) => line.replace('FILE', 'FILE#'))).toEqual(
      expected,
    );
  });

  it('with a malformed string loses only that, and ends with 1', async () => {
    const file = write('bad.dat', level);
    for (const options of [[], ['--lenient'], ['--where']]) {
      const { status, stdout, stderr } = await utf8(['strings', ...options, file]);
      expect(status).toBe(1);
      expect(stderr).toBe(`utf8: ${file}#Level.bad@44: offset 45: invalid-lead: FF\n`);
      expect(lines(stdout, file).at(-1)).toContain('A\\xFF');
      expect(lines(stdout, file)).toContainEqual(expect.stringContaining('😀'));
    }
  });

  it('that is cut gives what is there, the place of the cut, and ends with 1', async () => {
    for (const [name, bytes] of [
      ['cut.dat', good.subarray(0, -4)],
      ['cut.zlib', deflateSync(good.subarray(0, -4))],
      ['zlib.cut', deflateSync(join(good, new Uint8Array(9)), { level: 0 }).subarray(0, 31)],
    ] as const) {
      const file = write(name, bytes);
      const { status, stdout, stderr } = await utf8(['strings', file]);
      expect(status).toBe(1);
      expect(lines(stdout, file)).toEqual(expected.slice(0, 3));
      expect(stderr).toMatch(
        /malformed NBT at byte \d+: the file ends, and .* missing, in Level\.Name;/,
      );
    }
  });

  it('with bytes after it, or after its zlib data, is read, and they are reported', async () => {
    const after = write('after.dat', join(good, 0));
    const zlib = write('zlib.dat', join(deflateSync(good), 0));
    for (const [file, what] of [
      [after, 'malformed NBT at byte 28: bytes follow the end of the root'],
      [zlib, 'bytes follow its zlib data'],
    ] as const) {
      const { status, stdout, stderr } = await utf8(['strings', file]);
      expect(status).toBe(1);
      expect(lines(stdout, file)).toEqual(expected);
      expect(stderr).toContain(`${file}: ${what}`);
    }
  });
});

describe('a heap dump', () => {
  const dump = hprof(
    record(0x01, '00007F0000000340', Buffer.from('main')),
    record(0x1c, new Uint8Array(1000)),
    record(0x01, '00'),
    record(0x01, '0000000000000002', Buffer.from(SMILE, 'hex')),
  );

  it('gives its symbols by their IDs; a wrong record is skipped with --lenient', async () => {
    const file = write('heap.bin', dump);
    const strict = await utf8(['strings', file]);
    expect(strict.status).toBe(1);
    expect(lines(strict.stdout, file)).toEqual(['FILE#0x7f0000000340@48\tsymbol\tmain']);
    const lenient = await utf8(['strings', '--lenient', '--kind', 'symbol', file]);
    expect(lenient.status).toBe(1);
    expect(lenient.stderr).toMatch(/a string has 1 byte, and its ID has 8; ignored\n$/);
    expect(lines(lenient.stdout, file)[1]).toMatch(/^FILE#0x2@\d+\tsymbol\t😀$/);
    expect((await utf8(['strings', '--kind', 'value', file])).stdout.length).toBe(0);
  });
});

describe('Java serialization', () => {
  const objects = stream(
    0x74,
    utf('one'),
    '75 72',
    utf('[Ljava.lang.String;'),
    '0000000000000001 02 0000 78 70',
    u4(1),
    0x74,
    utf('a\0b'),
  );

  it('gives strings and names by the object, as JSON with a type', async () => {
    const file = write('objects', objects);
    const { status, stdout } = await utf8(['strings', '--json', file]);
    expect(status).toBe(0);
    const found = lines(stdout, file).map((line) => JSON.parse(line));
    expect(found).toMatchObject([
      { type: 'string', file: 'FILE', path: '[0]', offset: 7, kinds: ['value'], string: 'one' },
      { type: 'string', path: '[1]', kinds: ['name'], string: '[Ljava.lang.String;' },
      { type: 'string', path: '[1][0]', kinds: ['value'], string: 'a\0b', bytes: '61 C0 80 62' },
    ]);
    const uses = await utf8(['strings', '--json', '--where', '-e', '^a', file]);
    expect(JSON.parse(uses.stdout.toString())).toMatchObject({
      type: 'use',
      kind: 'value',
      path: '[1][0]',
    });
  });

  it('in a folder is found, next to files without strings', async () => {
    mkdirSync(path('folder'));
    const file = write('folder/objects', objects);
    write('folder/level', gzipSync(good));
    write('folder/text', Buffer.from('\nSome text'));
    const { status, stdout, stderr } = await utf8(['strings', '--kind', 'value', path('folder')]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(lines(stdout, path('folder'))).toEqual([
      'FILE/level#Level.Name@20\tvalue\t😀',
      'FILE/objects#[0]@7\tvalue\tone',
      'FILE/objects#[1][0]@53\tvalue\ta\\u0000b',
    ]);
    expect(file).toBe(path('folder/objects'));
  });
});
