/** DEX files with one class, and data that its members share. */
import { assembleDex, type Bytes, repeat, u2, u4, uleb128 } from './dex.js';

const NONE = 0xffff_ffff;

/** A section of a file, as {@link assembleDex} takes it. */
export const section = (
  count: number,
  bytes: Uint8Array,
): { count: number; bytes: Uint8Array } => ({
  count,
  bytes,
});

/**
 * A file with a class, a method and a field, and the given parts of the class.
 *
 * @param strings - The class's descriptor, which is the only type, and others.
 */
export function assembleClass(
  make: (data: number) => {
    readonly data: Uint8Array;
    readonly annotations?: number;
    readonly members?: number;
    readonly values?: number;
  },
  strings: readonly string[] = ['La;', 'text'],
): Buffer {
  const count = strings.length;
  const sizes = { types: 4, prototypes: 12, fields: 8, methods: 8, classes: 32 };
  return assembleDex({ ...sizes, strings: 4 * count }, (start) => {
    const offsets: number[] = [];
    const texts: number[] = [];
    for (const string of strings) {
      offsets.push(start + texts.length);
      texts.push(...uleb128(string.length), ...Buffer.from(string), 0);
    }
    const first = start + texts.length + (4 - ((start + texts.length) % 4));
    const { data, annotations = 0, members = 0, values = 0 } = make(first);
    return {
      strings: section(count, Buffer.from(u4(...offsets))),
      types: section(1, Buffer.from(u4(0))),
      prototypes: section(1, Buffer.from(u4(1, 0, 0))),
      fields: section(1, Buffer.from([...u2(0, 0), ...u4(1)])),
      methods: section(1, Buffer.from([...u2(0, 0), ...u4(1)])),
      classes: section(1, Buffer.from(u4(0, 1, NONE, 0, NONE, annotations, members, values))),
      data: Buffer.concat([Buffer.from(texts), Buffer.alloc(first - start - texts.length), data]),
    };
  });
}

/** Methods that all refer to one thing, so that it would be read once for each. */
export const listMethods = (count: number, code: number): Buffer =>
  Buffer.concat([
    Buffer.from([0, 0, ...uleb128(count), 0]),
    repeat([0, 0, ...uleb128(code)], count),
  ]);

/** A `code_item` of one instruction, many times. */
export const listCode = (instruction: Bytes, times: number, debug = 0): Buffer =>
  Buffer.concat([
    Buffer.from([...u2(1, 0, 0, 0), ...u4(debug, (instruction.length / 2) * times)]),
    repeat(instruction, times),
  ]);

/** The code of a method that loads the string 1. */
const LOAD: Bytes = [0x1a, 0, 1, 0];

/** A class with methods that share their code, which has as many instructions. */
export function assembleSharedCode(count: number): Buffer {
  const code = listCode(LOAD, count);
  return assembleClass((at) => ({
    members: at + code.length,
    data: Buffer.concat([code, listMethods(count, at)]),
  }));
}

/** A class with methods that share their code and its debug information. */
export function assembleSharedDebug(count: number): Buffer {
  const code = listCode(LOAD, 1);
  const debug = [0, 0, ...Buffer.alloc(4 * count, 0x0a), 0];
  return assembleClass((at) => {
    const shared = listCode(LOAD, 1, at + code.length);
    return {
      members: at + code.length + debug.length,
      data: Buffer.concat([shared, Buffer.from(debug), listMethods(count, at)]),
    };
  });
}

/** A class with methods that share a set of annotations, which are all one item. */
export function assembleSharedAnnotations(count: number): Buffer {
  return assembleClass((at) => {
    const set = at + 16 + 8 * count;
    const item = set + 4 + 4 * count;
    return {
      annotations: at,
      data: Buffer.concat([
        Buffer.from(u4(0, 0, count, 0)),
        repeat(u4(0, set), count),
        Buffer.from(u4(count)),
        repeat(u4(item), count),
        Buffer.from([1, 0, 1, 1, 0x17, 1]),
      ]),
    };
  });
}
