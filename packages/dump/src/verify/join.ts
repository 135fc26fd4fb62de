/** Records of both sides in the order of their keys, and which of them belong together. */
import { createHash } from 'node:crypto';
import { hash } from '../scan/bloom.js';
import { ByteReader, ByteWriter } from '../scan/packed.js';
import { Sorter } from '../scan/sorter.js';
import { decodeHex, isHexForm, Mark } from './cell.js';
import type { TablePair } from './match.js';
import type { SideRecord, SideValue } from './side.js';

/** A record of one side, packed so that its bytes sort by key and then by values. */
export class JoinedRecord {
  readonly item: Buffer;
  /** Index after the key. */
  readonly keyEnd: number;

  constructor(item: Buffer) {
    this.item = item;
    this.keyEnd = KEY + item.readUInt32BE(KEY_LENGTH);
  }

  get pair(): number {
    return this.item.readUInt32BE(KEY);
  }

  /** The values in one form for both sides. */
  get values(): Buffer {
    return this.item.subarray(this.keyEnd + 4, this.#valuesEnd);
  }

  get #valuesEnd(): number {
    return this.keyEnd + 4 + this.item.readUInt32BE(this.keyEnd);
  }

  /** True if no value has a mark, or a form before the conversion. */
  get isPlain(): boolean {
    return this.#valuesEnd + PLACE === this.item.length;
  }

  /** Compares keys, in the order of the sort. */
  compareKey(other: JoinedRecord): number {
    return this.item.compare(other.item, 0, other.keyEnd, 0, this.keyEnd);
  }

  read(): ReadRecord {
    const { values } = this;
    const reader = new ByteReader(this.item, this.#valuesEnd);
    const record = reader.readCount();
    const line = reader.readCount();
    const byColumn = new Map<number, SideValue>();
    for (const list = new ByteReader(values); list.index < values.length; ) {
      const column = list.readNumber();
      byColumn.set(column, { column, value: list.readBytes(), raw: undefined, marks: 0 });
    }
    while (reader.index < this.item.length) {
      const column = reader.readNumber();
      const marks = reader.readByte();
      const hasRaw = reader.readByte() === 1;
      const raw = hasRaw ? reader.readBytes() : undefined;
      const { value } = byColumn.get(column) as SideValue;
      byColumn.set(column, { column, value, raw, marks });
    }
    return { record, line, values: byColumn };
  }
}

/** A record with its values by the index of the pair of columns; NULL is left out. */
export interface ReadRecord {
  readonly record: number;
  readonly line: number;
  readonly values: ReadonlyMap<number, SideValue>;
}

/**
 * Offsets in an item of the length of its key and of the key, in bytes; the key begins with the number of its
 * tables.
 */
const [KEY_LENGTH, KEY] = [4, 8];

/** Length in bytes of the numbers of a record and its line. */
const PLACE = 16;

/** Packs records of one side. */
export class Packer {
  readonly #pairs: readonly TablePair[];
  readonly #side: 'source' | 'target';
  readonly #writer = new ByteWriter();
  readonly #body = new ByteWriter();
  readonly #key = new ByteWriter();

  constructor(pairs: readonly TablePair[], side: 'source' | 'target') {
    this.#pairs = pairs;
    this.#side = side;
  }

  /** @param indices - Those of pairs of columns by index of the column of the side. */
  pack({ record, line, values }: SideRecord, pair: number, indices: readonly number[]): Buffer {
    const { columns, key } = this.#pairs[pair] as TablePair;
    const isHex = this.#side === 'source' ? 'isSourceHex' : 'isTargetHex';
    const own: SideValue[] = [];
    for (const each of values) {
      const column = indices[each.column] ?? -1;
      if (column === -1) continue;
      const { value, marks } = each;
      if (columns[column]?.[isHex] && isHexForm(value)) {
        const blob = decodeHex(value, 2, value.length);
        own.push({ ...each, column, value: blob, marks: marks | Mark.blob });
      } else own.push({ ...each, column });
    }
    own.sort((a, b) => a.column - b.column);
    const body = this.#body.clear();
    for (const { column, value } of own) {
      body.addNumber(column);
      body.addBytes(value);
    }
    const ownKey = this.#key.clear();
    ownKey.addNumber(pair);
    for (const { column } of key) {
      const found = own.find((each) => each.column === column);
      ownKey.addByte(found ? 1 : 0);
      if (found) ownKey.addBytes(found.value);
    }
    if (key.length === 0) ownKey.add(createHash('sha256').update(body.bytes).digest());
    const writer = this.#writer.clear();
    writer.addNumber(hash(ownKey.bytes) % 2 ** 32);
    writer.addBytes(ownKey.bytes);
    writer.addBytes(body.bytes);
    writer.addCount(record);
    writer.addCount(line);
    for (const { column, marks, raw } of own) {
      if (marks === 0 && !raw) continue;
      writer.addNumber(column);
      writer.addByte(marks);
      writer.addByte(raw ? 1 : 0);
      if (raw) writer.addBytes(raw);
    }
    return writer.take();
  }
}

/** The sorted records of one side, the next of which can be seen before it is taken. */
export class Cursor {
  head: JoinedRecord | undefined;
  readonly #sorter = new Sorter();
  #items: Iterator<Buffer> | undefined;

  add(item: Buffer): void {
    this.#sorter.add(item);
  }

  /** Starts to read. */
  open(): void {
    this.#items = this.#sorter.read()[Symbol.iterator]();
    this.#advance();
  }

  /** Takes the next record if it has the key of another one. */
  take(key: JoinedRecord): JoinedRecord | undefined {
    const { head } = this;
    if (head?.compareKey(key) !== 0) return undefined;
    this.#advance();
    return head;
  }

  #advance(): void {
    const { value, done } = this.#items?.next() ?? { done: true };
    this.head = done ? undefined : new JoinedRecord(value);
  }

  remove(): void {
    this.#sorter.remove();
  }
}
