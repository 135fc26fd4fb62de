/**
 * Repairs while two others change and delete rows all the time: their last values are in the database, and what
 * they have left alone is repaired.
 */
import { join } from 'node:path';
import { Random } from '@utf8/oracles/interop/random';
import { describe, expect, it } from 'vitest';
import { Client } from '../src/client.js';
import { findDifference } from '../src/difference.js';
import { type Bench, start, startBenches, succeed } from '../src/repair/bench.js';
import { policies, repairCell } from '../src/repair/planted.js';
import { seed } from '../src/seed.js';

const benches = await startBenches(2);

const ROWS = 2000;

const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();
const PAIR = 'EDA0BDEDB880';

/** A row as it is in the end: null if it is deleted. Cells are those of the bench. */
type Model = Map<number, { name: string; note: string; n: number } | null>;

/** A client that changes rows of its own, each by a transaction of its own. */
class Writer {
  readonly #bench: Bench;
  readonly #random: Random;
  readonly #model: Model;
  /** Remainder of the ids that belong to this writer; other ids belong to no writer. */
  readonly #part: number;
  readonly #client: Client;
  #count = 0;

  constructor(bench: Bench, database: string, model: Model, part: number) {
    this.#bench = bench;
    this.#random = new Random(seed + part);
    this.#model = model;
    this.#part = part;
    const unbuffered = bench.dialect === 'MariaDB' ? ['--unbuffered'] : [];
    this.#client = new Client([...bench.client(database), ...unbuffered]);
    // Statements of SQLite would otherwise wait for the disk longer than the repair for them.
    const first = {
      SQLite: 'PRAGMA synchronous = OFF;',
      MariaDB: '',
      PostgreSQL: 'SET client_encoding = SQL_ASCII;',
    };
    this.#client.send(first[bench.dialect]);
  }

  /** Runs statements, and resolves when they are done. */
  write(count: number): Promise<void> {
    return this.#client.run(Array.from({ length: count }, () => this.#next()).join(''));
  }

  end(): Promise<void> {
    return this.#client.end();
  }

  #next(): string {
    const { text } = this.#bench;
    const random = this.#random;
    const id = random.below(ROWS / 4) * 4 + this.#part;
    const row = this.#model.get(id);
    const bytes = `${hex(`w${this.#part} ${++this.#count} `)}${random.pick([PAIR, hex('ü'), ''])}${hex('.')}`;
    if (!row) {
      const isNew = row === null && random.below(2) === 0;
      if (!isNew) return '';
      this.#model.set(id, { name: `t${bytes}`, note: 'tnull', n: 0 });
      return `INSERT INTO t VALUES (${id}, ${text(bytes)}, NULL, 0);\n`;
    }
    switch (random.below(6)) {
      case 0:
        this.#model.set(id, null);
        return `DELETE FROM t WHERE id = ${id};\n`;
      case 1:
        row.n++;
        return `UPDATE t SET n = n + 1 WHERE id = ${id};\n`;
      case 2:
        row.note = `t${bytes}`;
        return `UPDATE t SET note = ${text(bytes)} WHERE id = ${id};\n`;
      default:
        row.name = `t${bytes}`;
        return `UPDATE t SET name = ${text(bytes)} WHERE id = ${id};\n`;
    }
  }
}

describe.each(benches)('$name', ({ bench }) => {
  it('loses nothing of two writers', async () => {
    const model: Model = new Map();
    for (let id = 0; id < ROWS; id++) {
      const name = `${hex(`a${id}`)}${id % 3 ? PAIR : ''}`;
      const note = `${hex(`b${id}`)}${id % 5 ? '' : `${PAIR}EDA0BD`}`;
      model.set(id, { name: `t${name}`, note: `t${note}`, n: id });
    }
    const values = [...model].map(
      ([id, row]) =>
        `(${id}, ${bench.text(row?.name.slice(1) as string)}, ${bench.text(row?.note.slice(1) as string)}, ${id})`,
    );
    const database = bench.create(
      `${bench.name === 'SQLite' ? 'PRAGMA journal_mode = WAL;' : ''}
       CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(90), note TEXT, n INT);
       INSERT INTO t VALUES ${values.join(',\n')};`,
    );
    const undoLog = join(bench.folder, `${database}.undo log`);
    const writers = [0, 1].map((part) => new Writer(bench, database, model, part));
    let statements = 0;
    let writing: Promise<unknown> = Promise.resolve();
    const { report, error } = await start(
      bench,
      database,
      'repair',
      { ...policies, undo: undoLog, batch: 250, lockTimeout: 600_000 },
      {
        // While it works on the next page, they write.
        point: { at: 'after a page', time: 'each' },
        act: async () => {
          await writing;
          statements += 20;
          writing = Promise.all(writers.map((writer) => writer.write(10)));
        },
      },
    );
    await writing;
    for (const writer of writers) await writer.end();
    expect(error).toBeUndefined();
    expect(report?.refusals).toEqual([]);
    expect(report?.problems).toEqual([]);
    expect(statements).toBeGreaterThan(200);
    console.log(
      `${bench.name}: ${statements} statements of others, ${report?.repaired?.rows} rows repaired, ${report?.repaired?.overtaken} overtaken`,
    );

    const read = (): Map<number, string[]> => {
      const cells = {
        SQLite: 'hex(name), hex(note)',
        MariaDB: "coalesce(hex(name), ''), coalesce(hex(note), '')",
        PostgreSQL:
          "upper(encode(textsend(name), 'hex')), coalesce(upper(encode(textsend(note), 'hex')), '')",
      }[bench.dialect];
      const separator = bench.dialect === 'MariaDB' ? '\t' : '|';
      const output = bench.ask(database, `SELECT id, n, ${cells} FROM t ORDER BY id;`).trimEnd();
      return new Map(
        output
          .split('\n')
          .map((line) => line.split(separator))
          .map(([id, ...rest]) => [Number(id), rest]),
      );
    };
    const found = read();
    const wanted = [...model].flatMap(([id, row]) => (row ? [id] : []));
    expect([...found.keys()]).toEqual(wanted.sort((a, b) => a - b));
    let damaged = 0;
    for (const [id, [n, name = '', note = '']] of found) {
      const row = model.get(id);
      if (!row) throw new Error(`row ${id} is back`);
      expect(Number(n), `row ${id}`).toBe(row.n);
      for (const [cell, last] of [
        [`t${name}`, row.name],
        [`t${note}`, row.note === 'tnull' ? 't' : row.note],
      ] as const) {
        // The writers' own, repaired or not: they may have written it after the repair came by.
        const isWritten = id % 4 < 2;
        if (isWritten && cell === last && cell !== repairCell(last)) damaged++;
        else expect(cell, `row ${id}`).toBe(repairCell(last));
      }
    }
    expect(report?.left?.candidates).toBeLessThanOrEqual(ROWS / 2);

    const rest = await succeed(bench, database, 'repair', { ...policies, undo: `${undoLog}.2` });
    expect(rest.left?.candidates).toBe(0);
    expect(rest.repaired?.values).toBe(damaged);

    // Undone: values that did not change since have their old bytes; values of the writers stay.
    const undone = [
      await succeed(bench, database, 'undo', { undo: `${undoLog}.2` }),
      await succeed(bench, database, 'undo', { undo: undoLog }),
    ];
    expect(undone.map(({ refused }) => refused)).toEqual([0, 0]);
    const original = [...model]
      .filter(([id, row]) => row && id % 4 > 1)
      .map(([id, row]) => `${id} ${row?.name} ${row?.note}`);
    const last = [...read()]
      .filter(([id]) => id % 4 > 1)
      .map(([id, [, name, note]]) => `${id} t${name} t${note}`);
    expect(findDifference(last.join('\n'), original.join('\n'))).toBeUndefined();
    for (const [id, [, name = '']] of read()) {
      const row = model.get(id);
      expect([row?.name, repairCell(row?.name ?? '')]).toContain(`t${name}`);
    }
  });
});
