/** Results of a scan for one segment. */
import type { Codec } from '@utf8/core';
import type { Field } from '../format/format.js';
import type { FormatError } from '../format/format-error.js';
import type { Column } from '../format/shared/column-choice.js';
import type { FileHazard } from '../load/hazard.js';
import { nameCount } from './column.js';
import type { InspectedPiece } from './inspected-piece.js';
import { describeKey, type KeyedRecord } from './key.js';
import type { FindingDetail, ScanFinding, ScanKind } from './scan-finding.js';

/** A declared encoding, and the findings in text for which it is declared. */
export interface DeclaredCounts {
  readonly charset: string;
  readonly line: number;
  /** Number of malformed sequences. */
  malformed: number;
  /** Number of texts in UTF-8 that are not ASCII. */
  others: number;
}

/** Findings of a segment: plain data, which another thread receives. */
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
  /** The first declaration of another encoding than UTF-8, and the evidence for and against it. */
  declared: DeclaredCounts | undefined;
  /** True if it has text that is not ASCII, in an encoding that nothing states. */
  isUnstated = false;
  /** Kinds of findings that end a conversion, which a new header does not remove. */
  readonly hazards: FileHazard[] = [];
  /** Error that ended the reading of the segment early. */
  failure: Pick<FormatError, 'parts' | 'line' | 'column'> | undefined;
}

/** The last finding that was counted. */
interface LastCount {
  readonly kind: ScanKind;
  readonly column: string | number;
  readonly table: string | undefined;
  readonly counted: Inspected['counts'][number];
}

/** Collects the findings of a segment. */
export class FindingList {
  found: Inspected = new Inspected();
  readonly #at: InspectedPiece;
  readonly #keys: readonly Column[];
  readonly #from: Codec;
  /** Number of findings to keep of each kind and column. */
  readonly #kept: number;
  readonly #counts = new Map<string, Inspected['counts'][number]>();
  #last: LastCount | undefined;

  constructor(at: InspectedPiece, keys: readonly Column[], from: Codec, kept: number) {
    this.#at = at;
    this.#keys = keys;
    this.#from = from;
    this.#kept = kept;
  }

  /** Begins a segment. */
  begin(): Inspected {
    this.found = new Inspected();
    this.#counts.clear();
    this.#last = undefined;
    return this.found;
  }

  /** Ends a segment. */
  end(): void {
    this.found.counts = [...this.#counts.values()];
  }

  /** Counts a finding. Returns whether to add it to the findings. */
  count(kind: ScanKind, { column, number }: Field): boolean {
    const { number: record, table } = this.#at.piece;
    const name = column ?? number;
    if (record === 0) return this.#find(kind, nameCount(record, table, name)).count++ < this.#kept;
    const last = this.#last;
    // Most findings are of the kind and the column of the one before: naming those takes as long as reading a record.
    if (last?.kind !== kind || last.column !== name || last.table !== table) {
      const counted = this.#find(kind, nameCount(record, table, name));
      this.#last = { kind, column: name, table, counted };
    }
    return (this.#last as LastCount).counted.count++ < this.#kept;
  }

  #find(kind: ScanKind, name: string): Inspected['counts'][number] {
    const counted = this.#counts.get(kind + name) ?? { kind, name, count: 0 };
    this.#counts.set(kind + name, counted);
    return counted;
  }

  /** Notes that a conversion ends with such a finding. */
  addHazard(kind: FileHazard): void {
    if (!this.found.hazards.includes(kind)) this.found.hazards.push(kind);
  }

  /** Adds a finding about an index in a field. */
  add(field: Field, at: number, detail: FindingDetail): void {
    const here = this.#at;
    if (this.#keys.length > 0 && here.piece.kind === 'record' && !here.key) {
      const names = this.#keys.map(({ text }) => text);
      here.key = describeKey(names, here.readKey(this.#keys).before, this.#from);
    }
    // Spreading both into a new object takes five times as long (Node 20).
    this.found.findings.push(Object.assign(here.locate(field, at), detail));
  }
}
