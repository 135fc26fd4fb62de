/** Files with faults in them. */
import type { Random } from '../../interop/src/random.js';

/** Numbers that counts, offsets and indices lie with. */
const lies = [0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff];

const at = (random: Random, file: Buffer, size: number): number =>
  random.below(Math.max(1, file.length - size + 1));

type Damage = (random: Random, file: Buffer) => Buffer;

const setByte: Damage = (random, file) => {
  if (file.length > 0) file[at(random, file, 1)] = random.below(256);
  return file;
};

const flipBit: Damage = (random, file) => {
  if (file.length === 0) return file;
  const i = at(random, file, 1);
  file[i] = (file[i] as number) ^ (1 << random.below(8));
  return file;
};

/** A number of four bytes that is another one, or an offset to what something else has. */
const lie: Damage = (random, file) => {
  if (file.length < 4) return file;
  const i = at(random, file, 4) & ~3;
  const old = file.readUInt32LE(Math.min(i, file.length - 4));
  const value = random.pick([
    (old + random.between(-4, 4)) >>> 0,
    random.pick(lies),
    random.below(file.length),
    0xffff_ffff,
    file.readUInt32LE(at(random, file, 4)),
  ]);
  file.writeUInt32LE(value, Math.min(i, file.length - 4));
  return file;
};

const truncate: Damage = (random, file) => file.subarray(0, at(random, file, 1));

const remove: Damage = (random, file) => {
  const i = at(random, file, 1);
  return Buffer.concat([file.subarray(0, i), file.subarray(i + random.between(1, 9))]);
};

const repeat: Damage = (random, file) => {
  const i = at(random, file, 1);
  return Buffer.concat([file.subarray(0, i + random.between(1, 40)), file.subarray(i)]);
};

const damages: readonly Damage[] = [
  flipBit,
  setByte,
  setByte,
  lie,
  lie,
  lie,
  lie,
  truncate,
  remove,
  repeat,
];

/** Makes a file of one of some files, with one to three faults; some do no harm. */
export function damage(random: Random, files: readonly Buffer[]): Buffer {
  let file = Buffer.from(random.pick(files));
  for (let left = random.between(1, 3); left > 0; left--) {
    file = Buffer.from(random.pick(damages)(random, file));
  }
  return file;
}
