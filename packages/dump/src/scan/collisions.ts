/**
 * Keys that become equal, found exactly and in constant memory. The first reading collects the keys that
 * change in a Bloom filter. The second one sorts all keys that pass it by what they become.
 */
import { BloomFilter, type Hash } from './bloom.js';
import type { EqualKeys, FindingPlace, RecordKey } from './scan-finding.js';
import { Sorter } from './sorter.js';

/** Where a record with a key is, and what the key becomes. */
type KeyPlace = FindingPlace & { readonly becomes: RecordKey };

/** Where a candidate has its hash, the lengths of its packed keys, its number, a flag, and the rest. */
const [LOW, AFTER, BEFORE, NUMBER, FLAG, FIXED] = [4, 8, 12, 16, 24, 25];

/** Packs a record whose key may collide: the key before and after the conversion, and the latter's hash. */
export function packCandidate(
  before: Buffer,
  after: Buffer,
  hash: Hash,
  place: KeyPlace,
): Uint8Array {
  const fixed = Buffer.alloc(FIXED);
  fixed.writeUInt32LE(hash.high, 0);
  fixed.writeUInt32LE(hash.low, LOW);
  fixed.writeUInt32LE(after.length, AFTER);
  fixed.writeUInt32LE(before.length, BEFORE);
  fixed.writeUInt8(after.equals(before) ? 0 : 1, FLAG);
  return Buffer.concat([fixed, after, before, Buffer.from(JSON.stringify(place))]);
}

/** Finds keys that become equal. */
export class Collisions {
  #filter: BloomFilter | undefined;
  readonly #sorter: Sorter;
  #count = 0;

  /** @param memory - How much to sort in memory, in bytes. */
  constructor(memory?: number) {
    this.#sorter = new Sorter(compare, memory);
  }

  /** The memory of the filter; undefined if no key changes, so that no second reading is needed. */
  get filter(): SharedArrayBuffer | undefined {
    return this.#filter?.memory;
  }

  /** Adds the hash of a packed key that changes, during the first reading. */
  announce(hash: Hash): void {
    this.#filter ??= new BloomFilter();
    this.#filter.add(hash);
  }

  /** Adds a packed candidate, during the second reading. Candidates come in order. */
  add(candidate: Uint8Array): void {
    const item = Buffer.from(candidate.buffer, candidate.byteOffset, candidate.length);
    item.writeDoubleLE(this.#count++, NUMBER);
    this.#sorter.add(item);
  }

  /** Yields each record whose key becomes equal to another, and the first one that has that key. */
  *find(): Generator<EqualKeys, void> {
    let first: Buffer | undefined;
    for (const item of this.#sorter.read()) {
      if (!first || !readAfter(first).equals(readAfter(item))) first = Buffer.from(item);
      else if (item.readUInt8(FLAG) === 1 && !readBefore(item).equals(readBefore(first))) {
        const { becomes, ...place } = readPlace(item);
        const { file, record, line, key = {} } = readPlace(first);
        yield { ...place, kind: 'equal keys', becomes, other: { file, record, line, key } };
      }
    }
  }

  /** Removes temporary files. */
  remove(): void {
    this.#sorter.remove();
  }
}

const endOfAfter = (item: Buffer): number => FIXED + item.readUInt32LE(AFTER);

const endOfBefore = (item: Buffer): number => endOfAfter(item) + item.readUInt32LE(BEFORE);

const readAfter = (item: Buffer): Buffer => item.subarray(FIXED, endOfAfter(item));

const readBefore = (item: Buffer): Buffer => item.subarray(endOfAfter(item), endOfBefore(item));

const readPlace = (item: Buffer): KeyPlace => JSON.parse(item.toString('utf8', endOfBefore(item)));

/** Sorts by hash and key, then unchanged keys first, then in the order of the input. */
function compare(one: Buffer, other: Buffer): number {
  return (
    one.readUInt32LE(0) - other.readUInt32LE(0) ||
    one.readUInt32LE(LOW) - other.readUInt32LE(LOW) ||
    readAfter(one).compare(readAfter(other)) ||
    one.readUInt8(FLAG) - other.readUInt8(FLAG) ||
    one.readDoubleLE(NUMBER) - other.readDoubleLE(NUMBER)
  );
}
