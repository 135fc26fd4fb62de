/** Rewriting of the records of a segment: a function of its bytes that any thread can compute. */
import { formatBytes } from '@utf8/core';
import type { ErrorsPolicy, Finding, Repair } from '@utf8/repair';
import { type Segment, skipUnits, stateAfter } from '../cut/segments.js';
import type { Change, Field, Format, Piece, ReaderState } from '../format/format.js';
import { findFormat } from '../format/registry.js';
import {
  declaredOf,
  encodingOf,
  type FileHazard,
  findDeclaration,
  findHazard,
  findMisread,
  mayHaveHazard,
} from '../load/hazard.js';
import { type Orphans, OrphanTest } from '../orphan/orphan-test.js';
import type { FormatChoice, RepairChoice, Task, Work } from '../pool/work.js';
import { RecordRepairer, writeField } from '../repair/record-repairer.js';
import { type EditList, Edits, Gatherer } from './edits.js';
import type { RecordRefusal } from './refusal.js';
import { type Stretch, StretchTranscoder } from './stretch.js';
import { createTranscodedTest } from './transcoded.js';

/** Converts records. */
export interface RewriteTask extends Task {
  readonly task: 'rewrite';
  readonly format: FormatChoice;
  readonly repair: RepairChoice;
  readonly rewrite: RewriteOptions;
}

/**
 * Creates the function that converts segments of records.
 *
 * @param repairer - The repairer of their fields; by default, one is created for the task.
 */
export function createConversion(
  { format, repair, rewrite }: RewriteTask,
  repairer: RecordRepairer = new RecordRepairer(findFormat(format.name, format.options), repair),
): Work {
  const rewriter = new Rewriter(repairer, rewrite);
  return (segment) => rewriter.rewrite(segment);
}

/** Numbers of records, bytes and findings. */
export interface RecordCounts {
  readonly records: number;
  readonly rejected: number;
  /** Records that were written, but not as they were. */
  readonly changed: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Without text that a rejected record needs around it, such as the start of an INSERT. */
  readonly bytesRejected: number;
  /** All findings by kind, those in rejected records included. */
  readonly findings: Readonly<Record<string, number>>;
}

export const NO_RECORDS: RecordCounts = {
  records: 0,
  rejected: 0,
  changed: 0,
  bytesRead: 0,
  bytesWritten: 0,
  bytesRejected: 0,
  findings: {},
};

/** Outputs and policies of a rewriter. */
export interface RewriteOptions {
  /** Sets rejected records apart; otherwise, the first one ends the run. */
  readonly rejects: boolean;
  /** Gathers edits. */
  readonly undo: boolean;
  /** Hazards of loading that do not end the run. */
  readonly allow: readonly FileHazard[];
  /** Policy for malformed bytes; `fail` by default, which refuses them. */
  readonly errors?: ErrorsPolicy | undefined;
  /** Rejected rows; rows that refer to them are rejected, too. */
  readonly orphans?: Orphans | undefined;
}

/** Result for a segment. Its memory is reused for the next segment. */
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
  /** Refusal that ended the run here; the output ends before it. Line and record count from 1 in the segment. */
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
  /** Index in transcoded bytes, if it is unchanged there. */
  readonly from: number | undefined;
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
  readonly #repairer: RecordRepairer;
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
  /** True if most of the last segment had to be changed, so that testing small parts would not pay. */
  #isDense = false;
  /** The part of a stretch's result to write next; none if it begins at -1. */
  #from = -1;
  #to = -1;

  constructor(repairer: RecordRepairer, options: RewriteOptions) {
    const { format, from } = repairer;
    this.#format = format;
    this.#repairer = repairer;
    this.#transcoder = new StretchTranscoder(repairer);
    this.#options = options;
    this.#orphans = options.orphans && new OrphanTest(format, from, options.orphans);
  }

  rewrite(segment: Segment): Rewritten {
    const { bytes, offset, state, next, isVerbatim = false } = segment;
    this.#output.clear();
    this.#rejects.clear();
    this.#edits.clear();
    this.#rejectSettings = undefined;
    if (offset === 0 && this.#options.rejects) this.#addHeader(segment);
    const isSame = isVerbatim || this.#isPassed(bytes, state, stateAfter(segment));
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
    return !this.#orphans && this.#repairer.passes(bytes, before, after);
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
    if (this.#isDense && this.#rewriteUnits(bytes, offset, state, true)) return;
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
        this.#rewriteUnits(leaf, offset + start, before, false);
      }
      start += leaf.length;
    }
    this.#isDense = 2 * rewritten > bytes.length;
  }

  /**
   * Transcodes whole units at once if no policy concerns them, and repairs those pieces field by field of which
   * more has to be known.
   *
   * @returns False if nothing was done, since they cannot be transcoded at once, as `needsStretch` requires.
   */
  #rewriteUnits(
    bytes: Uint8Array,
    offset: number,
    state: ReaderState,
    needsStretch: boolean,
  ): boolean {
    const isHidden = this.#format.hidesText?.(bytes, state) ?? false;
    const stretch = isHidden || this.#orphans ? undefined : this.#transcoder.transcode(bytes);
    if (needsStretch && !stretch) return false;
    this.#offset = offset;
    try {
      this.#rewritePieces(bytes, state, isHidden, stretch);
    } finally {
      this.#flush(stretch);
    }
    return true;
  }

  /** Writes the bytes that are transcoded and not written yet. */
  #flush(stretch: Stretch | undefined): void {
    if (stretch && this.#from !== -1) this.#output.addRange(stretch.result, this.#from, this.#to);
    this.#from = -1;
  }

  /** Counts a piece that was transcoded with changes, and adds an edit for each field that changed. */
  #addTranscoded(stretch: Stretch, piece: Piece): void {
    if (piece.kind === 'record') this.#changed++;
    if (!this.#options.undo) {
      // Reading the fields of a record also refuses it if it is malformed.
      if (this.#format.isCheckedByField) void piece.fields;
      return;
    }
    const at = this.#output.length - this.#from;
    for (const { start, end } of piece.fields) {
      const [from, to] = stretch.locate(start, end);
      if (from === -1) continue;
      this.#edits.add(
        at + from,
        stretch.source.subarray(start, end),
        stretch.result.subarray(from, to),
      );
    }
  }

  #rewritePieces(
    bytes: Uint8Array,
    state: ReaderState,
    isHidden: boolean,
    stretch: Stretch | undefined,
  ): void {
    const isTranscoded = stretch && createTranscodedTest(this.#repairer, bytes, stretch);
    // The start of an INSERT is written once it is known that one of its tuples is kept.
    let opening: Opening | undefined;
    let dropped = 0;
    for (const piece of this.#format.createReader(state).read(bytes)) {
      const { kind, start, end } = piece;
      if (isTranscoded) {
        const isChanged = stretch.advance(end, this.#findings);
        // The first tuple after rejected ones loses its comma.
        const isFirst = opening !== undefined && dropped > 0;
        if (!isFirst && isTranscoded(piece, isChanged)) {
          if (kind === 'head') {
            opening = { start, end, changes: NO_CHANGES, from: stretch.from };
            dropped = 0;
            continue;
          }
          if (opening && opening.from === undefined) this.#writeOpening(bytes, opening, stretch);
          if (this.#from === -1) this.#from = opening?.from ?? stretch.from;
          opening = undefined;
          this.#to = stretch.to;
          if (isChanged) this.#addTranscoded(stretch, piece);
          continue;
        }
        if (isChanged) stretch.uncount(this.#findings);
      }
      const { changes, isRejected } = this.#repair(bytes, piece, isHidden);
      if (kind === 'head') {
        opening = { start, end, changes, from: undefined };
        dropped = 0;
        continue;
      }
      this.#flush(stretch);
      if (kind === 'tail' && opening && dropped > 0) {
        // All of its tuples are rejected, so the statement is removed, too.
        this.#drop(bytes, opening.start, end);
        opening = undefined;
        continue;
      }
      if (isRejected) {
        this.#reject(bytes, piece);
        if (opening) dropped++;
        else this.#drop(bytes, start, end);
        continue;
      }
      let from = start;
      if (opening) {
        this.#writeOpening(bytes, opening, stretch);
        // The comma before the first kept tuple is removed with the tuples before it.
        if (dropped > 0) {
          this.#drop(bytes, opening.end, piece.own);
          from = piece.own;
        }
        opening = undefined;
      }
      // A statement that is missing before a record does not change the record.
      const fixes = piece.fixes?.length ?? 0;
      if (kind === 'record' && changes.length > fixes) this.#changed++;
      this.#write(bytes, from, end, changes);
    }
    if (opening) this.#writeOpening(bytes, opening, stretch);
  }

  #writeOpening(bytes: Uint8Array, opening: Opening, stretch: Stretch | undefined): void {
    this.#flush(stretch);
    this.#write(bytes, opening.start, opening.end, opening.changes);
  }

  /** Repairs the fields of a piece, and counts the findings. */
  #repair(
    bytes: Uint8Array,
    piece: Piece,
    isHidden: boolean,
  ): { readonly changes: readonly Change[]; readonly isRejected: boolean } {
    const { fixes = NO_CHANGES } = piece;
    if (piece.kind === 'record' && this.#orphans?.find(bytes, piece)) {
      this.#findings['orphaned-row'] = (this.#findings['orphaned-row'] ?? 0) + 1;
      return { changes: NO_CHANGES, isRejected: true };
    }
    if (!isHidden && this.#repairer.isClean(bytes.subarray(piece.start, piece.end))) {
      if (mayHaveHazard(bytes, piece, false)) this.#checkAll(bytes, piece);
      return { changes: fixes, isRejected: false };
    }
    const changes: Change[] = [...fixes];
    const repairs = new Map<Field, Repair>();
    // A record that is rejected reaches no server.
    const unchecked: [Field, Repair][] = [];
    let isRejected = false;
    const hasLengths =
      piece.kind === 'record' &&
      this.#repairer.mayHaveLengths(bytes.subarray(piece.start, piece.end));
    for (const field of eachText(piece)) {
      const { start, end } = field;
      const repair = this.#allow(this.#repairer.repair(bytes, piece, field));
      if (repair.status === 'unchanged') {
        if ((piece.reach ?? 'all') !== 'all') {
          unchecked.push([field, repair]);
        }
        continue;
      }
      if (field.kind === 'unknown') {
        unchecked.push([field, repair]);
        continue;
      }
      if (repair.status === 'changed') {
        changes.push({ start, end, bytes: writeField(bytes, piece, field, repair) });
      }
      const isNeeded = field.owner !== undefined || piece.kind === 'header' || hasLengths;
      if (isNeeded) repairs.set(field, repair);
      for (const finding of repair.findings) {
        if (this.#count(bytes, piece, field, finding)) isRejected = true;
      }
      if (repair.status === 'changed') {
        unchecked.push([field, repair]);
      }
    }
    if (fixes.length > 0) changes.sort((a, b) => a.start - b.start || a.end - b.end);
    for (const [field, finding] of this.#repairer.findConflicts(bytes, piece, repairs)) {
      if (this.#count(bytes, piece, field, finding)) isRejected = true;
    }
    for (const [field, repair] of isRejected ? [] : unchecked) {
      const isKept = repair.status !== 'unchanged' && field.kind === 'unknown';
      if (isKept) this.#keep(bytes, piece, field, repair);
      else this.#check(bytes, piece, field, repair.status === 'changed' ? repair : undefined);
    }
    return { changes, isRejected };
  }

  /** Accepts a repair in which only lengths are refused, if they may be wrong. */
  #allow(repair: Repair): Repair {
    if (repair.status !== 'rejected') return repair;
    const isAllowed = repair.findings.every((finding) => finding.becomes || this.#isKept(finding));
    return isAllowed ? { ...repair, status: 'changed' } : repair;
  }

  #isKept({ kind }: Finding): boolean {
    return kind === 'inner-length' && this.#options.allow.includes(kind);
  }

  #checkAll(bytes: Uint8Array, piece: Piece): void {
    for (const field of piece.fields) {
      if (field.kind !== 'opaque') this.#check(bytes, piece, field, undefined);
    }
  }

  /**
   * Ends the run if the server would lose the value of a field.
   *
   * @param repair - Its repair; undefined if it is the same.
   */
  #check(bytes: Uint8Array, piece: Piece, field: Field, repair: Repair | undefined): void {
    const misread =
      repair && findMisread(this.#format, piece, field, repair, this.#options.errors ?? 'fail');
    const result = misread ? undefined : repair?.bytes;
    const found = misread ?? findHazard(this.#format, bytes, piece, field, result);
    if (!found) return;
    const { kind, index, length, charset } = found;
    // A server in UTF-8, as nearly all are, makes sure that such text is in it.
    if (kind === 'unstated-encoding' && charset !== undefined) return;
    const evidence = (result ?? bytes.subarray(field.start)).subarray(index, index + length);
    this.#stop(bytes, piece, field, kind, field.start + index, evidence, charset);
  }

  /** Keeps bytes that may be text or binary unchanged, and ends the run unless that is allowed. */
  #keep(bytes: Uint8Array, piece: Piece, field: Field, { findings }: Repair): void {
    const { offset, length } = findings.find(({ kind }) => kind !== 'inner-length') as Finding;
    const at = field.start + offset;
    this.#stop(bytes, piece, field, 'text-or-binary', at, bytes.subarray(at, at + length));
  }

  /** Counts a hazard, and ends the run unless it is allowed. */
  #stop(
    bytes: Uint8Array,
    piece: Piece,
    field: Field,
    kind: FileHazard,
    at: number,
    evidence: Uint8Array,
    charset?: string,
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
      ...declaredBy(charset, piece, field),
    });
  }

  /** Counts a finding. Returns whether it rejects its record; if nothing can be, the run ends. */
  #count(bytes: Uint8Array, piece: Piece, field: Field, finding: Finding): boolean {
    this.#findings[finding.kind] = (this.#findings[finding.kind] ?? 0) + 1;
    if (finding.becomes || this.#isKept(finding)) return false;
    if (this.#options.rejects && piece.kind === 'record') return true;
    throw new Refused(this.#describe(bytes, piece, field, finding));
  }

  #describe(
    bytes: Uint8Array,
    piece: Piece,
    field: Field,
    finding: Finding,
  ): Omit<RecordRefusal, 'file'> {
    const at = field.start + finding.offset;
    const charset =
      finding.reason &&
      (encodingOf(this.#format, piece, field) ?? declaredOf(this.#format, piece, field));
    return {
      record: piece.number,
      line: this.#lineOf(bytes, piece, at),
      column: field.column ?? field.number,
      offset: this.#offset + at,
      kind: finding.kind,
      reason: finding.reason,
      bytes: formatBytes(bytes.subarray(at, at + finding.length)),
      becomes: null,
      ...declaredBy(charset, piece, field),
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

/** Names a character set, and the line that declares it; nothing if there is none. */
const declaredBy = (charset: string | undefined, piece: Piece, field: Field) =>
  charset === undefined ? {} : { charset, declared: findDeclaration(charset, piece, field) ?? 0 };

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

/** Adds two counts, number by number. */
export function addCounts<T extends object>(one: T, other: T): T {
  const sum = { ...one } as Record<string, unknown>;
  for (const [key, value] of Object.entries(other)) {
    const before = sum[key];
    sum[key] =
      typeof value === 'number'
        ? value + ((before as number | undefined) ?? 0)
        : addCounts((before as object | undefined) ?? {}, value as object);
  }
  return sum as T;
}
