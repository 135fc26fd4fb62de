/** What a scan does with one segment, in this thread or another. */
import { formatBytes } from '@utf8/core';
import type { Segment } from '../cut/segment.js';
import { skipUnits } from '../cut/unit.js';
import type { Field, Piece, ReaderState } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { BloomFilter, hash } from './bloom.js';
import { packCandidate } from './collisions.js';
import { type Column, columnOf, nameCount } from './column.js';
import {
  createInspectTools,
  Inspected,
  type InspectTask,
  type InspectTools,
} from './inspect-task.js';
import { describeKey, findReordered, type KeyPair, ownValues, packKey, readKey } from './key.js';
import { findBroken, locatePrefix, mayHavePrefix } from './length-prefix.js';
import { measureBy } from './limit.js';
import { findStray } from './plane.js';
import type { FindingPlace, RecordKey } from './scan-finding.js';
import { type Change, Subject } from './subject.js';

export type { InspectTask };

/** Creates a function that inspects segments. The findings of one depend on no other. */
export function createInspection(task: InspectTask): (segment: Segment) => Inspected {
  const inspection = new Inspection(createInspectTools(task));
  return (segment) => inspection.inspect(segment);
}

/** Number of columns that an error about an unknown one names. */
export const NAMED = 20;

/** Bytes that are tested at once; what may change is tested again by less before it is read. */
const LEAF = 1 << 13;
const SMALL_LEAF = 1 << 9;

class Inspection {
  readonly #tools: InspectTools;
  readonly #subject: Subject;
  /** The keys that change, if only keys are inspected. */
  readonly #filter: BloomFilter | undefined;
  /** The columns of the options that no record has had so far. */
  readonly #unseen: Set<Column>;
  readonly #names = new Set<string>();
  #found: Inspected;
  /** The key of the record at hand, once it is needed, and as a report has it. */
  #pair: KeyPair | undefined;
  #key: RecordKey | undefined;

  constructor(tools: InspectTools) {
    const { repairer, task, keys, limits } = tools;
    this.#tools = tools;
    this.#subject = new Subject(task.file, repairer);
    this.#filter = task.filter && new BloomFilter(task.filter);
    const columns = [...keys, ...limits.map(({ column }) => column)];
    this.#unseen = new Set(columns.filter(({ text }) => task.unseen.includes(text)));
    this.#found = new Inspected(task.kept);
  }

  inspect({ bytes, offset, state, next, isVerbatim = false }: Segment): Inspected {
    const { repairer, limits, task } = this.#tools;
    const found = new Inspected(task.kept);
    this.#found = found;
    const isClean = isVerbatim || repairer.isClean(bytes);
    const readsAll = this.#filter !== undefined || limits.length + this.#unseen.size > 0;
    try {
      if (readsAll && !isVerbatim) this.#read(bytes, offset, state, isClean);
      else if (!isClean) this.#readLeaves(bytes, offset, state);
      if (!this.#filter) found.records = next.record - state.record;
    } catch (error) {
      // What is found before it counts.
      if (!(error instanceof FormatError)) throw error;
      const { reason, line, column } = error;
      found.failure = { reason, line, column };
    }
    if (found.last) found.last = ownValues(found.last);
    found.names.push(...this.#names);
    return found;
  }

  /** Reads the parts of a segment in which something may change. */
  #readLeaves(bytes: Uint8Array, offset: number, state: ReaderState, size = LEAF): void {
    const { format, repairer } = this.#tools;
    const reader = format.createReader(state);
    for (let start = 0; start < bytes.length; ) {
      const before = reader.state;
      const rest = bytes.subarray(start);
      const leaf = rest.subarray(0, skipUnits(reader, rest, size));
      if (!repairer.isClean(leaf)) {
        if (size === LEAF) this.#readLeaves(leaf, offset + start, before, SMALL_LEAF);
        else this.#read(leaf, offset + start, before, false);
      }
      start += leaf.length;
    }
  }

  #read(bytes: Uint8Array, offset: number, state: ReaderState, isClean: boolean): void {
    const subject = this.#subject;
    subject.bytes = bytes;
    subject.offset = offset;
    for (const piece of this.#tools.format.createReader(state).read(bytes)) {
      const isRecord = piece.kind === 'record';
      if (this.#filter && !isRecord) continue;
      if (isRecord && this.#unseen.size > 0) this.#markSeen(piece);
      subject.examine(piece, isClean);
      if (this.#filter) this.#inspectKey(this.#filter);
      else this.#inspectPiece(isRecord);
    }
  }

  #inspectPiece(isRecord: boolean): void {
    const { changes, isRefused } = this.#subject;
    this.#pair = undefined;
    this.#key = undefined;
    if (isRecord && isRefused) this.#found.rejected++;
    else if (isRecord && changes.length > 0) {
      this.#found.changed++;
      this.#announceKey();
    }
    const isKept = isRecord && !isRefused;
    for (const change of changes) {
      this.#addTexts(change, isKept);
      if (isKept) this.#addPrefixes(change);
    }
    if (isKept && this.#tools.limits.length > 0) this.#addExcesses();
  }

  #addTexts({ field, repair }: Change, isKept: boolean): void {
    const found = this.#found;
    const { bytes, piece } = this.#subject;
    const name = this.#nameCount(field);
    for (const { offset, length, kind, becomes, reason } of repair.findings) {
      const at = field.start + offset;
      if (!becomes && piece.kind !== 'record') found.outside++;
      if (found.count(kind, name)) {
        const place = this.#locate(field, at);
        const original = formatBytes(bytes.subarray(at, at + length));
        const result = becomes ? formatBytes(becomes) : null;
        // Spreading it into a new object takes five times as long (Node 20).
        found.findings.push(
          Object.assign(place, { kind, bytes: original, becomes: result, reason }),
        );
      }
      if (!isKept || !becomes || (kind !== 'pair' && kind !== 'four-byte form')) continue;
      const stray = findStray(becomes, this.#tools.to);
      if (stray && found.count('unassigned plane', name)) {
        found.findings.push({ ...this.#locate(field, at), kind: 'unassigned plane', ...stray });
      }
    }
  }

  #addPrefixes({ field, repair }: Change): void {
    const { bytes } = this.#subject;
    const { format } = this.#tools;
    const text = bytes.subarray(field.start, field.end);
    if (!mayHavePrefix(text)) return;
    const before = format.readValue(bytes, field);
    for (const [i, prefix] of findBroken(before, format.readValue(bytes, field, repair.bytes))) {
      if (!this.#found.count('length prefix', this.#nameCount(field))) continue;
      const place = this.#locate(field, field.start + locatePrefix(text, i));
      this.#found.findings.push({ ...place, kind: 'length prefix', prefix });
    }
  }

  #addExcesses(): void {
    const { limits, format, from, to } = this.#tools;
    const { bytes, piece } = this.#subject;
    for (const field of piece.fields) {
      for (const limit of limits) {
        if (field.kind !== 'text' || !limit.column.matches(field, piece.table)) continue;
        const repaired = this.#subject.findChange(field)?.bytes;
        // A value has at most as many bytes as its spelling, and as many characters as bytes.
        if (Math.max(field.end - field.start, repaired?.length ?? 0) <= limit.most) continue;
        const value = format.readValue(bytes, field);
        const result = repaired ? format.readValue(bytes, field, repaired) : value;
        const after = measureBy(limit, result, to);
        if (after <= limit.most) continue;
        if (!this.#found.count('over the limit', this.#nameCount(field))) continue;
        const place = this.#locate(field, field.start);
        const before = measureBy(limit, value, from);
        const { text } = limit;
        this.#found.findings.push({ ...place, kind: 'over the limit', limit: text, before, after });
      }
    }
  }

  #locate(field: Field, at: number): FindingPlace {
    const { keys, from } = this.#tools;
    const isKeyed = keys.length > 0 && this.#subject.piece.kind === 'record';
    if (isKeyed) this.#key ??= describeKey(keys, this.#readPair().before, from);
    return this.#subject.locate(field, at, this.#key);
  }

  #nameCount(field: Field): string {
    const { number: record, table } = this.#subject.piece;
    return nameCount({ record, table, column: columnOf(field) });
  }

  #readPair(): KeyPair {
    const { keys, format } = this.#tools;
    this.#pair ??= readKey(this.#subject, keys, format);
    return this.#pair;
  }

  /** Keeps the hash of the key of a record if the record's change is one of the key. */
  #announceKey(): void {
    if (this.#tools.keys.length === 0) return;
    const { table } = this.#subject.piece;
    const { before, after } = this.#readPair();
    const packed = before === after ? undefined : packKey(table, after);
    if (!packed || packKey(table, before)?.equals(packed)) return;
    const { high, low } = hash(packed);
    this.#found.announced.push(high, low);
  }

  #inspectKey(filter: BloomFilter): void {
    const { format, keys, from, to } = this.#tools;
    const { table, line } = this.#subject.piece;
    const { before, after, field } = readKey(this.#subject, keys, format);
    const packed = packKey(table, before);
    // A rejected record has no key in the result.
    if (!packed || !field || this.#subject.isRefused) return;
    const packedAfter = before === after ? packed : (packKey(table, after) as Buffer);
    const isChanged = !packedAfter.equals(packed);
    const place = this.#subject.locate(field, field.start);
    const found = this.#found;
    const next = { place, line, before, after, isChanged };
    const reordered = findReordered(found.last, next, keys, from);
    if (reordered && found.count('order', nameCount(place))) found.findings.push(reordered);
    found.first ??= ownValues(next);
    found.last = next;
    const code = hash(packedAfter);
    if (!isChanged && !filter.has(code)) return;
    const described = {
      key: describeKey(keys, before, from),
      becomes: describeKey(keys, after, to),
    };
    found.candidates.push(packCandidate(packed, packedAfter, code, { ...place, ...described }));
  }

  #markSeen({ fields, table }: Piece): void {
    for (const column of this.#unseen) {
      if (!fields.some((field) => column.matches(field, table))) continue;
      this.#unseen.delete(column);
      this.#found.seen.push(column.text);
    }
    for (const field of fields) {
      if (this.#names.size < NAMED) this.#names.add(String(columnOf(field)));
    }
  }
}
