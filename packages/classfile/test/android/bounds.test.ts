/** Files that say little and mean much: each is read or refused in memory that is proportional to its size. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  assembleClass,
  assembleSharedAnnotations,
  assembleSharedCode,
  assembleSharedDebug,
  listCode,
  listMethods,
  section,
} from '../../../../tooling/oracles/android/src/class.js';
import {
  assembleDex,
  repeat,
  u2,
  u4,
  uleb128,
} from '../../../../tooling/oracles/android/src/dex.js';
import {
  assembleSharedMap,
  chunk,
  pool,
} from '../../../../tooling/oracles/android/src/resources.js';
import { inFolder } from '../../../../tooling/oracles/src/program.js';

const program = fileURLToPath(
  new URL('../../../../tooling/oracles/android/src/measure.mjs', import.meta.url),
);

/** Most bytes of memory for a byte of input, and the bytes that Node uses in any case. */
const MOST = 64;
const FLOOR = 48 * 2 ** 20;

/** Reads a file in a process of its own: strictly, then leniently. */
function measure(what: 'dex' | 'resources', file: Buffer): string[] {
  return inFolder((folder) => {
    const name = path.join(folder, 'input');
    writeFileSync(name, file);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, what, name]);
    if (status !== 0) throw new Error(`status ${status}: ${stderr.subarray(-2000)}`);
    const { ends, ratio } = JSON.parse(stdout.toString()) as { ends: string[]; ratio: number };
    expect(ratio).toBeLessThan(MOST + FLOOR / file.length);
    return ends;
  });
}

const COUNT = 100_000;

const NONE = 0xffff_ffff;

describe('a DEX file', () => {
  it('with all strings in one place is refused', { tags: ['night'] }, () => {
    const text = [...uleb128(COUNT), ...Buffer.alloc(COUNT, 0x61), 0];
    const file = assembleDex({ strings: 4 * COUNT }, (start) => ({
      strings: section(COUNT, repeat(u4(start), COUNT)),
      data: Buffer.from(text),
    }));
    expect(measure('dex', file)).toEqual(['overlap', 'overlap']);
  });

  it('with an annotation of ten million nested arrays is read', { tags: ['night'] }, () => {
    const levels = 10_000_000;
    const file = assembleClass((at) => ({
      annotations: at,
      data: Buffer.concat([
        Buffer.from([...u4(at + 16, 0, 0, 0), ...u4(1, at + 24)]),
        Buffer.from([1, 0, 1, 1]), // visibility, type, one element, its name
        repeat([0x1c, 1], levels),
        Buffer.from([0x17, 1]), // a string
      ]),
    }));
    expect(measure('dex', file)).toEqual(['read', 'read']);
  });

  it('with strings below many levels of an annotation is read', { tags: ['night'] }, () => {
    const file = assembleClass((at) => ({
      annotations: at,
      data: Buffer.concat([
        Buffer.from([...u4(at + 16, 0, 0, 0), ...u4(1, at + 24)]),
        Buffer.from([1, 0, 1, 1]),
        repeat([0x1c, 1], 1000),
        Buffer.from([0x1c, ...uleb128(20 * COUNT)]),
        repeat([0x17, 1], 20 * COUNT),
      ]),
    }));
    expect(measure('dex', file)).toEqual(['read', 'read']);
  });

  it('with methods that share code is refused', { tags: ['slow'] }, () => {
    const file = assembleSharedCode(COUNT);
    expect(measure('dex', file)).toEqual(['overlap', 'read']);
  });

  it('with methods that share debug information is refused', { tags: ['slow'] }, () => {
    const file = assembleSharedDebug(COUNT);
    expect(measure('dex', file)).toEqual(['overlap', 'read']);
  });

  it('with methods that share malformed debug information is refused', { tags: ['slow'] }, () => {
    const code = listCode([0x1a, 0, 1, 0], 1);
    // As many parameters as the file has bytes, and more.
    const debug = [0, ...uleb128(2 ** 31), ...Buffer.alloc(4 * COUNT, 1)];
    const file = assembleClass((at) => {
      const methods = listMethods(COUNT, at);
      const shared = listCode([0x1a, 0, 1, 0], 1, at + code.length + methods.length);
      const members = at + code.length;
      return { members, data: Buffer.concat([shared, methods, Buffer.from(debug)]) };
    });
    expect(measure('dex', file)).toEqual(['truncated', 'read']);
  });

  it('with members that share annotations is refused', { tags: ['night'] }, () => {
    const file = assembleSharedAnnotations(COUNT);
    expect(measure('dex', file)).toEqual(['overlap', 'read']);
  });
});

describe('resources', () => {
  it('with all strings in one place are refused', { tags: ['slow'] }, () => {
    const text = Buffer.alloc(0x7ffe, 0x61);
    const data = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xfe]), text, Buffer.alloc(2)]);
    const xml = chunk(0x08_0003, [], pool(COUNT, 0, data));
    expect(measure('resources', xml)).toEqual(['overlap', 'overlap']);
  });

  it('with entries that share a map are refused', { tags: ['night'] }, () => {
    const table = assembleSharedMap(COUNT, 4 * COUNT);
    expect(measure('resources', table)).toEqual(['overlap', 'read']);
  });

  it('with a million elements are read', { tags: ['night'] }, () => {
    const strings = pool(1, 0, Buffer.from([1, 1, 0x61, 0]));
    const element = chunk(
      0x10_0102,
      u4(1, NONE, NONE, 0),
      Buffer.from([...u2(20, 20, 1, 0, 0, 0), ...u4(NONE, 0, 0), ...u2(8, 0x0300), ...u4(0)]),
    );
    const xml = chunk(0x08_0003, [], Buffer.concat([strings, repeat([...element], 500_000)]));
    expect(measure('resources', xml)).toEqual(['read', 'read']);
  });
});
