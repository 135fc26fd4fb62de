/** What becomes of the records of a segment: a function of its bytes that any thread can compute. */
import { formatBytes } from '@utf8/core';
import type { Finding, Repair, Repairer } from '@utf8/repair';
import type { Segment } from '../cut/segment.js';
import { skipUnits } from '../cut/unit.js';
import type { Change, Field, Format, Piece, ReaderState } from '../format/format.js';
import {
  describeEqualKey,
  findEqualKeys,
  repairField,
  requireDistinctNames,
  writeField,
} from '../format/repair-field.js';
import { findFourBytes } from '../format/sql/charset.js';
import { findHazard, type Hazard } from '../load/hazard.js';
import type { Orphans, OrphanTest } from '../orphan/orphan-test.js';
import { addCounts, type RecordCounts } from './counts.js';
import { type EditList, Edits } from './edits.js';
import { Gatherer } from './gatherer.js';
import type { RecordRefusal } from './refusal.js';
import type { Stretch, StretchTranscoder } from './stretch.js';

/** What a rewriter produces besides the output. */
export interface RewriteOptions {
  /** Sets rejected records apart; otherwise, the first one ends the run. */
  readonly rejects: boolean;
  /** Gathers edits. */
  readonly undo: boolean;
  /** Hazards of loading that do not end the run. */
  readonly allow: readonly Hazard[];
  /** What makes a row refer to a rejected one, so that it is rejected, too. */
  readonly orphans?: Orphans | undefined;
}

/** What became of a segment. Its memory is used again for the next one. */
export interface Rewritten {
  /** The segment's own bytes if nothing changed. */
  readonly output: Uint8Array;
  /** Rejected records, in a form that is a file of their format again. */
  readonly rejects: Uint8Array;
  /** The settings under which they stand, if the format has any. */
  readonly rejectSettings: RejectSettings | undefined;
  /** Edits of the output, which begins at 0. */
  readonly edits: EditList;
  readonly counts: RecordCounts;
  /** What ended the run here; the output ends before it. Line and record count from 1 in the segment. */
  readonly refusal: Omit<RecordRefusal, 'file'> | undefined;
}

/** Settings of rejected records: statements in Latin-1. */
export interface RejectSettings {
  /** Those that the rejected records begin with. */
  readonly first: string;
  /** Those under which the last one stands. */
  readonly last: string;
}

/** The start of a statement, which goes if all of its tuples do. */
interface Opening {
  readonly start: number;
  readonly end: number;
  readonly changes: readonly Change[];
}

/** Ends the rewriting of a segment. */
class Refused extends Error {
  readonly refusal: Omit<RecordRefusal, 'file'>;

  constructor(refusal: Omit<RecordRefusal, 'file'>) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

const LF = 0x0a;

/** Bytes that are tested, and then perhaps read, at once. */
const LEAF = 1 << 13;

const NO_CHANGES: readonly Change[] = [];

/** Rewrites segments. The result for one depends on no other. */
export class Rewriter {
  readonly #format: Format;
  readonly #repairer: Repairer;
  readonly #transcoder: StretchTranscoder;
  readonly #options: RewriteOptions;
  readonly #orphans: OrphanTest | undefined;
  readonly #output = new Gatherer();
  readonly #rejects = new Gatherer();
  readonly #edits = new Edits();
  #findings: Record<string, number> = {};
  #rejected = 0;
  #changed = 0;
  #bytesRejected = 0;
  #rejectSettings: RejectSettings | undefined;
  /** Offset in the input of the bytes that are being read. */
  #offset = 0;
  /** Whether most of the last segment had to be changed, so that leaves are not worth a test. */
  #isDense = false;

  constructor(
    format: Format,
    repairer: Repairer,
    transcoder: StretchTranscoder,
    options: RewriteOptions,
    orphans?: OrphanTest,
  ) {
    this.#format = format;
    this.#repairer = repairer;
    this.#transcoder = transcoder;
    this.#options = options;
    this.#orphans = orphans;
  }

  rewrite(segment: Segment): Rewritten {
    const { bytes, offset, state, next, isVerbatim = false } = segment;
    this.#output.clear();
    this.#rejects.clear();
    this.#edits.clear();
    this.#rejectSettings = undefined;
    if (offset === 0 && this.#options.rejects) this.#addHeader(segment);
    // What follows a segment is not known here.
    const isSame = isVerbatim || this.#isPassed(bytes, state, { ...next, context: null });
    let refusal: Omit<RecordRefusal, 'file'> | undefined;
    try {
      if (!isSame) this.#rewriteLeaves(bytes, offset, state);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusal = error.refusal;
    }
    const output = isSame ? bytes : this.#output.bytes;
    return {
      output,
      rejects: this.#rejects.bytes,
      rejectSettings: this.#rejectSettings,
      edits: this.#edits.list,
      counts: this.#takeCounts(next.record - state.record, bytes.length, output.length),
      refusal,
    };
  }

  /** Tells whether bytes pass without a look at their fields. */
  #isPassed(bytes: Uint8Array, before: ReaderState, after: ReaderState): boolean {
    return (
      !this.#orphans &&
      this.#repairer.isClean(bytes) &&
      !this.#format.hidesText?.(bytes, before) &&
      !this.#format.needsLook?.(bytes, before, after)
    );
  }

  #takeCounts(records: number, bytesRead: number, bytesWritten: number): RecordCounts {
    const counts = {
      records,
      rejected: this.#rejected,
      changed: this.#changed,
      bytesRead,
      bytesWritten,
      bytesRejected: this.#bytesRejected,
      findings: this.#findings,
    };
    this.#rejected = this.#changed = this.#bytesRejected = 0;
    this.#findings = {};
    return counts;
  }

  /** Starts the rejects as the file starts, even if nothing is rejected, so that parts can be joined. */
  #addHeader({ bytes, state }: Segment): void {
    for (const { kind, start, end } of this.#format.createReader(state).read(bytes)) {
      if (kind === 'record' || kind === 'head') return;
      if (kind === 'header') this.#rejects.addRange(bytes, start, end);
    }
  }

  /**
   * Passes clean leaves, and rewrites the others. If nearly all have to change, a whole segment is
   * transcoded at once, which spares a second search for the ends of units.
   */
  #rewriteLeaves(bytes: Uint8Array, offset: number, state: ReaderState): void {
    if (this.#isDense && this.#rewriteStretch(bytes, offset, state)) return;
    const reader = this.#format.createReader(state);
    let rewritten = 0;
    for (let start = 0; start < bytes.length; ) {
      const before = reader.state;
      const rest = bytes.subarray(start);
      const leaf = rest.subarray(0, skipUnits(reader, rest, LEAF));
      if (this.#isPassed(leaf, before, reader.state)) {
        this.#output.add(leaf);
      } else {
        rewritten += leaf.length;
        if (!this.#rewriteStretch(leaf, offset + start, before)) this.#rewritePieces(leaf, before);
      }
      start += leaf.length;
    }
    this.#isDense = 2 * rewritten > bytes.length;
  }

  /**
   * Transcodes whole units at once if no policy concerns them, and counts what changed.
   *
   * @returns False if they have to be read field by field.
   */
  #rewriteStretch(bytes: Uint8Array, offset: number, state: ReaderState): boolean {
    this.#offset = offset;
    if (this.#orphans || this.#format.hidesText?.(bytes, state)) return false;
    const stretch = this.#transcoder.transcode(bytes);
    if (!stretch) return false;
    const { isOpaqueAscii, isCheckedByField } = this.#format;
    const { end } = this.#edits;
    const findings: Record<string, number> = {};
    let changed = 0;
    const pieces = this.#format.createReader(state).read(bytes);
    for (const piece of pieces) {
      const isChanged = stretch.advance(piece.end, findings);
      if (piece.fixes?.length || (piece.isNarrow && hasFourBytes(bytes, piece, isChanged))) {
        this.#edits.cut(end);
        return false;
      }
      if (!isChanged) continue;
      // A blob may consist of bytes that look like text, and keys may become equal.
      if (
        (!isOpaqueAscii && !piece.isAllText && !stretch.isWithinText(piece.fields)) ||
        this.#hasKeys(stretch, piece) ||
        hasStored(stretch, piece)
      ) {
        this.#edits.cut(end);
        return false;
      }
      if (piece.kind === 'record') changed++;
      if (this.#options.undo) this.#addEdits(stretch, this.#output.length, piece);
      // Reading the fields of a record also refuses it if it is malformed.
      else if (isCheckedByField) void piece.fields;
    }
    this.#output.add(stretch.result);
    this.#changed += changed;
    this.#findings = addCounts(this.#findings, findings);
    return true;
  }

  /** Tells whether something changed in a key, in a value that may have keys, or in the name of a column. */
  #hasKeys(stretch: Stretch, piece: Piece): boolean {
    const { spellsKeys, syntaxOf } = this.#format;
    if (piece.kind === 'header') return true;
    const mayHaveKeys = (spellsKeys && !piece.isKeyless) || syntaxOf;
    if (piece.kind !== 'record' || !mayHaveKeys) return false;
    // Only now, since it takes time to find the fields.
    return piece.fields.some((field) => {
      const syntax = field.syntax ?? syntaxOf?.(field, piece.table);
      const mayBeKey = field.owner !== undefined || syntax;
      return mayBeKey && stretch.locate(field.start, field.end)[0] !== -1;
    });
  }

  /** Adds an edit for each field of a piece that changed. */
  #addEdits(stretch: Stretch, at: number, { fields }: Piece): void {
    for (const { start, end } of fields) {
      const [from, to] = stretch.locate(start, end);
      if (from === -1) continue;
      this.#edits.add(
        at + from,
        stretch.source.subarray(start, end),
        stretch.result.subarray(from, to),
      );
    }
  }

  #rewritePieces(bytes: Uint8Array, state: ReaderState): void {
    // The start of an INSERT is written once it is known that one of its tuples is kept.
    let opening: Opening | undefined;
    let dropped = 0;
    const isHidden = this.#format.hidesText?.(bytes, state) ?? false;
    for (const piece of this.#format.createReader(state).read(bytes)) {
      const { changes, isRejected } = this.#repair(bytes, piece, isHidden);
      if (piece.kind === 'head') {
        opening = { start: piece.start, end: piece.end, changes };
        dropped = 0;
        continue;
      }
      if (piece.kind === 'tail' && opening && dropped > 0) {
        // All of its tuples are rejected, so the statement is removed, too.
        this.#drop(bytes, opening.start, piece.end);
        opening = undefined;
        continue;
      }
      if (isRejected) {
        this.#reject(bytes, piece);
        if (opening) dropped++;
        else this.#drop(bytes, piece.start, piece.end);
        continue;
      }
      let { start } = piece;
      if (opening) {
        this.#write(bytes, opening.start, opening.end, opening.changes);
        // The comma before the first kept tuple is removed with the tuples before it.
        if (dropped > 0) {
          this.#drop(bytes, opening.end, piece.own);
          start = piece.own;
        }
        opening = undefined;
      }
      // A statement that is missing before a record is no change of it.
      const fixes = piece.fixes?.length ?? 0;
      if (piece.kind === 'record' && changes.length > fixes) this.#changed++;
      this.#write(bytes, start, piece.end, changes);
    }
    if (opening) this.#write(bytes, opening.start, opening.end, opening.changes);
  }

  /** Repairs the fields of a piece, and counts the findings. */
  #repair(
    bytes: Uint8Array,
    piece: Piece,
    isHidden: boolean,
  ): { readonly changes: readonly Change[]; readonly isRejected: boolean } {
    const { fixes = NO_CHANGES } = piece;
    if (piece.kind === 'record' && this.#orphans?.find(bytes, piece)) {
      this.#findings['orphaned row'] = (this.#findings['orphaned row'] ?? 0) + 1;
      return { changes: NO_CHANGES, isRejected: true };
    }
    if (!isHidden && this.#repairer.isClean(bytes.subarray(piece.start, piece.end))) {
      if (piece.isNarrow && hasFourBytes(bytes, piece, false)) this.#checkAll(bytes, piece);
      return { changes: fixes, isRejected: false };
    }
    const changes: Change[] = [...fixes];
    const repairs = new Map<Field, Repair>();
    let isRejected = false;
    for (const field of eachText(piece)) {
      const { start, end } = field;
      const repair = repairField(this.#repairer, this.#format, bytes, piece, field);
      if (repair.status === 'unchanged') {
        if (piece.isNarrow) this.#check(bytes, piece, field, undefined);
        continue;
      }
      if (field.kind === 'unknown') {
        this.#keep(bytes, piece, field, repair);
        continue;
      }
      if (repair.status === 'changed') {
        changes.push({ start, end, bytes: writeField(bytes, piece, field, repair) });
      }
      if (field.owner !== undefined || piece.kind === 'header') repairs.set(field, repair);
      for (const finding of repair.findings) {
        if (this.#count(bytes, piece, field, finding)) isRejected = true;
      }
      if (repair.status === 'changed') this.#check(bytes, piece, field, repair.bytes);
    }
    if (fixes.length > 0) changes.sort((a, b) => a.start - b.start || a.end - b.end);
    if (repairs.size === 0) return { changes, isRejected };
    if (piece.kind === 'header') {
      requireDistinctNames(this.#repairer, this.#format, bytes, piece, repairs);
    }
    for (const key of findEqualKeys(this.#repairer, this.#format, bytes, piece, repairs)) {
      if (this.#count(bytes, piece, key, describeEqualKey(key))) isRejected = true;
    }
    return { changes, isRejected };
  }

  #checkAll(bytes: Uint8Array, piece: Piece): void {
    for (const field of piece.fields) {
      if (field.kind !== 'opaque') this.#check(bytes, piece, field, undefined);
    }
  }

  /**
   * Ends the run if the server would lose the value of a field.
   *
   * @param result - What it has become; undefined if it is the same.
   */
  #check(bytes: Uint8Array, piece: Piece, field: Field, result: Uint8Array | undefined): void {
    const found = findHazard(this.#format, bytes, piece, field, result);
    if (!found) return;
    const { kind, index, length } = found;
    const evidence = (result ?? bytes.subarray(field.start)).subarray(index, index + length);
    this.#stop(bytes, piece, field, kind, field.start + index, evidence);
  }

  /** Keeps what may be text or binary as it is, and ends the run unless that is allowed. */
  #keep(bytes: Uint8Array, piece: Piece, field: Field, { findings }: Repair): void {
    const [{ offset, length }] = findings as [Finding];
    const at = field.start + offset;
    this.#stop(bytes, piece, field, 'text or binary', at, bytes.subarray(at, at + length));
  }

  /** Counts a hazard, and ends the run unless it is allowed. */
  #stop(
    bytes: Uint8Array,
    piece: Piece,
    field: Field,
    kind: Hazard,
    at: number,
    evidence: Uint8Array,
  ): void {
    this.#findings[kind] = (this.#findings[kind] ?? 0) + 1;
    if (this.#options.allow.includes(kind)) return;
    throw new Refused({
      record: piece.number,
      line: this.#lineOf(bytes, piece, at),
      column: field.column ?? field.number,
      offset: this.#offset + at,
      kind,
      reason: undefined,
      bytes: formatBytes(evidence),
      becomes: null,
    });
  }

  /** Counts a finding. Returns whether it rejects its record; if nothing can be, the run ends. */
  #count(bytes: Uint8Array, piece: Piece, field: Field, finding: Finding): boolean {
    this.#findings[finding.kind] = (this.#findings[finding.kind] ?? 0) + 1;
    if (finding.becomes) return false;
    if (this.#options.rejects && piece.kind === 'record') return true;
    const column = field.column ?? field.number;
    throw new Refused(this.#describe(bytes, piece, column, field.start, finding));
  }

  #describe(
    bytes: Uint8Array,
    piece: Piece,
    column: string | number,
    start: number,
    finding: Finding,
  ): Omit<RecordRefusal, 'file'> {
    const at = start + finding.offset;
    return {
      record: piece.number,
      line: this.#lineOf(bytes, piece, at),
      column,
      offset: this.#offset + at,
      kind: finding.kind,
      reason: finding.reason,
      bytes: formatBytes(bytes.subarray(at, at + finding.length)),
      becomes: null,
    };
  }

  #lineOf(bytes: Uint8Array, { own, line }: Piece, at: number): number {
    let lines = 0;
    for (let i = own; i < at; i++) if (bytes[i] === LF) lines++;
    return line + lines;
  }

  #reject(bytes: Uint8Array, { own, end, before, after, settings }: Piece): void {
    this.#rejected++;
    this.#bytesRejected += end - own;
    if (settings !== undefined && settings !== this.#rejectSettings?.last) {
      this.#rejects.add(Buffer.from(settings, 'latin1'));
      this.#rejectSettings = { first: this.#rejectSettings?.first ?? settings, last: settings };
    }
    if (before) this.#rejects.add(before);
    this.#rejects.addRange(bytes, own, end);
    if (after) this.#rejects.add(after);
  }

  #drop(bytes: Uint8Array, start: number, end: number): void {
    if (!this.#options.undo || start === end) return;
    this.#edits.add(this.#output.length, bytes.subarray(start, end), new Uint8Array());
  }

  #write(bytes: Uint8Array, start: number, end: number, changes: readonly Change[]): void {
    let from = start;
    for (const change of changes) {
      this.#output.addRange(bytes, from, change.start);
      if (this.#options.undo) {
        const original = bytes.subarray(change.start, change.end);
        this.#edits.add(this.#output.length, original, change.bytes);
      }
      this.#output.add(change.bytes);
      from = change.end;
    }
    this.#output.addRange(bytes, from, end);
  }
}

/** The texts of a piece, without the parts that are replaced as a whole. */
function* eachText({ fields, fixes = NO_CHANGES }: Piece): Generator<Field> {
  let next = 0;
  for (const field of fields) {
    if (field.kind === 'opaque') continue;
    let { start } = field;
    while ((fixes[next]?.start ?? start) < start) next++;
    for (let fix = fixes[next]; fix && fix.end <= field.end; fix = fixes[++next]) {
      if (fix.start === fix.end) continue;
      if (start < fix.start) yield { ...field, column: undefined, start, end: fix.start };
      start = fix.end;
    }
    if (start === field.start) yield field;
    else if (start < field.end) yield { ...field, column: undefined, start, end: field.end };
  }
}

/** Tells whether something changed outside of records in what a column or the dictionary stores. */
const hasStored = (stretch: Stretch, piece: Piece): boolean =>
  piece.kind !== 'record' &&
  piece.fields.some(
    ({ declared, start, end }) => declared !== undefined && stretch.locate(start, end)[0] !== -1,
  );

/** Tells whether a piece has, or may get, a character in four bytes. */
const hasFourBytes = (bytes: Uint8Array, { start, end }: Piece, isChanged: boolean): boolean =>
  isChanged || findFourBytes(bytes.subarray(start, end)) !== -1;
