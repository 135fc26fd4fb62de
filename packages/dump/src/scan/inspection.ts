/** What a scan does with one segment, in this thread or another. The findings depend on no other. */
import { formatBytes, formatCodePoint } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import {
  createRepairer,
  type Finding,
  findMojibake,
  findUnassigned,
  hasUnitEscape,
  mayContainMojibake,
  mayContainUnassigned,
  type Repair,
  type Repairer,
} from '@utf8/repair';
import type { Segment } from '../cut/segment.js';
import { skipUnits } from '../cut/unit.js';
import type { DeclaredKey, Field, Format, Piece, ReaderState } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { findFormat } from '../format/registry.js';
import {
  describeEqualKey,
  findEqualKeys,
  repairField,
  requireDistinctNames,
  writeField,
} from '../format/repair-field.js';
import { BACKSLASH, viewOf } from '../format/shared/ascii.js';
import {
  type Column,
  FieldIndex,
  nameColumn,
  parseColumn,
} from '../format/shared/column-choice.js';
import { countLineFeeds } from '../format/shared/line-feeds.js';
import { compareAs, joinValue, packKey } from '../key/key-values.js';
import { describeLimit, findHazard } from '../load/hazard.js';
import type { FormatChoice, RepairChoice, Task } from '../pool/work.js';
import { BloomFilter, hash } from './bloom.js';
import { findBroken, locatePrefixes } from './breakage.js';
import { packCandidate } from './collisions.js';
import { nameCount, parseLimit } from './column.js';
import { describeKey, findReordered, type KeyedRecord, ownValues } from './key.js';
import type { FindingDetail, RecordKey, ScanFinding, ScanKind } from './scan-finding.js';

/** Inspects records. */
export interface InspectTask extends Task {
  readonly task: 'inspect';
  readonly file: string;
  readonly format: FormatChoice;
  readonly repair: RepairChoice;
  /** Names of columns, and limits as in the options. */
  readonly keys: readonly string[];
  readonly limits: readonly string[];
  /** Keys that the file declares. */
  readonly declared: readonly DeclaredKey[];
  /** The columns among these that no record has had so far. */
  readonly unseen: readonly string[];
  /** Number of findings to keep of each kind and column in a segment. */
  readonly kept: number;
  /** Memory of a Bloom filter of the keys that change. With it, only keys are inspected. */
  readonly filter?: SharedArrayBuffer | undefined;
}

/** What is found in a segment: plain data, which another thread gets. */
export class Inspected {
  records = 0;
  changed = 0;
  rejected = 0;
  /** Number of refused findings outside of records. */
  outside = 0;
  /** Numbers of findings by kind and by the name of the column. */
  counts: { readonly kind: ScanKind; readonly name: string; count: number }[] = [];
  /** In order: all of them, or the first ones. */
  readonly findings: ScanFinding[] = [];
  /** Columns of the options that the segment is the first to have, and some of all columns. */
  readonly seen: string[] = [];
  names: readonly string[] = [];
  /** Hashes of packed keys that change. */
  readonly announced: number[] = [];
  /** In the second reading: packed candidates, and the first and the last record with a key. */
  readonly candidates: Uint8Array[] = [];
  first: KeyedRecord | undefined;
  last: KeyedRecord | undefined;
  /** Why the segment could not be read to its end. */
  failure: Pick<FormatError, 'reason' | 'line' | 'column'> | undefined;
}

/** A key that the file declares, and its number. */
interface NumberedKey extends Pick<DeclaredKey, 'columns'> {
  readonly id: number;
  readonly matchers: readonly Column[];
}

/** Number of columns that an error about an unknown one names. */
export const NAMED = 20;

/** Bytes that are tested at once; what may change is tested again by less before it is read. */
const LEAF = 1 << 13;
const SMALL_LEAF = 1 << 9;

/**
 * Creates what repairs texts, and a test that only bytes pass in which a scan finds nothing.
 */
export function createScreen(
  repair: RepairChoice,
  syntax: Format,
): { readonly repairer: Repairer; readonly isClean: (bytes: Uint8Array) => boolean } {
  const repairer = createRepairer({ ...repair, syntax });
  // A pair that the target writes in another form is found anyway.
  const hasPairs = codecFor(repair.to).isValid(PAIR);
  const isClean = (bytes: Uint8Array): boolean =>
    repairer.isClean(bytes) && !mayContainMojibake(bytes) && !mayContainUnassigned(bytes, hasPairs);
  return { repairer, isClean };
}

const PAIR = Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80);

/** Creates a function that inspects segments. */
export function createInspection(task: InspectTask): (segment: Segment) => Inspected {
  const format = findFormat(task.format.name, task.format.options);
  const { repairer, isClean: screen } = createScreen(task.repair, format);
  const [from, to] = [codecFor(task.repair.from), codecFor(task.repair.to)];
  const [keys, limits] = [task.keys.map(parseColumn), task.limits.map(parseLimit)];
  const declared = new Map<string, NumberedKey[]>();
  for (const [id, { owner, columns }] of task.declared.entries()) {
    const matchers = columns.map(({ name }) => nameColumn(name));
    declared.set(owner, [...(declared.get(owner) ?? []), { id, columns, matchers }]);
  }
  const columns = [...keys, ...limits.map(({ column }) => column)];
  const unseen = new Set(columns.filter(({ text }) => task.unseen.includes(text)));
  const names = new Set<string>();
  /** The keys that change, if only keys are inspected. */
  const filter = task.filter && new BloomFilter(task.filter);
  let found: Inspected;
  const counts = new Map<string, Inspected['counts'][number]>();
  /** The bytes that contain the pieces, and their offset in the file. */
  let memory: Uint8Array;
  let base: number;
  /** The piece under inspection, and what becomes of fields that do not stay as they are, in order. */
  let piece: Piece;
  let repairs = new Map<Field, Repair>();
  /** Mojibake that is kept, and the fields that may have code points without a character. */
  let suggestions = new Map<Field, readonly Finding[]>();
  let suspects: Field[] = [];
  /** What may be text or binary, so that it is kept, and its repair. */
  let doubts: [Field, Repair][] = [];
  let isRefused: boolean;
  /** The key of the piece, and its fields by column, once they are needed. */
  let key: RecordKey | undefined;
  let fields: FieldIndex | undefined;
  /** An index in the piece, and its line. */
  let known: { at: number; line: number };

  /** JSON has escapes wherever its columns are declared. */
  const declares = format.name === 'jsonl';
  const seeksJson = (bytes: Uint8Array): boolean => !declares && hasUnitEscape(bytes);
  const isClean = (bytes: Uint8Array, before: ReaderState, after: ReaderState): boolean =>
    screen(bytes) &&
    !format.hidesText?.(bytes, before) &&
    !format.needsLook?.(bytes, before, after) &&
    !seeksJson(bytes);

  /** Reads the parts of a segment in which something may change. */
  const readLeaves = (bytes: Uint8Array, offset: number, state: ReaderState, size = LEAF): void => {
    const reader = format.createReader(state);
    for (let start = 0; start < bytes.length; ) {
      const before = reader.state;
      const rest = bytes.subarray(start);
      const leaf = rest.subarray(0, skipUnits(reader, rest, size));
      if (!isClean(leaf, before, reader.state)) {
        if (size === LEAF) readLeaves(leaf, offset + start, before, SMALL_LEAF);
        else read(leaf, offset + start, before, false);
      }
      start += leaf.length;
    }
  };

  const read = (bytes: Uint8Array, offset: number, state: ReaderState, passes: boolean): void => {
    memory = bytes;
    base = offset;
    const isHidden = format.hidesText?.(bytes, state) ?? false;
    for (piece of format.createReader(state).read(bytes)) {
      const isRecord = piece.kind === 'record';
      if (filter && !isRecord) continue;
      if (isRecord && unseen.size > 0) markSeen();
      // Clearing one map again and again takes twice the time of the scan (Node 20).
      if (repairs.size > 0) repairs = new Map();
      if (suggestions.size > 0) suggestions = new Map();
      if (suspects.length > 0) suspects = [];
      if (doubts.length > 0) doubts = [];
      isRefused = false;
      key = undefined;
      fields = undefined;
      known = { at: piece.own, line: piece.line };
      const text = bytes.subarray(piece.start, piece.end);
      if (!passes && (isHidden || !screen(text))) repairFields();
      if (filter) {
        if (keys.length > 0) inspectKey(filter);
        inspectDeclared(filter);
      } else {
        inspectPiece(isRecord);
        if (isRecord && !passes && seeksJson(text)) addUndeclared();
      }
    }
  };

  const markSeen = (): void => {
    for (const column of unseen) {
      if (!piece.fields.some((field) => column.matches(field, piece.table))) continue;
      unseen.delete(column);
      found.seen.push(column.text);
    }
    for (const { column, number } of piece.fields) {
      if (names.size < NAMED) names.add(String(column ?? number));
    }
  };

  const repairFields = (): void => {
    for (const field of piece.fields) {
      if (field.kind === 'opaque') continue;
      if (!field.isHex && isPlain(memory, field.start, field.end)) continue;
      const text = memory.subarray(field.start, field.end);
      if (task.repair.mojibake === 'keep' && mayContainMojibake(text)) {
        const kept = findMojibake(text, to);
        if (kept.length > 0) suggestions.set(field, kept);
      }
      if (mayContainUnassigned(text)) suspects.push(field);
      const repair = repairField(repairer, format, memory, piece, field);
      if (repair.status === 'unchanged') continue;
      if (field.kind === 'unknown') {
        doubts.push([field, repair]);
        continue;
      }
      if (repair.status === 'changed') writeField(memory, piece, field, repair);
      repairs.set(field, repair);
      isRefused ||= repair.status === 'rejected';
    }
    if (piece.kind === 'header') {
      requireDistinctNames(repairer, format, memory, piece, repairs);
    }
    for (const key of findEqualKeys(repairer, format, memory, piece, repairs)) {
      const findings = [...(repairs.get(key)?.findings ?? []), describeEqualKey(key)];
      const bytes = repairs.get(key)?.bytes ?? memory.subarray(key.start, key.end);
      repairs.set(key, { status: 'rejected', bytes, findings });
      isRefused = true;
    }
  };

  const inspectPiece = (isRecord: boolean): void => {
    if (isRecord && isRefused) found.rejected++;
    else if (isRecord && repairs.size > 0) {
      found.changed++;
      if (keys.length > 0) announceKey();
      announceDeclared();
    }
    const isKept = isRecord && !isRefused;
    if (!isRefused && !filter) addHazards();
    for (const [field, { findings }] of repairs) addTexts(field, findings);
    for (const [field, { findings }] of doubts) addDoubt(field, findings);
    for (const [field, findings] of suggestions) addTexts(field, findings);
    if (isKept) {
      for (const field of suspects) addUnassigned(field);
      for (const [field, repair] of repairs) addPrefixes(field, repair);
    }
    if (isKept && limits.length > 0) addExcesses();
  };

  const addTexts = (field: Field, findings: readonly Finding[]): void => {
    for (const { offset, length, kind, becomes, reason } of findings) {
      const at = field.start + offset;
      if (!becomes && piece.kind !== 'record') found.outside++;
      // A repair keeps these.
      if (kind === 'noncharacter or unassigned' || !count(kind, field)) continue;
      const bytes = formatBytes(memory.subarray(at, at + length));
      add(field, at, { kind, bytes, becomes: becomes ? formatBytes(becomes) : null, reason });
    }
  };

  const addDoubt = (field: Field, findings: readonly Finding[]): void => {
    const kind = 'text or binary';
    if (!count(kind, field)) return;
    const [{ offset, length }] = findings as [Finding];
    const at = field.start + offset;
    add(field, at, { kind, bytes: formatBytes(memory.subarray(at, at + length)) });
  };

  const addUnassigned = (field: Field): void => {
    const kind = 'noncharacter or unassigned';
    const text = memory.subarray(field.start, field.end);
    for (const { offset, length, codePoint } of findUnassigned(text)) {
      if (!count(kind, field)) continue;
      const bytes = formatBytes(text.subarray(offset, offset + length));
      add(field, field.start + offset, { kind, bytes, character: formatCodePoint(codePoint) });
    }
  };

  /** Adds what a server would lose of the record. */
  const addHazards = (): void => {
    if (repairs.size === 0 && !piece.isNarrow) return;
    for (const field of piece.fields) {
      if (field.kind === 'opaque') continue;
      const result = repairs.get(field)?.bytes;
      const found = findHazard(format, memory, piece, field, result);
      if (!found || !count(found.kind, field)) continue;
      const { kind, index, length } = found;
      if (kind === 'over the limit') {
        const before = format.readValue(memory, field);
        const after = format.readValue(memory, field, result);
        add(field, field.start, { kind, ...describeLimit(field, before, after) });
        continue;
      }
      const text = result ?? memory.subarray(field.start, field.end);
      const bytes = formatBytes(text.subarray(index, index + length));
      if (kind === 'partition key') {
        add(field, field.start, { kind, bytes });
        continue;
      }
      const isColumn = kind === 'narrow column';
      const charset = (isColumn ? field.declared?.charset : piece.connection) ?? '';
      const declared = isColumn ? (field.declared?.line ?? 0) : (piece.connectionLine ?? 0);
      add(field, field.start + (result ? 0 : index), { kind, bytes, charset, declared });
    }
  };

  /** Adds what jsonb would refuse in texts that are JSON, though nothing declares them as such. */
  const addUndeclared = (): void => {
    for (const field of piece.fields) {
      const { kind, start, end, syntax } = field;
      if (kind !== 'text' || syntax || format.syntaxOf?.(field, piece.table)) continue;
      const text = memory.subarray(start, end);
      if (!hasUnitEscape(text)) continue;
      const value = format.readValue(memory, field);
      if (!hasLoneEscape(value) || !count('undeclared JSON', field)) continue;
      const at = start + viewOf(text).indexOf('\\u');
      const bytes = formatBytes(memory.subarray(at, Math.min(at + 6, end)));
      add(field, at, { kind: 'undeclared JSON', bytes });
    }
  };

  const addPrefixes = (field: Field, repair: Repair): void => {
    const text = memory.subarray(field.start, field.end);
    if (!viewOf(text).includes('s:')) return;
    const result = format.readValue(memory, field, repair.bytes);
    let places: readonly number[] | undefined;
    for (const [i, prefix] of findBroken(format.readValue(memory, field), result)) {
      if (!count('length prefix', field)) continue;
      places ??= locatePrefixes(text);
      add(field, field.start + (places[i] ?? 0), { kind: 'length prefix', prefix });
    }
  };

  const addExcesses = (): void => {
    for (const field of piece.fields) {
      for (const { column, most, text: limit, measure } of limits) {
        if (field.kind === 'opaque' || !column.matches(field, piece.table)) continue;
        const repaired = repairs.get(field)?.bytes;
        // A value has at most as many bytes as its spelling, and as many characters as bytes.
        if (Math.max(field.end - field.start, repaired?.length ?? 0) <= most) continue;
        const after = measure(format.readValue(memory, field, repaired), to);
        if (after <= most || !count('over the limit', field)) continue;
        const before = measure(format.readValue(memory, field), from);
        add(field, field.start, { kind: 'over the limit', limit, before, after });
      }
    }
  };

  /** Counts a finding. Returns whether to add it to the findings. */
  const count = (kind: ScanKind, { column, number }: Field): boolean => {
    const name = nameCount(piece.number, piece.table, column ?? number);
    const counted = counts.get(kind + name) ?? { kind, name, count: 0 };
    if (counted.count === 0) counts.set(kind + name, counted);
    return counted.count++ < task.kept;
  };

  /** Adds a finding about an index in a field. */
  const add = (field: Field, at: number, detail: FindingDetail): void => {
    if (keys.length > 0 && piece.kind === 'record') {
      key ??= describeKey(task.keys, readKey().before, from);
    }
    // Spreading both into a new object takes five times as long (Node 20).
    found.findings.push(Object.assign(locate(field, at), detail));
  };

  const locate = ({ column: name, number }: Field, at: number) => {
    const { number: record, table } = piece;
    if (at < known.at) known = { at: piece.own, line: piece.line };
    const line = known.line + countLineFeeds(memory, known.at, at);
    known = { at, line };
    const column = name ?? number;
    return { file: task.file, record, line, table, column, key, offset: base + at };
  };

  /** Reads the key of the record, which may share its memory, and finds the first field of the key. */
  const readKey = (of: readonly Column[] = keys) => {
    fields ??= new FieldIndex(piece.fields, piece.table);
    const columns = of.map((column) => (fields as FieldIndex).list(column));
    const read = (field: Field) => format.readValue(memory, field);
    const repair = (field: Field) => format.readValue(memory, field, repairs.get(field)?.bytes);
    const before = columns.map((parts) => joinValue(parts, read));
    const isChanged = columns.some((parts) => parts.some((field) => repairs.has(field)));
    const after = isChanged ? columns.map((parts) => joinValue(parts, repair)) : before;
    return { before, after, field: columns.find((parts) => parts.length > 0)?.[0] };
  };

  /** Keeps the hash of the key of a record if the record's change is one of the key. */
  const announceKey = (): void => {
    const { before, after } = readKey();
    const packed = before === after ? undefined : packKey(piece.table, after);
    if (packed && !packKey(piece.table, before)?.equals(packed)) found.announced.push(hash(packed));
  };

  /** Packs a key that the file declares as its column compares it, before and after; none if it is NULL. */
  const packDeclared = ({ id, columns, matchers }: NumberedKey) => {
    const { before, after, field } = readKey(matchers);
    const pack = (values: typeof before, codec: typeof from) => {
      const compared = columns.map((column, i) => {
        const value = values[i];
        return value && compareAs(value, column, codec);
      });
      return packKey(`${piece.owner}\0${id}`, compared);
    };
    const packed = pack(before, from);
    if (!packed || !field) return undefined;
    return {
      packed,
      packedAfter: pack(after, to) as Buffer,
      before,
      after,
      field,
    };
  };

  const announceDeclared = (): void => {
    for (const each of declared.get(piece.owner ?? '') ?? []) {
      const key = packDeclared(each);
      if (key && !key.packed.equals(key.packedAfter)) found.announced.push(hash(key.packedAfter));
    }
  };

  const inspectDeclared = (filter: BloomFilter): void => {
    if (isRefused) return;
    for (const each of declared.get(piece.owner ?? '') ?? []) {
      const packed = packDeclared(each);
      if (!packed) continue;
      const isChanged = !packed.packed.equals(packed.packedAfter);
      if (!isChanged && !filter.has(hash(packed.packedAfter))) continue;
      const names = each.matchers.map(({ text }) => text);
      const place = locate(packed.field, packed.field.start);
      key = describeKey(names, packed.before, from);
      const becomes = describeKey(names, packed.after, to);
      found.candidates.push(
        packCandidate(packed.packed, packed.packedAfter, { ...place, key, becomes }),
      );
    }
  };

  const inspectKey = (filter: BloomFilter): void => {
    const { before, after, field } = readKey();
    const packed = packKey(piece.table, before);
    // A rejected record has no key in the result.
    if (!packed || !field || isRefused) return;
    const packedAfter = before === after ? packed : (packKey(piece.table, after) as Buffer);
    const isChanged = !packedAfter.equals(packed);
    const place = locate(field, field.start);
    const next = { place, line: piece.line, before, after, isChanged };
    const reordered = findReordered(found.last, next, task.keys, from);
    if (reordered && count('order', field)) found.findings.push(reordered);
    found.first ??= ownValues(next);
    found.last = next;
    if (!isChanged && !filter.has(hash(packed))) return;
    key = describeKey(task.keys, before, from);
    const becomes = describeKey(task.keys, after, to);
    found.candidates.push(packCandidate(packed, packedAfter, { ...place, key, becomes }));
  };

  return ({ bytes, offset, state, next, isVerbatim = false }) => {
    found = new Inspected();
    counts.clear();
    const passes = isVerbatim || isClean(bytes, state, { ...next, context: null });
    const readsAll = filter || limits.length + unseen.size > 0;
    try {
      if (readsAll && !isVerbatim) read(bytes, offset, state, passes);
      else if (!passes) readLeaves(bytes, offset, state);
      if (!filter) found.records = next.record - state.record;
    } catch (error) {
      // What is found before it counts.
      if (!(error instanceof FormatError)) throw error;
      found.failure = error;
    }
    if (found.last) found.last = ownValues(found.last);
    found.names = [...names];
    found.counts = [...counts.values()];
    return found;
  };
}

/** Policies under which only what jsonb refuses is refused. */
const jsonRepairer = createRepairer({ from: 'wtf-8', to: 'wtf-8', equalJsonKeys: 'keep' });

/** Tells whether a value is an object or array of JSON with an escape of U+0000 or of an unpaired surrogate. */
function hasLoneEscape(value: Uint8Array): boolean {
  if (!/^\s*[[{]/.test(viewOf(value).toString('latin1', 0, 100))) return false;
  const { findings } = jsonRepairer(value, false, { layers: [], syntax: { is: 'json' } });
  return findings.some(({ offset, length }) =>
    value.subarray(offset, offset + length).includes(BACKSLASH),
  );
}

/** Tells whether bytes are ASCII without U+0000 and backslashes, which every conversion keeps. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || byte === 0x5c || byte === 0) return false;
  }
  return true;
}
