/**
 * Keys that become equal, exactly and in a fixed amount of memory. The first time through the files, a
 * Bloom filter takes the keys that change. The second time, those and all that the filter takes for one
 * of them are sorted by what they become, so that equal ones come together.
 */
import { BloomFilter } from './bloom.js';
import type { EqualKeys, Key, Place } from './finding.js';
import { hash } from './hash.js';
import { Sorter } from './sorter.js';

/** A record's key, packed: equal where the key is. */
export interface Candidate {
  readonly before: Buffer;
  readonly after: Buffer;
  readonly isChanged: boolean;
  /** Where it is found, and what becomes of it. */
  readonly describe: () => Place & { readonly becomes: Key };
}

/** Finds keys that become equal. */
export class Collisions {
  #filter: BloomFilter | undefined;
  readonly #sorter: Sorter;
  #count = 0;

  /** @param memory - How much is sorted in memory, in bytes. */
  constructor(memory?: number) {
    this.#sorter = new Sorter(compare, memory);
  }

  /** Whether a key changes at all, so that the files have to be read again. */
  get isWanted(): boolean {
    return this.#filter !== undefined;
  }

  /** Takes a key that changes, the first time. */
  announce(after: Uint8Array): void {
    this.#filter ??= new BloomFilter();
    this.#filter.add(hash(after));
  }

  /** Takes a key, the second time. */
  add({ before, after, isChanged, describe }: Candidate): void {
    const { high, low } = hash(after);
    if (!isChanged && !this.#filter?.has({ high, low })) return;
    const fixed = Buffer.alloc(FIXED);
    fixed.writeUInt32LE(high, 0);
    fixed.writeUInt32LE(low, 4);
    fixed.writeUInt32LE(after.length, 8);
    fixed.writeUInt32LE(before.length, 12);
    fixed.writeDoubleLE(this.#count++, 16);
    fixed.writeUInt8(isChanged ? 1 : 0, 24);
    this.#sorter.add(
      Buffer.concat([fixed, after, before, Buffer.from(JSON.stringify(describe()))]),
    );
  }

  /** Each record whose key is one more time there, with the one that has it first. */
  *find(): Generator<EqualKeys, void> {
    let holder: Buffer | undefined;
    for (const item of this.#sorter.read()) {
      if (!holder || !readAfter(holder).equals(readAfter(item))) holder = Buffer.from(item);
      else if (isChanged(item) && !readBefore(item).equals(readBefore(holder))) {
        const { becomes, ...place } = readPlace(item);
        const { file, record, line, key = {} } = readPlace(holder);
        yield { ...place, kind: 'equal keys', becomes, other: { file, record, line, key } };
      }
    }
  }

  /** Removes temporary files. */
  remove(): void {
    this.#sorter.remove();
  }
}

/** The bytes of an item before its keys. */
const FIXED = 25;

const isChanged = (item: Buffer): boolean => item.readUInt8(24) === 1;

const endOfAfter = (item: Buffer): number => FIXED + item.readUInt32LE(8);

const endOfBefore = (item: Buffer): number => endOfAfter(item) + item.readUInt32LE(12);

const readAfter = (item: Buffer): Buffer => item.subarray(FIXED, endOfAfter(item));

const readBefore = (item: Buffer): Buffer => item.subarray(endOfAfter(item), endOfBefore(item));

const readPlace = (item: Buffer): Place & { becomes: Key } =>
  JSON.parse(item.toString('utf8', endOfBefore(item)));

/** By hash; of equal keys, those that do not change come first, and then those that come first. */
function compare(one: Buffer, other: Buffer): number {
  return (
    one.readUInt32LE(0) - other.readUInt32LE(0) ||
    one.readUInt32LE(4) - other.readUInt32LE(4) ||
    readAfter(one).compare(readAfter(other)) ||
    one.readUInt8(24) - other.readUInt8(24) ||
    one.readDoubleLE(16) - other.readDoubleLE(16)
  );
}
