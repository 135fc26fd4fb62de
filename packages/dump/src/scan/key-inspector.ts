import { BloomFilter, hash } from './bloom.js';
import { packCandidate } from './collisions.js';
import { nameCount } from './column.js';
import type { Inspected, InspectTools } from './inspect-task.js';
import { describeKey, findReordered, type KeyValue, ownValues, packKey, readKey } from './key.js';
import type { RecordKey } from './scan-finding.js';
import type { Subject } from './subject.js';

/** Compares the keys of all records, once those that change are known. */
export class KeyInspector {
  readonly #tools: InspectTools;
  readonly #filter: BloomFilter;

  /** @param filter - Memory of a filter of the keys that change. */
  constructor(tools: InspectTools, filter: SharedArrayBuffer) {
    this.#tools = tools;
    this.#filter = new BloomFilter(filter);
  }

  inspect(subject: Subject, found: Inspected): void {
    const { format, keys, from, to } = this.#tools;
    const { table, line } = subject.piece;
    const { before, after, field } = readKey(subject, keys, format);
    const packed = packKey(table, before);
    // A rejected record takes no key.
    if (!packed || !field || subject.isRefused) return;
    const packedAfter = before === after ? packed : (packKey(table, after) as Buffer);
    const isChanged = !packedAfter.equals(packed);
    const place = subject.locate(field, field.start);
    const next = { place, line, before, after, isChanged };
    const describe = (values: readonly KeyValue[]): RecordKey => describeKey(keys, values, from);
    const reordered = findReordered(found.last, next, describe);
    if (reordered && found.count('order', nameCount(place))) found.findings.push(reordered);
    found.first ??= ownValues(next);
    found.last = next;
    const code = hash(packedAfter);
    if (!isChanged && !this.#filter.has(code)) return;
    const becomes = describeKey(keys, after, to);
    const at = { ...place, key: describe(before), becomes };
    found.candidates.push(packCandidate(packed, packedAfter, code, at));
  }
}
