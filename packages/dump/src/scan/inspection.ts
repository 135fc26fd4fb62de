/** Scan of one segment, in this thread or another. The findings depend on no other segment. */
import {
  findMojibake,
  hasUnitEscape,
  mayContainMojibake,
  mayContainUnassigned,
} from '@utf8/repair';
import { type Segment, skipUnits, stateAfter } from '../cut/segments.js';
import type { DeclaredKey, Format, FormatOptions, Piece, ReaderState } from '../format/format.js';
import { FormatError } from '../format/format-error.js';
import { findFormat } from '../format/registry.js';
import { type Column, parseColumn } from '../format/shared/column-choice.js';
import type { FormatChoice, RepairChoice, Task } from '../pool/work.js';
import { RecordRepairer, writeField } from '../repair/record-repairer.js';
import { type Stretch, StretchTranscoder } from '../rewrite/stretch.js';
import { createTranscodedTest } from '../rewrite/transcoded.js';
import { BloomFilter } from './bloom.js';
import { type Limit, parseLimit } from './column.js';
import { addExcesses, addHazards, noteEncoding } from './hazard-findings.js';
import { FindingList, type Inspected } from './inspected.js';
import { InspectedPiece } from './inspected-piece.js';
import { ownValues } from './key.js';
import { KeyFindings } from './key-findings.js';
import { addTexts, addTranscoded } from './text-findings.js';
import { addUndeclared, hasXmlFault } from './undeclared.js';

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
  readonly filter?: ArrayBufferLike | undefined;
}

/** Number of columns that an error about an unknown one names. */
export const NAMED = 20;

/** Bytes that are tested at once. Bytes that may change are tested again in smaller parts before they are read. */
const LEAF = 1 << 13;
const SMALL_LEAF = 1 << 9;

const PAIR = Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80);

/** Creates a test that only bytes pass in which a scan finds nothing. */
export function createScreen(repairer: RecordRepairer): (bytes: Uint8Array) => boolean {
  const hasPairs = keepsPairs(repairer);
  return (bytes) => repairer.isClean(bytes) && !mayHint(bytes, hasPairs);
}

/** Tells whether the target keeps pairs. A pair that it writes in another form is found anyway. */
const keepsPairs = ({ to }: RecordRepairer): boolean => to.isValid(PAIR);

/** Tells whether bytes may contain text that a scan reports although a conversion keeps it. */
const mayHint = (bytes: Uint8Array, hasPairs: boolean): boolean =>
  mayContainMojibake(bytes) || mayContainUnassigned(bytes, hasPairs);

/**
 * Creates a function that inspects segments.
 *
 * @param repairer - The repairer of their fields; by default, one is created for the task.
 */
export function createInspection(
  task: InspectTask,
  repairer: RecordRepairer = new RecordRepairer(
    findFormat(task.format.name, task.format.options),
    task.repair,
  ),
): (segment: Segment) => Inspected {
  const inspector = new Inspector(task, repairer);
  return (segment) => inspector.inspect(segment);
}

/** Inspects segments, one after the other. */
class Inspector {
  readonly #repairer: RecordRepairer;
  readonly #format: Format;
  readonly #options: FormatOptions;
  readonly #screen: (bytes: Uint8Array) => boolean;
  readonly #keepsPairs: boolean;
  readonly #keepsMojibake: boolean;
  readonly #keepsNoncharacters: boolean;
  readonly #limits: readonly Limit[];
  /** Columns of the options that no record has had so far, and some columns of records. */
  readonly #unseen: Set<Column>;
  readonly #names = new Set<string>();
  /** The keys that change, if only keys are inspected. */
  readonly #filter: BloomFilter | undefined;
  readonly #at: InspectedPiece;
  readonly #list: FindingList;
  readonly #keys: KeyFindings;
  readonly #transcoder: StretchTranscoder;
  /** True if most of the last segment had to be read. */
  #isDense = false;

  constructor(task: InspectTask, repairer: RecordRepairer) {
    const { mojibake, noncharacters = 'keep' } = repairer.policies;
    const keys = task.keys.map(parseColumn);
    this.#repairer = repairer;
    this.#format = repairer.format;
    this.#options = task.format.options;
    this.#screen = createScreen(repairer);
    this.#keepsPairs = keepsPairs(repairer);
    this.#keepsMojibake = mojibake === 'keep';
    this.#keepsNoncharacters = noncharacters === 'keep';
    this.#limits = task.limits.map(parseLimit);
    const columns = [...keys, ...this.#limits.map(({ column }) => column)];
    this.#unseen = new Set(columns.filter(({ text }) => task.unseen.includes(text)));
    this.#filter = task.filter && new BloomFilter(task.filter);
    this.#at = new InspectedPiece(task.file, this.#format);
    this.#list = new FindingList(this.#at, keys, repairer.from, task.kept);
    this.#transcoder = new StretchTranscoder(repairer);
    this.#keys = new KeyFindings(this.#at, this.#list, repairer, keys, task.declared);
  }

  inspect(segment: Segment): Inspected {
    const { bytes, offset, state, next, isVerbatim = false } = segment;
    const found = this.#list.begin();
    const passes = isVerbatim || this.#isClean(bytes, state, stateAfter(segment));
    const readsAll = this.#filter || this.#limits.length + this.#unseen.size > 0;
    try {
      if (readsAll && !isVerbatim) this.#read(bytes, offset, state, passes);
      else if (!passes) this.#readLeaves(bytes, offset, state, LEAF);
      if (!this.#filter) found.records = next.record - state.record;
    } catch (error) {
      // Findings before the error count.
      if (!(error instanceof FormatError)) throw error;
      found.failure = error;
    }
    if (found.last) found.last = ownValues(found.last);
    found.names = [...this.#names];
    this.#list.end();
    return found;
  }

  #isClean(bytes: Uint8Array, before: ReaderState, after: ReaderState): boolean {
    return (
      this.#repairer.passes(bytes, before, after) &&
      !mayHint(bytes, this.#keepsPairs) &&
      !hasUnitEscape(bytes) &&
      !hasXmlFault(bytes)
    );
  }

  /**
   * Reads the parts of a segment in which something may change. If most of the last segment had to be read, its parts
   * are not tested first.
   */
  #readLeaves(bytes: Uint8Array, offset: number, state: ReaderState, size: number): void {
    if (size === LEAF && this.#isDense && this.#readTranscoded(bytes, offset, state)) return;
    const reader = this.#format.createReader(state);
    let read = 0;
    for (let start = 0; start < bytes.length; ) {
      const before = reader.state;
      const rest = bytes.subarray(start);
      const leaf = rest.subarray(0, skipUnits(reader, rest, size));
      if (!this.#isClean(leaf, before, reader.state)) {
        read += leaf.length;
        if (size === SMALL_LEAF) this.#read(leaf, offset + start, before, false);
        else if (!this.#readTranscoded(leaf, offset + start, before)) {
          this.#readLeaves(leaf, offset + start, before, SMALL_LEAF);
        }
      }
      start += leaf.length;
    }
    if (size === LEAF) this.#isDense = 2 * read > bytes.length;
  }

  /** Reads whole units that are transcoded at once. Returns false if they cannot be. */
  #readTranscoded(bytes: Uint8Array, offset: number, state: ReaderState): boolean {
    const isHidden = this.#format.hidesText?.(bytes, state) ?? false;
    const stretch = isHidden ? undefined : this.#transcoder.transcode(bytes);
    if (stretch) this.#read(bytes, offset, state, false, stretch);
    return stretch !== undefined;
  }

  /**
   * @param passes - True if nothing in the bytes has to be repaired or reported.
   * @param stretch - The bytes transcoded, which most pieces become; undefined if their fields are repaired.
   */
  #read(
    bytes: Uint8Array,
    offset: number,
    state: ReaderState,
    passes: boolean,
    stretch?: Stretch,
  ): void {
    // Hidden text is not transcoded.
    const isHidden = !stretch && (this.#format.hidesText?.(bytes, state) ?? false);
    const hasHint = stretch !== undefined && mayHint(bytes, true);
    const mayBeUndeclared = !passes && (hasUnitEscape(bytes) || hasXmlFault(bytes));
    const isTranscoded = stretch && createTranscodedTest(this.#repairer, bytes, stretch);
    this.#at.enter(bytes, offset, isHidden);
    for (const piece of this.#format.createReader(state).read(bytes)) {
      const isRecord = piece.kind === 'record';
      if (this.#filter && !isRecord) continue;
      this.#at.move(piece);
      if (isRecord && this.#unseen.size > 0) this.#markSeen();
      const isChanged = stretch?.advance(piece.end) ?? false;
      const isSimple =
        isTranscoded?.(piece, isChanged) && !(hasHint && mayHint(textOf(bytes, piece), true));
      if (stretch && isSimple && !this.#keys.mayChange(stretch)) {
        if (isChanged && isRecord) this.#list.found.changed++;
        if (isChanged) addTranscoded(this.#at, this.#list, stretch);
      } else {
        if (!passes && (isHidden || !this.#screen(textOf(bytes, piece)))) this.#repairFields();
        if (this.#filter) {
          this.#keys.collect(this.#filter);
          continue;
        }
        this.#addFindings();
      }
      if (isRecord && mayBeUndeclared) {
        addUndeclared(this.#at, this.#list, this.#format, textOf(bytes, piece));
      }
    }
  }

  #markSeen(): void {
    const { fields, table } = this.#at.piece;
    for (const column of this.#unseen) {
      if (!fields.some((field) => column.matches(field, table))) continue;
      this.#unseen.delete(column);
      this.#list.found.seen.push(column.text);
    }
    for (const { column, number } of fields) {
      if (this.#names.size < NAMED) this.#names.add(String(column ?? number));
    }
  }

  /** Finds the changes of the fields of the piece. */
  #repairFields(): void {
    const at = this.#at;
    const { bytes, piece } = at;
    for (const field of piece.fields) {
      if (field.kind === 'opaque') continue;
      if (!field.isHex && isPlain(bytes, field.start, field.end)) continue;
      const text = at.textOf(field);
      if (this.#keepsMojibake && mayContainMojibake(text)) {
        const kept = findMojibake(text, this.#repairer.to);
        if (kept.length > 0) at.suggestions.set(field, kept);
      }
      if (mayContainUnassigned(text)) at.suspects.push(field);
      const repair = this.#repairer.repair(bytes, piece, field);
      if (this.#format.sql) noteEncoding(at, this.#list, this.#repairer, field, repair);
      if (repair.status === 'unchanged') continue;
      if (field.kind === 'unknown') {
        at.doubts.push([field, repair]);
        continue;
      }
      if (repair.status === 'changed') writeField(bytes, piece, field, repair);
      at.repairs.set(field, repair);
      at.isRefused ||= repair.status === 'rejected';
    }
    for (const [field, finding] of this.#repairer.findConflicts(bytes, piece, at.repairs)) {
      const known = at.repairs.get(field);
      at.repairs.set(field, {
        status: 'rejected',
        bytes: known?.bytes ?? at.textOf(field),
        findings: [...(known?.findings ?? []), finding],
      });
      at.isRefused = true;
    }
  }

  #addFindings(): void {
    const at = this.#at;
    const { found } = this.#list;
    const isRecord = at.piece.kind === 'record';
    if (isRecord && at.isRefused) found.rejected++;
    else if (isRecord) {
      if (at.repairs.size > 0) found.changed++;
      this.#keys.announce();
    }
    if (!at.isRefused) addHazards(at, this.#list, this.#repairer, this.#options);
    addTexts(at, this.#list, this.#keepsNoncharacters);
    if (at.isKept && this.#limits.length > 0) {
      addExcesses(at, this.#list, this.#repairer, this.#limits);
    }
  }
}

/** Returns the bytes of a piece, whose view takes time that most pieces need not spend. */
const textOf = (bytes: Uint8Array, { start, end }: Piece): Uint8Array => bytes.subarray(start, end);

/** Tells whether bytes are ASCII without controls, backslashes and references, which every conversion keeps. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || byte === 0x5c || byte === 0x26 || byte < 0x20) return false;
  }
  return true;
}
