/** Class files with faults in them. */
import { readStrings } from '@utf8/classfile';
import type { Random } from '../../interop/src/random.js';

type Mutation = (random: Random, file: Buffer, others: readonly Buffer[]) => Buffer;

const at = (random: Random, file: Buffer, size = 1): number =>
  random.below(Math.max(1, file.length - size + 1));

/** Numbers that counts and lengths lie with. */
const lies = [0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff];

const flipBit: Mutation = (random, file) => {
  const i = at(random, file);
  file[i] = (file[i] as number) ^ (1 << random.below(8));
  return file;
};

const setByte: Mutation = (random, file) => {
  file[at(random, file)] = random.below(256);
  return file;
};

/** A count or an index that is another one. */
const lieShortly: Mutation = (random, file) => {
  if (file.length >= 2) {
    const i = at(random, file, 2);
    const old = file.readUInt16BE(i);
    const near = (old + random.between(-3, 3)) & 0xffff;
    file.writeUInt16BE(random.pick([near, random.pick(lies), random.below(200)]), i);
  }
  return file;
};

/** Changes a length: any four bytes, or those after the name of an attribute. */
const lieLong: Mutation = (random, file) => {
  const places = findAttributes(file);
  if (file.length < 4) return file;
  const i = places.length > 0 && random.below(4) > 0 ? random.pick(places) : at(random, file, 4);
  const old = file.readUInt32BE(i);
  const near = (old + random.between(-3, 3)) >>> 0;
  file.writeUInt32BE(random.pick([near, random.pick(lies), 0x7fffffff, 0x80000000, 0xffffffff]), i);
  return file;
};

const lieOnPool: Mutation = (random, file) => {
  if (file.length >= 10) {
    file.writeUInt16BE((file.readUInt16BE(8) + random.between(-3, 3)) & 0xffff, 8);
  }
  return file;
};

const truncate: Mutation = (random, file) => file.subarray(0, at(random, file));

const remove: Mutation = (random, file) => {
  const i = at(random, file);
  return Buffer.concat([file.subarray(0, i), file.subarray(i + random.between(1, 9))]);
};

const repeat: Mutation = (random, file) => {
  const i = at(random, file);
  const end = i + random.between(1, 40);
  return Buffer.concat([file.subarray(0, end), file.subarray(i)]);
};

/** The head of one file and the tail of another. */
const splice: Mutation = (random, file, others) => {
  const other = random.pick(others);
  return Buffer.concat([file.subarray(0, at(random, file)), other.subarray(at(random, other))]);
};

const version: Mutation = (random, file) => {
  if (file.length >= 8) file.writeUInt16BE(random.between(44, 71), 6);
  return file;
};

const mutations: readonly Mutation[] = [
  flipBit,
  flipBit,
  setByte,
  lieShortly,
  lieShortly,
  lieLong,
  lieOnPool,
  truncate,
  remove,
  repeat,
  splice,
  version,
];

/** Makes a file of one of some files, with one to three faults; some do no harm. */
export function mutate(random: Random, files: readonly Buffer[]): Buffer {
  let file = Buffer.from(random.pick(files));
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left--) {
    if (file.length > 0) file = Buffer.from(random.pick(mutations)(random, file, files));
  }
  return file;
}

/** Finds the offsets that may contain lengths of attributes: those after indices of their names. */
function findAttributes(file: Buffer): number[] {
  const places: number[] = [];
  let names: Set<number>;
  try {
    names = new Set(
      Array.from(readStrings(file))
        .filter(({ kinds }) => kinds.includes('attribute'))
        .map(({ index }) => index),
    );
  } catch {
    return places;
  }
  for (let i = 10; i + 6 <= file.length; i++) {
    if (names.has(file.readUInt16BE(i)) && file.readUInt32BE(i + 2) <= file.length - i - 6) {
      places.push(i + 2);
    }
  }
  return places;
}
