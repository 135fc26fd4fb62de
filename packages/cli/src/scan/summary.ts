/** What a scan comes to. */
import { kinds } from '../kind.js';
import { count, Tally } from '../tally.js';
import { describeFinding } from './describe.js';
import { breakages, type Finding } from './finding.js';
import type { Fate } from './inspector.js';

/** How many columns are told apart: JSON may have any number of them. */
const COLUMNS = 1000;

const OTHERS = 'other columns';

/** What there is of a kind. */
interface Group {
  total: number;
  readonly columns: Tally;
  readonly seen: Set<string>;
  readonly examples: string[];
}

/** Counts findings by kind and by column, and keeps the first few of each kind. */
export class Summary {
  records = 0;
  readonly #most: number;
  readonly #groups = new Map<string, Group>();
  #changed = 0;
  #rejected = 0;
  #outside = 0;

  /** @param most - How many findings of each kind are shown. */
  constructor(most: number) {
    this.#most = most;
  }

  get total(): number {
    let total = 0;
    for (const group of this.#groups.values()) total += group.total;
    return total;
  }

  get rejected(): number {
    return this.#rejected;
  }

  /** How many flaws there are, in records and elsewhere. */
  get flaws(): number {
    return kinds.reduce((total, kind) => total + (this.#groups.get(kind)?.total ?? 0), 0);
  }

  add(finding: Finding): void {
    const { kind, record } = finding;
    const group = this.#groups.get(kind) ?? createGroup();
    this.#groups.set(kind, group);
    group.total++;
    group.columns.add(group.seen.size < COLUMNS ? nameColumn(finding) : known(group, finding));
    group.seen.add(nameColumn(finding));
    if (group.examples.length < this.#most) group.examples.push(describeFinding(finding));
    if (record === 0 && 'bytes' in finding && finding.becomes === null) this.#outside++;
  }

  /** Counts a record by what would become of it. */
  addFate(fate: Fate): void {
    if (fate === 'changed') this.#changed++;
    if (fate === 'rejected') this.#rejected++;
  }

  /** As JSON has it. */
  toJSON(): object {
    const groups = this.#inOrder();
    return {
      records: this.records,
      changed: this.#changed,
      rejected: this.#rejected,
      findings: Object.fromEntries(groups.map(([kind, { total }]) => [kind, total])),
      columns: Object.fromEntries(groups.map(([kind, { columns }]) => [kind, columns])),
    };
  }

  /** As people read it, several lines. */
  toString(): string {
    if (this.total === 0) return `${count(this.records, 'record')}, and nothing found\n`;
    let text = `${count(this.records, 'record')}: ${this.#changed} would change, ${this.#rejected} be rejected\n`;
    for (const [kind, { total, columns, examples }] of this.#inOrder()) {
      text += `\n${kind} ${total}: ${columns}\n`;
      for (const example of examples) text += `  ${example}\n`;
      if (total > examples.length) text += `  and ${total - examples.length} more\n`;
    }
    if (this.#outside > 0) {
      text += `\n${this.#outside} outside of records would end a conversion; choose policies that refuse nothing, or mend these by hand\n`;
    }
    return text;
  }

  #inOrder(): (readonly [string, Group])[] {
    return [...kinds, ...breakages].flatMap((kind) => {
      const group = this.#groups.get(kind);
      return group ? [[kind, group] as const] : [];
    });
  }
}

const createGroup = (): Group => ({
  total: 0,
  columns: new Tally(),
  seen: new Set(),
  examples: [],
});

const known = ({ seen }: Group, finding: Finding): string =>
  seen.has(nameColumn(finding)) ? nameColumn(finding) : OTHERS;

/** The name of a column with that of its table; the places in a list of JSON are one. */
function nameColumn({ table, column, record }: Finding): string {
  if (record === 0) return 'outside of records';
  const name = typeof column === 'number' ? `column ${column}` : column.replace(/\[\d+\]/g, '[]');
  return table === undefined ? name : `${table}.${name}`;
}
