/**
 * Keys that become equal, found exactly and in constant memory. The first reading collects the keys that
 * change in a Bloom filter. The second one sorts all keys that pass it by their new values.
 */
import { BloomFilter, hash } from './bloom.js';
import type { FindingPlace, RecordKey, ScanFinding } from './scan-finding.js';
import { Sorter } from './sorter.js';

/** Place of a record with a key, and its key after the conversion. */
type KeyPlace = FindingPlace & { readonly becomes: RecordKey };

/** Offsets in a candidate of the length of its key after the conversion, and of that key, in bytes. */
const [LENGTH, AFTER] = [8, 12];

/** Offsets in the rest, after a flag, of its number, the length of its old key, and that key, in bytes. */
const [NUMBER, LENGTH_BEFORE, BEFORE] = [1, 9, 13];

/**
 * Packs a record whose key may collide so that its bytes sort by the hash of the new key and by that
 * key, unchanged ones first, then in the order of the input.
 */
export function packCandidate(before: Buffer, after: Buffer, place: KeyPlace): Buffer {
  const head = Buffer.alloc(AFTER);
  head.writeDoubleBE(hash(after));
  head.writeUInt32BE(after.length, LENGTH);
  const middle = Buffer.alloc(BEFORE);
  middle.writeUInt8(after.equals(before) ? 0 : 1);
  middle.writeUInt32BE(before.length, LENGTH_BEFORE);
  return Buffer.concat([head, after, middle, before, Buffer.from(JSON.stringify(place))]);
}

/** Finds keys that become equal. */
export class Collisions {
  /** Contains the packed keys that change; undefined if there are none. */
  filter: BloomFilter | undefined;
  readonly #sorter: Sorter;
  #count = 0;

  constructor(memory?: number) {
    this.#sorter = new Sorter(memory);
  }

  /** Adds the hash of a packed key that changes, during the first reading. */
  announce(hash: number): void {
    this.filter ??= new BloomFilter();
    this.filter.add(hash);
  }

  /** Adds a packed candidate, during the second reading. Candidates come in order. */
  add(candidate: Uint8Array): void {
    const item = Buffer.from(candidate.buffer, candidate.byteOffset, candidate.length);
    item.writeDoubleBE(this.#count++, endOfAfter(item) + NUMBER);
    this.#sorter.add(item);
  }

  /** Yields each record whose key becomes equal to another, and the first one that has that key. */
  *find(): Generator<ScanFinding, void> {
    let first: ReturnType<typeof unpack> | undefined;
    for (const item of this.#sorter.read()) {
      const next = unpack(item);
      if (!first?.after.equals(next.after)) first = unpack(Buffer.from(item));
      else if (next.isChanged && !next.before.equals(first.before)) {
        const { becomes, ...place } = next.readPlace();
        const { file, record, line, key = {} } = first.readPlace();
        yield { ...place, kind: 'equal-keys', becomes, other: { file, record, line, key } };
      }
    }
  }

  remove(): void {
    this.#sorter.remove();
  }
}

const endOfAfter = (item: Buffer): number => AFTER + item.readUInt32BE(LENGTH);

function unpack(item: Buffer) {
  const middle = endOfAfter(item);
  const end = middle + BEFORE + item.readUInt32BE(middle + LENGTH_BEFORE);
  return {
    after: item.subarray(0, middle),
    isChanged: item[middle] === 1,
    before: item.subarray(middle + BEFORE, end),
    readPlace: (): KeyPlace => JSON.parse(item.toString('utf8', end)),
  };
}
