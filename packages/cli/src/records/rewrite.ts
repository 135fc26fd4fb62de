/** What becomes of a segment: a function of its bytes, that any thread can do. */
import { formatBytes } from '@utf8/core';
import type { Format, Piece, ReaderState } from '../formats/format.js';
import type { Flaw } from '../repair/flaw.js';
import type { Repairer } from '../repair/repairer.js';
import type { Counts } from './counts.js';
import { type EditList, Edits } from './edits.js';
import type { Refusal } from './finding.js';
import { Gatherer } from './gather.js';
import type { Segment } from './segments.js';
import { findStretches } from './stretches.js';

/** What a rewriter is asked for besides the output. */
export interface RewriteOptions {
  /** Whether records that are refused are set apart, and do not end the run. */
  readonly rejects: boolean;
  /** Whether edits are wanted. */
  readonly undo: boolean;
}

/** What has become of a segment. */
export interface Rewritten {
  /** The segment's own bytes where nothing changed. Their memory is used again for the next segment. */
  readonly output: Uint8Array;
  /** Records that are refused, in a form that is a file of their format again. */
  readonly rejects: Uint8Array;
  /** With places in bytes from the start of the output. */
  readonly edits: EditList;
  readonly counts: Counts;
  /** What ended the run here. The output ends before it. */
  readonly refusal: Refusal | undefined;
}

/** A field of a piece, and what becomes of it. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The beginning of a statement, which goes if all of its tuples do. */
interface Head {
  readonly start: number;
  readonly end: number;
  readonly changes: readonly Change[];
}

/** Ends the rewriting of a segment. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

const LF = 0x0a;

/** Rewrites segments. Nothing that it returns depends on any segment but the one. */
export class Rewriter {
  readonly #format: Format;
  readonly #repairer: Repairer;
  readonly #options: RewriteOptions;
  readonly #output = new Gatherer();
  readonly #rejects = new Gatherer();
  readonly #edits = new Edits();
  readonly #findings = new Map<string, number>();
  #rejected = 0;
  #changed = 0;
  #bytesRejected = 0;
  /** Where the bytes that are being read begin in the input. */
  #offset = 0;

  constructor(format: Format, repairer: Repairer, options: RewriteOptions) {
    this.#format = format;
    this.#repairer = repairer;
    this.#options = options;
  }

  rewrite(segment: Segment): Rewritten {
    const { bytes, offset, state, next } = segment;
    this.#output.clear();
    this.#rejects.clear();
    if (offset === 0 && this.#options.rejects) this.#addHeader(segment);
    let isSame = false;
    let refusal: Refusal | undefined;
    try {
      isSame = !this.#rewriteUnits(segment);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusal = error.refusal;
    }
    const output = isSame ? bytes : this.#output.bytes;
    return {
      output,
      rejects: this.#rejects.bytes,
      edits: this.#edits.take(),
      counts: this.#takeCounts(next.record - state.record, bytes.length, output.length),
      refusal,
    };
  }

  #takeCounts(records: number, bytesRead: number, bytesWritten: number): Counts {
    const counts = {
      records,
      rejected: this.#rejected,
      changed: this.#changed,
      bytesRead,
      bytesWritten,
      bytesRejected: this.#bytesRejected,
      findings: Object.fromEntries(this.#findings),
    };
    this.#rejected = this.#changed = this.#bytesRejected = 0;
    this.#findings.clear();
    return counts;
  }

  /** Has the rejects begin as the file does, whether there will be any or not: so parts of them meet. */
  #addHeader({ bytes, state }: Segment): void {
    for (const { kind, start, end } of this.#format.createReader(state).read(bytes)) {
      if (kind === 'header') this.#rejects.add(bytes.subarray(start, end));
      if (kind === 'record') return;
    }
  }

  /**
   * Passes over units that are clean, and reads the others.
   *
   * @returns Whether there are others; the output is empty where there are none.
   */
  #rewriteUnits(segment: Segment): boolean {
    const { bytes, offset } = segment;
    let done = 0;
    for (const { start, end, state } of findStretches(
      segment,
      this.#format,
      this.#repairer.isClean,
    )) {
      this.#output.add(bytes.subarray(done, start));
      this.#offset = offset + start;
      this.#rewritePieces(bytes.subarray(start, end), state);
      done = end;
    }
    if (done === 0) return false;
    this.#output.add(bytes.subarray(done));
    return true;
  }

  #rewritePieces(bytes: Uint8Array, state: ReaderState): void {
    // The head of an INSERT is written when it is known that a tuple of it is left.
    let head: Head | undefined;
    let dropped = 0;
    for (const each of this.#format.createReader(state).read(bytes)) {
      const found = this.#repair(bytes, each);
      if (each.kind === 'head') {
        head = { start: each.start, end: each.end, changes: found.changes };
        dropped = 0;
        continue;
      }
      if (each.kind === 'tail' && head && dropped > 0) {
        // All of its tuples have been rejected, so the statement goes, too.
        this.#drop(bytes, head.start, each.end);
        head = undefined;
        continue;
      }
      if (found.isRefused) {
        this.#reject(bytes, each);
        if (head) dropped++;
        else this.#drop(bytes, each.start, each.end);
        continue;
      }
      let { start } = each;
      if (head) {
        this.#write(bytes, head.start, head.end, head.changes);
        // The comma before the first tuple that is left goes with those before it.
        if (dropped > 0) {
          this.#drop(bytes, head.end, each.own);
          start = each.own;
        }
        head = undefined;
      }
      if (each.kind === 'record' && found.changes.length > 0) this.#changed++;
      this.#write(bytes, start, each.end, found.changes);
    }
    if (head) this.#write(bytes, head.start, head.end, head.changes);
  }

  /** Repairs the fields of a piece, and counts what is found in it. */
  #repair(bytes: Uint8Array, piece: Piece): { changes: Change[]; isRefused: boolean } {
    const changes: Change[] = [];
    let isRefused = false;
    if (this.#repairer.isClean(bytes.subarray(piece.start, piece.end))) {
      return { changes, isRefused };
    }
    for (const field of piece.fields) {
      if (field.kind !== 'text') continue;
      const repair = this.#repairer.repair(bytes.subarray(field.start, field.end), field);
      if (!repair) continue;
      changes.push({ start: field.start, end: field.end, bytes: repair.bytes });
      for (const flaw of repair.flaws) {
        this.#findings.set(flaw.kind, (this.#findings.get(flaw.kind) ?? 0) + 1);
        if (flaw.becomes) continue;
        isRefused = true;
        if (this.#options.rejects && piece.kind === 'record') continue;
        throw new Refused(
          this.#describe(bytes, piece, field.column ?? field.number, field.start, flaw),
        );
      }
    }
    return { changes, isRefused };
  }

  #describe(
    bytes: Uint8Array,
    piece: Piece,
    column: string | number,
    start: number,
    flaw: Flaw,
  ): Refusal {
    const at = start + flaw.offset;
    let { line } = piece;
    for (let i = piece.own; i < at; i++) if (bytes[i] === LF) line++;
    return {
      record: piece.number,
      line,
      column,
      offset: this.#offset + at,
      kind: flaw.kind,
      reason: flaw.reason,
      bytes: formatBytes(bytes.subarray(at, at + flaw.length)),
    };
  }

  #reject(bytes: Uint8Array, { own, end, before, after }: Piece): void {
    this.#rejected++;
    this.#bytesRejected += end - own;
    if (before) this.#rejects.add(before);
    this.#rejects.add(bytes.subarray(own, end));
    if (after) this.#rejects.add(after);
  }

  #drop(bytes: Uint8Array, start: number, end: number): void {
    if (!this.#options.undo || start === end) return;
    this.#edits.add(this.#output.length, bytes.subarray(start, end), new Uint8Array());
  }

  #write(bytes: Uint8Array, start: number, end: number, changes: readonly Change[]): void {
    let from = start;
    for (const change of changes) {
      this.#output.add(bytes.subarray(from, change.start));
      if (this.#options.undo) {
        const original = bytes.subarray(change.start, change.end);
        this.#edits.add(this.#output.length, original, change.bytes);
      }
      this.#output.add(change.bytes);
      from = change.end;
    }
    this.#output.add(bytes.subarray(from, end));
  }
}
