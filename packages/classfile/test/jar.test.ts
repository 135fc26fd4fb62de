import { readdirSync, readlinkSync } from 'node:fs';
import { type JarClass, readJar } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { readAll } from './reading.js';
import { classOf, type Item, zip } from './zip.js';

const file = useFolder();

/** A class with something in it, or something else. */
const item = (name: string, text = name, method = 8): Item => ({
  name,
  bytes: /\.class$/.test(name) ? classOf(text) : Buffer.from(text),
  method,
});

const texts = (classes: ReadonlyMap<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries(
    [...classes].map(([path, bytes]) => [path, Buffer.from(bytes).subarray(8).toString()]),
  );

describe('the classes of an archive', () => {
  it('come in the order of the directory, and nothing else does', async () => {
    const path = file(
      'order.jar',
      zip([item('b/B.class'), item('META-INF/MANIFEST.MF'), item('A.class'), item('x.class/')]),
    );
    const { classes, errors } = await readAll(path);
    expect([...classes.keys()]).toEqual(['b/B.class', 'A.class']);
    expect(texts(classes)).toEqual({ 'b/B.class': 'b/B.class', 'A.class': 'A.class' });
    expect(errors).toEqual([]);
  });

  it.each([
    ['stored', 0],
    ['deflated', 8],
  ])('are read %s, from nothing but a version to beyond a window', async (_, method) => {
    const sizes = [8, 9, 63, 4095, 4096, 8191, 8192, 65_535, 65_536, 65_537, 300_000];
    const bytes = classOf(Buffer.alloc(300_000, 'every seventh'));
    const items = sizes.map((size) => ({
      name: `${size}.class`,
      bytes: bytes.subarray(0, size),
      method,
    }));
    const { classes } = await readAll(file('sizes.jar', zip(items)));
    expect([...classes.values()].map(({ length }) => length)).toEqual(sizes);
    for (const value of classes.values()) {
      expect(bytes.subarray(0, value.length).equals(value)).toBe(true);
    }
  });

  it('have memory that nobody else has', async () => {
    const items = ['A.class', 'B.class'].flatMap((name) => [item(name), item(`0${name}`, name, 0)]);
    const { classes } = await readAll(file('memory.jar', zip(items)));
    const all = [...classes.values()];
    for (const bytes of all) bytes.fill(0);
    expect(new Set(all.map(({ buffer }) => buffer)).size).toBe(4);
    for (const { buffer, length } of all) {
      const outside = new Uint8Array(buffer).subarray(length);
      expect(outside.length).toBeLessThan(64);
    }
  });

  it('say how far the reading has come', async () => {
    const nested = zip([item('A.class'), item('B.class')]);
    const items = [item('C.class'), { name: 'n.jar', bytes: nested }, item('D.class')];
    const progress: number[] = [];
    for await (const each of readJar(file('progress.jar', zip(items))))
      progress.push(each.progress);
    expect(progress).toHaveLength(4);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress[0]).toBeGreaterThan(0);
    expect(progress[3]).toBeLessThanOrEqual(1);
  });

  it('are those of an archive without any', async () => {
    expect(await readAll(file('empty.jar', zip([])))).toEqual({ classes: new Map(), errors: [] });
  });

  it('are more than 65,535, in a large archive', { tags: ['slow'] }, async () => {
    const items = Array.from({ length: 70_000 }, (_, i) => item(`${i}.class`, '', 0));
    for (const head of ['', 'JM\x01\x00']) {
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), zip(items, { isLarge: true })]);
      const { classes, errors } = await readAll(file('large.jar', bytes));
      expect([classes.size, errors]).toEqual([70_000, []]);
    }
  });

  it('have the names that they have: UTF-8 without a flag, code page 437, and any path', async () => {
    const names = ['한글.class', Buffer.from([0x81, ...Buffer.from('.class')]), '../../up.class'];
    const items = names.map((name) => ({ name, bytes: classOf('x') }));
    const { classes } = await readAll(file('names.jar', zip([...items, item('a\\b.class')])));
    expect([...classes.keys()]).toEqual(['한글.class', 'ü.class', '../../up.class', 'a\\b.class']);
  });
});

describe('archives in archives', () => {
  const inner = zip([item('x/Y.class', 'inner'), item('Z.class', 'stored', 0)]);

  it.each([
    ['stored', 0],
    ['compressed', 8],
  ])('are read, %s', async (_, method) => {
    const outer = zip([
      { name: 'BOOT-INF/lib/a.jar', bytes: inner, method },
      item('BOOT-INF/classes/Main.class', 'main'),
    ]);
    const { classes, errors } = await readAll(file('boot.jar', outer));
    expect(errors).toEqual([]);
    expect(texts(classes)).toEqual({
      'BOOT-INF/lib/a.jar!/x/Y.class': 'inner',
      'BOOT-INF/lib/a.jar!/Z.class': 'stored',
      'BOOT-INF/classes/Main.class': 'main',
    });
  });

  it('are read three levels deep, in whatever way they lie in each other, and no deeper', async () => {
    for (const methods of [
      [0, 0, 0],
      [8, 0, 8],
      [0, 8, 0],
    ]) {
      let bytes = zip([item('A.class', 'deep')]);
      let name = 'A.class';
      for (const [i, method] of methods.entries()) {
        bytes = zip([{ name: `${i}.war`, bytes, method }, item(`${i}.class`)]);
        name = `${i}.war!/${name}`;
      }
      const { classes, errors } = await readAll(file('deep.ear', bytes));
      expect(errors).toEqual([]);
      expect([...classes.keys()]).toEqual([
        name,
        '2.war!/1.war!/0.class',
        '2.war!/1.class',
        '2.class',
      ]);
      const deeper = file('deeper.ear', zip([{ name: 'top.zip', bytes }, item('Last.class')]));
      const { classes: found, errors: refused } = await readAll(deeper);
      expect([...found.keys()].at(-1)).toBe('Last.class');
      expect(refused.map(({ reason, path, message }) => [reason, path, message])).toEqual([
        [
          'depth',
          'top.zip!/2.war!/1.war!/0.war',
          `${deeper}!/top.zip!/2.war!/1.war!/0.war: is nested more than 3 levels deep, the limit of maxDepth; take it out, or raise the limit`,
        ],
      ]);
      expect((await readAll(deeper, { maxDepth: 4 })).classes.size).toBe(found.size + 1);
      expect([...(await readAll(deeper, { maxDepth: 0 })).classes.keys()]).toEqual(['Last.class']);
    }
  });

  it('are jmods, too', async () => {
    const jmod = Buffer.concat([Buffer.from('JM\x01\x00', 'latin1'), inner]);
    const { classes } = await readAll(file('m.zip', zip([{ name: 'm.jmod', bytes: jmod }])));
    expect([...classes.keys()]).toEqual(['m.jmod!/x/Y.class', 'm.jmod!/Z.class']);
  });
});

describe('what lies before an archive is passed over', () => {
  const archive = zip([
    item('A.class'),
    { name: 'b.jar', bytes: zip([item('B.class')]), method: 0 },
  ]);

  it.each([
    ['the header of a jmod', 'JM\x01\x00'],
    ['the header of a jmod, with nothing in it', 'JM\x01\x00', zip([]), []],
    ['a script', '#!/bin/sh\nexec java -jar "$0"\n'],
    ['a program', 'MZ'.padEnd(100_000, '\0')],
  ])('%s', async (_, head, bytes = archive, paths: string[] = ['A.class', 'b.jar!/B.class']) => {
    const path = file('head', Buffer.concat([Buffer.from(head, 'latin1'), bytes]));
    const { classes, errors } = await readAll(path);
    expect(errors).toEqual([]);
    expect([...classes.keys()]).toEqual(paths);
  });

  it('even where offsets count from the start of the file', async () => {
    const script = Buffer.from('#!/bin/sh\n');
    const adjusted = zip([{ name: '', data: script, method: 0 }, item('A.class')]);
    // The first entry is no entry: its header is written over, and it leaves the directory.
    const directory = adjusted.indexOf('PK\x01\x02');
    const second = adjusted.indexOf('PK\x01\x02', directory + 1);
    const bytes = Buffer.concat([
      Buffer.alloc(40, '#'),
      adjusted.subarray(40, directory),
      adjusted.subarray(second),
    ]);
    bytes.writeUInt16LE(1, bytes.length - 14);
    bytes.writeUInt16LE(1, bytes.length - 12);
    bytes.writeUInt32LE(adjusted.length - 22 - second, bytes.length - 10);
    const { classes, errors } = await readAll(file('adjusted.jar', bytes));
    expect([[...classes.keys()], errors]).toEqual([['A.class'], []]);
  });
});

describe('the file', () => {
  const opened = (path: string): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false;
      }
    }).length;

  it('is closed however the reading ends', async ({ skip }) => {
    if (process.platform !== 'linux') skip('no /proc/self/fd');
    const items = Array.from({ length: 100 }, (_, i) => item(`${i}.class`));
    const bytes = zip([{ name: 'n.jar', bytes: zip(items), method: 0 }, ...items]);
    const path = file('closed.jar', bytes);
    for (const limit of [1, 150]) {
      let count = 0;
      for await (const _ of readJar(path)) {
        expect(opened(path)).toBe(1);
        if (++count === limit) break;
      }
      expect(opened(path)).toBe(0);
    }
    const throwing = (async () => {
      for await (const _ of readJar(path)) throw new Error('enough');
    })();
    await expect(throwing).rejects.toThrow('enough');
    expect(opened(path)).toBe(0);
    await readAll(path);
    expect(opened(path)).toBe(0);
    const broken = file('broken.jar', bytes.subarray(0, -1));
    await expect(readAll(broken)).rejects.toMatchObject({ code: 'ERR_JAR' });
    expect(opened(broken)).toBe(0);
    const started = readJar(path);
    await started.next();
    await started.return();
    expect(opened(path)).toBe(0);
  });

  it('is not opened before the first class is asked for', async () => {
    const classes: AsyncGenerator<JarClass> = readJar(file('missing.jar'));
    await expect(classes.next()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('has to be one', async ({ skip }) => {
    const folder = file('.');
    const sentence = 'is not a regular file; specify a zip archive';
    await expect(readAll(folder)).rejects.toMatchObject({
      code: 'ERR_JAR',
      reason: 'not-an-archive',
      message: `${folder}: ${sentence}`,
    });
    if (process.platform === 'win32') skip('no device that is a file');
    await expect(readAll('/dev/null')).rejects.toThrow(sentence);
  });
});
