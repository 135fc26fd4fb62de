/** Archives that the JDK has made, and its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readStrings } from '@utf8/classfile';
import { type JarError, type JarOptions, readJar } from '@utf8/classfile/jar';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { findJdk } from './jdk.js';
import { readAll } from './reading.js';
import { classOf } from './zip.js';

const file = useFolder();

describe('the JDK', { tags: ['slow'] }, () => {
  let jdk = '';
  beforeAll(() => {
    jdk = findJdk();
  });
  const run = (program: string, ...args: string[]): string =>
    execFileSync(join(jdk, 'bin', program), args, {
      encoding: 'utf8',
      cwd: file('.'),
      maxBuffer: 1 << 26,
    });

  const write = (name: string, text: Uint8Array): void => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };

  it('makes jars that are read as it lists them, stored and compressed, one in another', async () => {
    const names = ['a/A.class', 'b/한글.class', 'b/B$1.class', 'b/B.txt', 'Z.class'];
    for (const name of names)
      write(`in/${name}`, name.endsWith('.class') ? classOf(name.repeat(50)) : Buffer.from(name));
    run('jar', '--create', '--file', 'compressed.jar', '-C', 'in', '.');
    run('jar', '--create', '--no-compress', '--file', 'stored.jar', '-C', 'in', '.');
    run('jar', '--create', '--no-compress', '--file', 'both.war', 'compressed.jar', 'stored.jar');
    for (const name of ['compressed.jar', 'stored.jar']) {
      const { classes, errors } = await readAll(file(name));
      expect(errors).toEqual([]);
      expect([...classes.keys()]).toEqual(
        run('jar', '--list', '--file', name)
          .split('\n')
          .filter((line) => line.endsWith('.class')),
      );
      expect(classes.size).toBe(4);
      for (const [path, bytes] of classes)
        expect(`${Buffer.from(bytes).subarray(8)}`).toBe(path.repeat(50));
    }
    const { classes } = await readAll(file('both.war'));
    expect([...classes.keys()].map((path) => path.split('!/')[0])).toEqual([
      ...Array(4).fill('compressed.jar'),
      ...Array(4).fill('stored.jar'),
    ]);
  });

  it('has a java.base whose classes are those that jmod lists, each with a name', async () => {
    const path = join(jdk, 'jmods', 'java.base.jmod');
    const listed = run('jmod', 'list', path).split('\n');
    const found: string[] = [];
    let progress = 0;
    for await (const each of readJar(path)) {
      if (!each.path.includes('!/')) found.push(each.path);
      expect(each.progress).toBeGreaterThanOrEqual(progress);
      progress = each.progress;
      const [, name] = /^classes\/(.*)\.class$/.exec(each.path) ?? [];
      if (!name || name === 'module-info') continue;
      const strings = Array.from(readStrings(each.bytes), ({ string }) => string);
      expect(strings.includes(name), each.path).toBe(true);
    }
    expect(found).toEqual(listed.filter((line) => line.endsWith('.class')));
    expect(found.length).toBeGreaterThan(5000);
  });

  it('has a java.base that gives without its directory what it gives with it', async () => {
    const jmod = readFileSync(join(jdk, 'jmods', 'java.base.jmod'));
    const list = async (path: string, options: JarOptions) => {
      const sums = new Map<string, number>();
      for await (const { path: name, bytes } of readJar(path, options)) {
        sums.set(name, crc32(bytes));
      }
      return sums;
    };
    const end = jmod.lastIndexOf('PK\x05\x06');
    const cut = jmod.subarray(0, 4 + jmod.readUInt32LE(end + 16));
    const told: JarError[] = [];
    const scanned = await list(file('cut.jmod', cut), { lenient: (error) => told.push(error) });
    expect(told.map(({ reason }) => reason)).toEqual(['not-an-archive']);
    expect(scanned).toEqual(await list(file('whole.jmod', jmod), {}));
  });
});
