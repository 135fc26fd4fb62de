/**
 * Compares files with Java's data: a heap dump of HotSpot with a small reader in Python, streams of objects with
 * ObjectInputStream, and NBT with prismarine-nbt. `UTF8_RECORD=1` writes the recorded stream again.
 */
import { copyFileSync, createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DataString, readData } from '@utf8/classfile/data';
import { decode } from '@utf8/mutf8';
import { register } from '@utf8/mutf8/protodef';
import type Nbt from 'prismarine-nbt';
import { expect, it } from 'vitest';
import {
  describeObjects,
  recordedStream,
} from '../../../../packages/classfile/test/data/recorded.js';
import { loadFresh } from '../../interop/src/fresh.js';
import { jdk } from '../../src/jdk.js';
import { makeFolder, removeFolder, run } from '../../src/program.js';
import { edges } from '../src/texts.js';

const peer = (name: string): string => fileURLToPath(new URL(`../peers/${name}`, import.meta.url));

const runJava = (...words: readonly string[]): Buffer =>
  jdk.run('java', ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...words]);

async function readAll(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const strings: DataString[] = [];
  for await (const string of readData(chunks)) strings.push(string);
  return strings;
}

it('all strings of a heap dump of HotSpot are found, where they are', async () => {
  const folder = makeFolder();
  try {
    const file = path.join(folder, 'heap.hprof');
    runJava('-Dfile.encoding=UTF-8', '--source', '17', peer('DumpHeap.java'), file);
    const expected = run(['python3', peer('hprof.py'), file])
      .toString()
      .trimEnd()
      .split('\n');
    const strings = await readAll(createReadStream(file));
    const lines = strings.map(
      ({ offset, path, bytes }) => `${offset} ${path} ${Buffer.from(bytes).toString('hex')}`,
    );
    expect(lines.length).toBeGreaterThan(10_000);
    expect(lines).toEqual(expected);
    const texts = new Set(strings.map(({ string }) => string));
    for (const name of ['한글', '𝒳𝒴', 'çà', '()V']) expect(texts).toContain(name);
    for (const { string, bytes } of strings) if (string !== decode(bytes)) expect.fail(string);
  } finally {
    removeFolder(folder);
  }
});

it('ObjectInputStream meets the same names, strings and constants, in the same order', async () => {
  const folder = makeFolder();
  try {
    const classes = path.join(folder, 'classes');
    jdk.compile([peer('Streams.java')], classes);
    const file = path.join(folder, 'objects.ser');
    runJava('-cp', classes, 'Streams', 'write', file);
    const answer = (name: string): string =>
      runJava('-cp', classes, 'Streams', 'read', name).toString();
    expect(describeObjects(await readAll(createReadStream(file)))).toEqual(answer(file));
    if (process.env.UTF8_RECORD) {
      copyFileSync(file, `${recordedStream}.ser`);
      writeFileSync(`${recordedStream}.txt`, answer(file));
    }
    expect(readFileSync(`${recordedStream}.txt`, 'utf8')).toBe(answer(`${recordedStream}.ser`));
  } finally {
    removeFolder(folder);
  }
});

type Tag = { readonly type: string; readonly value: unknown };

/** Lists the paths and the texts of the tags that prismarine-nbt returns. */
function* walk(type: string, value: unknown, place: string): Generator<string, void, undefined> {
  if (type === 'string') yield `${place} value ${JSON.stringify(value)}`;
  else if (type === 'compound') {
    for (const [name, tag] of Object.entries(value as Record<string, Tag>)) {
      const inner = place === '' ? name : `${place}.${name}`;
      yield `${inner} name ${JSON.stringify(name)}`;
      yield* walk(tag.type, tag.value, inner);
    }
  } else if (type === 'list') {
    const list = value as { readonly type: string; readonly value: readonly unknown[] };
    for (const [i, item] of list.value.entries()) yield* walk(list.type, item, `${place}[${i}]`);
  }
}

it('prismarine-nbt reads the same tags and texts, if it reads Java’s strings', async () => {
  const nbt = loadFresh<typeof Nbt>(createRequire(import.meta.url), 'prismarine-nbt');
  register(nbt);
  const strings = Object.fromEntries(
    edges.map((text, i) => [`text-${i}`, nbt.string(text)] as const),
  );
  const file = nbt.writeUncompressed(
    nbt.comp({
      Level: nbt.comp({
        ...strings,
        numbers: nbt.comp({ a: nbt.byte(1), b: nbt.double(2), c: nbt.intArray([1, 2]) }),
        list: nbt.list(nbt.string(['a', '😀', '\0'])),
        compounds: nbt.list(nbt.comp([{ id: nbt.string('one') }, {}, { id: nbt.string('two') }])),
        lists: nbt.list({
          type: 'list',
          value: [
            { type: 'string', value: ['x'] },
            { type: 'int', value: [1] },
          ],
        } as never),
      }),
    }) as never,
  );
  const { value } = nbt.parseUncompressed(file);
  const lines = (await readAll([file]))
    .slice(1)
    .map(({ path, kinds, string }) => `${path} ${kinds} ${JSON.stringify(string)}`);
  expect(lines).toEqual([...walk('compound', value, '')]);
  expect(lines.length).toBeGreaterThan(edges.length);
});
