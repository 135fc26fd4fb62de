/** Android's files that are not what they say: `utf8 strings` reads them as Android does, and lists each trick. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPrinted, readRecorded } from '../../classfile/test/android/recorded.js';
import { manifests, tables } from '../../classfile/test/android/tricks.js';
import { type Item, zip } from '../../classfile/test/zip.js';
import { makeClass } from './class.js';
import { type Result, useFolder, utf8 } from './command.js';

const path = useFolder();

const list = (items: readonly Item[], ...options: string[]): Promise<Result> => {
  writeFileSync(path('app.apk'), zip(items));
  return utf8(['strings', ...options, 'app.apk'], '', { cwd: path('') });
};

const manifest = readRecorded('manifest.axml');
const ATTRIBUTES = ['--where', '--kind', 'value'];

/** Attributes of a manifest that are strings, as aapt prints them. */
const attributes = (readPrinted('manifest.axml') as string[][])[1]
  ?.filter((line) => line.startsWith('A: '))
  .map((line) => line.slice(3));

/** The same from lines of the command: each has its text and its value. */
function listAttributes(stdout: Buffer): string[] {
  const found = stdout
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([, , where = '', text]) => `${where.replace(/^<\S+ ?|>.*/g, '')} ${text}`);
  return found.filter((_, i) => i % 2 === 1);
}

describe('a manifest that Android reads', () => {
  it.each(['type 0', 'an unknown type', 'the type of a table', 'a header of 64 bytes'])(
    'with %s is read with --lenient, and reported without',
    async (name) => {
      const bytes = manifests[name] as Buffer;
      const items: Item[] = [{ name: 'AndroidManifest.xml', bytes }];
      const lenient = await list(items, ...ATTRIBUTES, '--lenient');
      expect(listAttributes(lenient.stdout)).toEqual(attributes);
      expect([lenient.status, lenient.stderr]).toEqual([
        1,
        expect.stringMatching(/^(?:utf8: app\.apk!\/AndroidManifest\.xml: .*; ignored\n)+$/),
      ]);
      const strict = await list(items, ...ATTRIBUTES);
      // A longer header is no error, since later versions of the format may have one.
      if (name.startsWith('a header')) expect(strict.stdout).toEqual(lenient.stdout);
      else {
        expect([strict.status, strict.stdout.length]).toEqual([1, 0]);
        expect(strict.stderr).toMatch(/AndroidManifest\.xml: .*the type .*, or add --lenient\n$/);
      }
      writeFileSync(path('AndroidManifest.xml'), bytes);
      const alone = await utf8([
        'strings',
        ...ATTRIBUTES,
        '--lenient',
        path('AndroidManifest.xml'),
      ]);
      expect(listAttributes(alone.stdout)).toEqual(attributes);
    },
  );

  it('has its tricks in JSON, as objects with a type', async () => {
    const items: Item[] = [
      { name: 'AndroidManifest.xml', bytes: manifests['type 0'] as Buffer },
      { name: 'res/a.bin', bytes: manifests['type 0'] as Buffer },
      { name: 'resources.arsc', bytes: tables['a header of 16 bytes'] as Buffer },
      { name: 'A.class', bytes: makeClass('A', ['text']), claims: { crc: 1 } },
    ];
    const { stdout, stderr } = await list(items, '--json', '--lenient');
    const objects = stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([...new Set(objects.map(({ type }) => type))]).toEqual(['string', 'trick']);
    expect(stderr).toBe('');
    const tricks = objects.filter(({ type }) => type === 'trick');
    expect(tricks.map(({ entry, offset, reason }) => [entry, offset, reason])).toEqual([
      ['AndroidManifest.xml', 0, 'invalid-value'],
      ['res/a.bin', 0, 'invalid-value'],
      ['resources.arsc', 2, 'unusual'],
      ['A.class', null, 'checksum'],
    ]);
    expect(Object.keys(tricks[0])).toEqual(['type', 'file', 'entry', 'offset', 'reason', 'what']);
  });
});

describe('a part that is not what its name says is reported', () => {
  const packed = Buffer.from('0123456789abcdef'.repeat(4), 'hex');

  it.each([
    ['classes.dex', packed, 'begins with 01 23 45 67, and no DEX file does'],
    ['lib/classes12.dex', packed, 'begins with 01 23 45 67, and no DEX file does'],
    ['classes.dex', Buffer.alloc(0), 'is empty, and no DEX file is'],
    ['classes.dex', makeClass('A', ['a']), 'is a class file, not a DEX file as its name says'],
    ['AndroidManifest.xml', packed, 'malformed resources at byte 0: '],
    ['AndroidManifest.xml', Buffer.from('<\0\b\0'), 'malformed resources at byte 0: '],
    ['resources.arsc', packed, 'malformed resources at byte 0: '],
    ['resources.arsc', Buffer.alloc(1), 'begins with 00, and no binary resources does'],
    ['a/B.class', packed, 'begins with 01 23 45 67, and no class does'],
  ])('%s', async (name, bytes, what) => {
    for (const options of [[], ['--lenient']]) {
      const { status, stderr } = await list([{ name, bytes }], ...options);
      expect(status).toBe(1);
      expect(stderr).toContain(`utf8: app.apk!/${name}: `);
      expect(stderr).toContain(what);
    }
  });

  it('but not a manifest in text, as AARs have it', async () => {
    for (const text of ['\n<manifest/>', '\ufeff<?xml version="1.0"?><manifest/>']) {
      const items = [
        { name: 'AndroidManifest.xml', bytes: Buffer.from(text) },
        { name: 'classes.dex', bytes: readRecorded('rare.dex') },
      ];
      const { status, stderr } = await list(items);
      expect([status, stderr]).toEqual([0, '']);
    }
  });

  it('but not one that is', async () => {
    const items: Item[] = [
      { name: 'AndroidManifest.xml', bytes: manifest },
      { name: 'resources.arsc', bytes: readRecorded('utf-8.arsc') },
      { name: 'classes.dex', bytes: readRecorded('rare.dex') },
      { name: 'classes.txt', bytes: packed },
    ];
    for (const options of [[], ['--lenient']]) {
      const { status, stderr } = await list(items, ...options);
      expect([status, stderr]).toEqual([0, '']);
    }
  });
});
