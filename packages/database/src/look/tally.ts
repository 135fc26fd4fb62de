/** Adds up findings, in memory that grows with the number of columns, not of rows. */

import { formatBytes } from '@utf8/core';
import type { Finding, Kind } from '@utf8/repair';
import type { Decision, FoundHazard, HazardActions } from '../judge/hazard.js';
import type { JudgedValue, Judgement } from '../judge/judge.js';
import { type NamedKey, nameKey } from '../key.js';
import type {
  ColumnReport,
  FindingExample,
  HazardExample,
  HazardReport,
  SuggestionReport,
  TableReport,
} from '../report.js';
import type { Key, Table, TextColumn } from '../server/table.js';

/** Examples of each kind, and of each hazard. */
const EXAMPLES = 3;

/** Bytes of the value on either side of a finding. */
const AROUND = 16;

/** Bytes of a value that a hazard shows. */
const SHOWN = 64;

type Mutable<T> = { -readonly [P in keyof T]: T[P] };

interface ColumnCount extends Mutable<Omit<ColumnReport, 'findings' | 'examples'>> {
  readonly findings: Partial<Record<Kind, number>>;
  readonly examples: Partial<Record<Kind, FindingExample[]>>;
}

interface SuggestionCount extends Mutable<Omit<SuggestionReport, 'examples'>> {
  readonly examples: FindingExample[];
}

interface HazardCount extends Mutable<Omit<HazardReport, 'examples'>> {
  readonly examples: HazardExample[];
}

/** Findings in one table, while they are counted. */
export class TableTally {
  rows = 0;
  #candidates = 0;
  #skipped = 0;
  readonly #table: Table;
  readonly #actions: HazardActions;
  readonly #columns = new Map<string, ColumnCount>();
  readonly #hazards = new Map<string, HazardCount>();
  readonly #suggestions = new Map<string, SuggestionCount>();

  constructor(table: Table, actions: HazardActions) {
    this.#table = table;
    this.#actions = actions;
  }

  add(judgement: Judgement, hazards: readonly FoundHazard[], decision: Decision): void {
    this.#candidates++;
    if (decision.is !== 'write') this.#skipped++;
    const key = nameKey(this.#table, judgement.key);
    for (const value of judgement.values) this.#addValue(key, value);
    for (const hazard of hazards) this.#addHazard(key, judgement, hazard);
  }

  /** Adds a value of a column that nothing declares as JSON. */
  suggest(key: Key, { name: column, type }: TextColumn, value: Uint8Array, found: Finding): void {
    const count = this.#suggestions.get(column) ?? {
      kind: 'undeclared-json',
      column,
      type,
      values: 0,
      examples: [],
    };
    this.#suggestions.set(column, count);
    count.values++;
    if (count.examples.length === EXAMPLES) return;
    count.examples.push(showFinding(nameKey(this.#table, key), value, value, found, 0));
  }

  #addValue(key: NamedKey, value: JudgedValue): void {
    const { column, old, repair } = value;
    let count = this.#columns.get(column.name);
    if (!count) {
      count = {
        column: column.name,
        type: column.type,
        changed: 0,
        refused: 0,
        findings: {},
        examples: {},
      };
      this.#columns.set(column.name, count);
    }
    if (repair.status === 'rejected') count.refused++;
    else count.changed++;
    const seen = new Set<Kind>();
    let shift = 0;
    for (const finding of repair.findings) {
      const { kind } = finding;
      if (!seen.has(kind)) {
        seen.add(kind);
        count.findings[kind] = (count.findings[kind] ?? 0) + 1;
        const examples = count.examples[kind] ?? [];
        count.examples[kind] = examples;
        if (examples.length < EXAMPLES) {
          examples.push(showFinding(key, old, repair.bytes, finding, shift));
        }
      }
      shift += (finding.becomes?.length ?? finding.length) - finding.length;
    }
  }

  #addHazard(key: NamedKey, { values }: Judgement, found: FoundHazard): void {
    const { hazard, name, column = null } = found;
    const id = JSON.stringify([hazard, name, column]);
    let count = this.#hazards.get(id);
    if (!count) {
      count = { hazard, name, column, action: this.#actions[hazard], rows: 0, examples: [] };
      if (found.isFinal && count.action !== 'stop') count.action = 'skip';
      this.#hazards.set(id, count);
    }
    count.rows++;
    if (count.examples.length === EXAMPLES) return;
    const value = values.find((each) => each.column.name === column) ?? values[0];
    if (!value) return;
    const show = (bytes: Uint8Array): string => formatBytes(bytes.subarray(0, SHOWN));
    count.examples.push({ key, before: show(value.old), after: show(value.repair.bytes) });
  }

  finish(): Omit<TableReport, 'declarations'> {
    return {
      table: this.#table.name,
      rows: this.rows,
      candidates: this.#candidates,
      skipped: this.#skipped,
      columns: [...this.#columns.values()],
      hazards: [...this.#hazards.values()],
      suggestions: [...this.#suggestions.values()],
    };
  }
}

/** @param shift - Distance by which earlier findings have moved it in the result, in bytes. */
function showFinding(
  key: NamedKey,
  old: Uint8Array,
  result: Uint8Array,
  { offset, length, becomes }: Finding,
  shift: number,
): FindingExample {
  const bytes = old.subarray(offset, offset + length);
  const at = offset + shift;
  const end = at + (becomes?.length ?? length);
  const cut = (value: Uint8Array, start: number, end: number): string =>
    formatBytes(value.subarray(Math.max(0, start - AROUND), end + AROUND));
  return {
    key,
    offset,
    bytes: formatBytes(bytes),
    becomes: becomes ? formatBytes(becomes) : null,
    before: cut(old, offset, offset + length),
    after: cut(result, at, end),
  };
}
