import type { LookOptions } from './options.js';
import type { Table } from './server/table.js';

/** Counts the rows of a run that reads all of them several times. */
export class Meter {
  #done = 0;
  readonly #total: number | undefined;
  readonly #report: LookOptions['onProgress'];

  constructor(tables: readonly Table[], times: number, report: LookOptions['onProgress']) {
    const known = tables.every(({ rows }) => rows !== undefined);
    const rows = tables.reduce((sum, table) => sum + (table.rows ?? 0), 0);
    this.#total = known ? rows * times : undefined;
    this.#report = report;
  }

  add(rows: number): void {
    this.#done += rows;
    // Servers estimate the number of rows.
    this.#report?.(this.#done, this.#total && Math.max(this.#done, this.#total));
  }
}
