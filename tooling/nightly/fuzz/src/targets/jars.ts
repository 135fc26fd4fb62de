import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { JarError, rewriteJar } from '@utf8/classfile/jar';
import { readAll } from '../../../../../packages/classfile/test/reading.js';
import { classOf, type End, type Item, zip } from '../../../../../packages/classfile/test/zip.js';
import { pathOf } from '../folder.js';
import { compose, type Input } from '../input.js';
import { require, requireEqual, requireSame, type Target } from '../target.js';

const SIGNATURES = 'META-INF/X.SF';

const names = ['A.class', 'B.class', 'a/C.class', 'in.jar', 'text.txt', SIGNATURES, 'd/', '\xff'];

const lies = [0, 1, 2, 22, 30, 46, 0xff, 0xffff, 0x1_0000, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff];

/** An entry of the next bytes; its headers may lie. */
function chooseItem(input: Input, bytes: Uint8Array, inner: Buffer): Item {
  const name = input.pick(names);
  const content = name.endsWith('.jar') ? inner : input.isChosen() ? classOf(bytes) : bytes;
  const item = { name, bytes: content, method: input.pick([8, 0]) };
  const lie = (): number => input.pick(lies);
  const kind = input.below(16);
  if (kind > 8) return item;
  const claims = [
    { method: input.pick([0, 8, 9, 14]) },
    { flags: input.below(0x1_0000) },
    { crc: lie() },
    { compressed: lie() },
    { size: lie() },
    { offset: lie() },
    { extra: bytes.subarray(0, 20) },
    { localExtra: bytes.subarray(0, 20) },
    { flags: 8, descriptor: bytes.subarray(0, 16) },
  ];
  return { ...item, claims: claims[kind] as NonNullable<Item['claims']> };
}

/** An archive of entries and of lies that an input chooses. */
function chooseArchive(input: Input): Buffer {
  const count = input.below(6);
  const kind = input.below(8);
  const lie = input.pick(lies);
  const ends: readonly End[] = [
    {},
    {},
    {},
    { isLarge: true },
    { count: lie & 0xffff },
    { size: lie },
    { offset: lie },
    { disk: lie & 0xffff },
  ];
  const payload = input.rest();
  const part = Math.ceil(payload.length / (count + 1));
  const inner = zip([{ name: 'In.class', bytes: classOf(payload.subarray(0, part)) }]);
  const items = Array.from({ length: count }, (_, i) =>
    chooseItem(input, payload.subarray(i * part, (i + 1) * part), inner),
  );
  const archive = zip(items, { ...ends[kind], comment: payload.subarray(0, input.below(30)) });
  return input.below(4) === 1 ? Buffer.concat([payload.subarray(0, part), archive]) : archive;
}

async function settle<T>(promise: Promise<T>): Promise<T | JarError> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof JarError) return error;
    throw error;
  }
}

/** Checks that classes and archives are found, in lenient mode no fewer, and that ignored errors are reported. */
async function read(file: string): Promise<Map<string, Uint8Array> | undefined> {
  const strict = await settle(readAll(file, { onError: undefined }));
  const told: JarError[] = [];
  const lenient = await settle(readAll(file, { lenient: (error) => void told.push(error) }));
  if (lenient instanceof JarError) {
    if (lenient.reason !== 'overlap') require(strict instanceof JarError, 'lenient refuses more');
    return strict instanceof JarError ? undefined : strict.classes;
  }
  if (strict instanceof JarError) {
    require(told.length + lenient.errors.length > 0, 'lenient ignores a fault in silence');
    return undefined;
  }
  if (told.length > 0) return strict.classes;
  requireEqual([...lenient.classes.keys()].join(), [...strict.classes.keys()].join(), 'classes');
  for (const [name, bytes] of lenient.classes) {
    requireSame(bytes, strict.classes.get(name) as Uint8Array, 'a class, leniently');
  }
  return strict.classes;
}

/** Rewrites a jar. The result has the new classes and is otherwise unchanged; a refusal leaves no file. */
async function rewrite(
  file: string,
  classes: Map<string, Uint8Array> | undefined,
  isSame: boolean,
): Promise<void> {
  const output = pathOf('out.jar');
  rmSync(output, { force: true });
  const before = readdirSync(path.dirname(output)).length;
  const more = Buffer.from('more');
  const report = await settle(
    rewriteJar(file, output, ({ bytes }) => (isSame ? undefined : Buffer.concat([bytes, more])), {
      signatures: 'drop',
    }),
  );
  const found = readdirSync(path.dirname(output));
  requireEqual(existsSync(output), !(report instanceof JarError), 'whether there is an output');
  requireEqual(found.length, before + (report instanceof JarError ? 0 : 1), 'files');
  if (report instanceof JarError) return;
  const now = await settle(readAll(output, { onError: undefined }));
  require(!(now instanceof JarError), 'what is written cannot be read');
  require(classes !== undefined, 'what strict refuses is rewritten');
  // A file of signatures may contain the bytes of a class.
  const kept = [...classes.keys()].filter((name) => report.dropped === 0 || name !== SIGNATURES);
  requireEqual([...now.classes.keys()].join(), kept.join(), 'classes after all');
  for (const [name, bytes] of now.classes) {
    const before = classes.get(name) as Uint8Array;
    requireSame(
      bytes,
      isSame ? before : Buffer.concat([before, more]),
      'a class that is rewritten',
    );
  }
  const hasSignature = /META-INF/i.test(readFileSync(file, 'latin1'));
  if (isSame && !hasSignature) requireSame(readFileSync(output), readFileSync(file), 'the archive');
}

export const target: Target = {
  title: 'archives: classes read, strictly and leniently, and rewritten',
  maxLength: 4096,
  isAsync: true,
  *seeds() {
    const items = [
      { name: 'A.class', bytes: classOf('a class') },
      {
        name: 'stored.jar',
        bytes: zip([{ name: 'In.class', bytes: classOf('inner') }]),
        method: 0,
      },
      { name: 'text.txt', bytes: Buffer.from('text') },
    ];
    for (const isLarge of [false, true]) yield compose(zip(items, { isLarge }), 0, 0);
    yield compose(Buffer.concat([Buffer.from('#!/bin/sh\n'), zip(items)]), 0, 1);
    for (let i = 0; i < 64; i++) {
      yield compose(
        'some bytes of classes and of text',
        1,
        i & 1,
        i % 6,
        i % 8,
        i,
        i,
        1,
        0,
        i % 16,
      );
    }
  },
  async run(input) {
    const isRaw = input.below(4) === 0;
    const isSame = input.isChosen();
    const file = pathOf('in.jar');
    writeFileSync(file, isRaw ? input.rest() : chooseArchive(input));
    await rewrite(file, await read(file), isSame);
  },
};
