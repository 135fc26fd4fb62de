/** What a scan does with a segment: as plain data, ready for use, and what comes of it. */
import type { Codec } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { createRepairer, type Repairer } from '@utf8/repair';
import type { Format } from '../format/format.js';
import { findFormat } from '../format/registry.js';
import type { FormatChoice, RepairChoice, Task } from '../pool/work.js';
import { type Column, parseColumn } from './column.js';
import type { KeyedRecord } from './key.js';
import { type Limit, parseLimit } from './limit.js';
import type { ScanFinding, ScanKind } from './scan-finding.js';

/** Inspects records. */
export interface InspectTask extends Task {
  readonly task: 'inspect';
  readonly file: string;
  readonly format: FormatChoice;
  readonly repair: RepairChoice;
  /** Names of columns, and limits as in the options. */
  readonly keys: readonly string[];
  readonly limits: readonly string[];
  /** The columns among these that no record has had so far. */
  readonly unseen: readonly string[];
  /** Number of findings of each kind to keep in a segment. */
  readonly kept: number;
  /** Memory of a Bloom filter of the keys that change. With it, only keys are inspected. */
  readonly filter?: SharedArrayBuffer | undefined;
}

/** A task ready for use. */
export interface InspectTools {
  readonly task: InspectTask;
  readonly format: Format;
  readonly repairer: Repairer;
  readonly from: Codec;
  readonly to: Codec;
  readonly keys: readonly Column[];
  readonly limits: readonly Limit[];
}

/**
 * Prepares a task.
 *
 * @throws UsageError or RepairOptionError if it makes no sense.
 */
export function createInspectTools(task: InspectTask): InspectTools {
  const format = findFormat(task.format.name, task.format.options);
  return {
    task,
    format,
    repairer: createRepairer({ ...task.repair, syntax: format }),
    from: codecFor(task.repair.from),
    to: codecFor(task.repair.to),
    keys: task.keys.map(parseColumn),
    limits: task.limits.map(parseLimit),
  };
}

/** What is found in a segment. Its public properties are plain data, which another thread gets. */
export class Inspected {
  records = 0;
  changed = 0;
  rejected = 0;
  /** Number of refused findings outside of records. */
  outside = 0;
  /** Numbers of findings by kind and by the name of the column. */
  readonly counts: { readonly kind: ScanKind; readonly name: string; count: number }[] = [];
  /** In order: all of them, or the first of each kind. */
  readonly findings: ScanFinding[] = [];
  /** Columns of the options that the segment is the first to have, and some of all columns. */
  readonly seen: string[] = [];
  readonly names: string[] = [];
  /** Hashes of keys that change, each as its high and its low number. */
  readonly announced: number[] = [];
  /** In the second reading: packed candidates, and the first and the last record with a key. */
  readonly candidates: Uint8Array[] = [];
  first: KeyedRecord | undefined;
  last: KeyedRecord | undefined;
  /** Why the segment could not be read to its end. */
  failure: { reason: string; line: number; column: number | undefined } | undefined;
  readonly #most: number;
  readonly #totals = new Map<ScanKind, number>();
  readonly #counts = new Map<string, { count: number }>();

  /** @param most - Number of findings of each kind to keep. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a finding. Returns whether to add it to the findings. */
  count(kind: ScanKind, name: string): boolean {
    const known = this.#counts.get(kind + name);
    if (known) {
      known.count++;
    } else {
      const first = { kind, name, count: 1 };
      this.#counts.set(kind + name, first);
      this.counts.push(first);
    }
    const total = this.#totals.get(kind) ?? 0;
    this.#totals.set(kind, total + 1);
    return total < this.#most;
  }
}
