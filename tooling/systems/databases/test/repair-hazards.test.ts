/**
 * Every hazard in every server: it is reported before anything is written, nothing of its rows is written with nothing
 * asked, and allows what it says.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AllowedHazard, DatabaseHazard } from '@utf8/database';
import { describe, expect, it } from 'vitest';
import { choose } from '../../../tiers/tier.js';
import { type Bench, readAll, start, startBenches, succeed } from '../src/repair/bench.js';
import { repairRows } from '../src/repair/planted.js';

const benches = await startBenches(2);

const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();
const PAIR = 'EDA0BDEDB880';
const SMILE = 'F09F9880';

type Rows = Readonly<Record<string, readonly string[]>>;

interface Case {
  readonly hazard: DatabaseHazard;
  /** Besides `plain`, all of whose rows are repaired: rows that have the hazard, or nothing to repair. */
  readonly script: string;
  /** Number of rows that have the hazard. */
  readonly rows: number;
  /** The tables after a repair that allows the hazard. */
  readonly allowed?: (before: Rows) => Rows;
  /** Tables that a revert which allows the hazard does not restore. */
  readonly stays?: readonly string[];
}

const repairTables =
  (...names: readonly string[]) =>
  (before: Rows): Rows =>
    Object.fromEntries(names.map((name) => [name, repairRows(before[name] as string[])]));

function listCases(bench: Bench): Case[] {
  const { text, dialect } = bench;
  const isMariaDb = dialect === 'MariaDB';
  const binary = isMariaDb ? 'COLLATE utf8mb4_bin' : '';
  const fold = { SQLite: 'COLLATE NOCASE', MariaDB: 'COLLATE utf8mb4_general_ci', PostgreSQL: '' }[
    dialect
  ];
  const p = text(`${hex('a')}${PAIR}`);
  const trigger = {
    SQLite: 'CREATE TRIGGER noted AFTER UPDATE ON t BEGIN INSERT INTO audit VALUES (NEW.id); END;',
    MariaDB:
      'CREATE TRIGGER noted AFTER UPDATE ON t FOR EACH ROW INSERT INTO audit VALUES (NEW.id);',
    PostgreSQL: `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit VALUES (NEW.id); RETURN NEW; END $$;
      CREATE TRIGGER noted AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION note();`,
  }[dialect];
  const audited = (before: Rows): Rows => ({
    ...repairTables('t')(before),
    audit: [1, 2].map(
      (id) =>
        ({
          SQLite: `binteger${hex(`${id}`)}|b${id}`,
          MariaDB: `b${hex(`${id}`)}`,
          PostgreSQL: `t${hex(`${id}`)}`,
        })[dialect],
    ),
  });
  const cases: Case[] = [
    {
      hazard: 'equal-keys',
      script: `CREATE TABLE t (id INT PRIMARY KEY, email VARCHAR(20) ${fold} UNIQUE);
        INSERT INTO t VALUES (1, ${p}), (2, ${text(`${hex(fold ? 'A' : 'a')}${SMILE}`)}), (3, ${text(`${hex('q')}${SMILE}~2`.replace('~2', hex('~2')))});`,
      rows: 1,
      allowed: (before) => ({
        t: (before.t as string[]).map((row) => row.replace(PAIR, `${SMILE}${hex('~2')}`)).sort(),
      }),
    },
    {
      // Two that become equal to each other only by the repair: the second has the hazard.
      hazard: 'equal-keys',
      script: `CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20) ${binary}, b INT, UNIQUE (a, b));
        INSERT INTO t VALUES (1, ${text(SMILE)}, 1), (2, ${text(SMILE)}, 2), (3, ${text(PAIR)}, 2), (4, ${text(PAIR)}, 1);`,
      rows: 2,
      allowed: (before) => ({
        t: (before.t as string[]).map((row) => row.replace(PAIR, `${SMILE}${hex('~2')}`)).sort(),
      }),
    },
    {
      hazard: 'orphaned-row',
      script: `CREATE TABLE p (code VARCHAR(20) ${binary} PRIMARY KEY);
        CREATE TABLE t (id INT PRIMARY KEY, code VARCHAR(20) ${binary}, FOREIGN KEY (code) REFERENCES p (code));
        INSERT INTO p VALUES (${p}), ('plain'); INSERT INTO t VALUES (1, ${p}), (2, ${p}), (3, 'plain'), (4, NULL);`,
      rows: 3,
      ...(dialect !== 'PostgreSQL' && { allowed: repairTables('p', 't') }),
    },
    {
      hazard: 'orphaned-row',
      script: `CREATE TABLE p (code VARCHAR(20) ${binary} PRIMARY KEY);
        CREATE TABLE t (id INT PRIMARY KEY, code VARCHAR(20) ${binary}, note TEXT,
          FOREIGN KEY (code) REFERENCES p (code) ON UPDATE CASCADE${dialect === 'PostgreSQL' ? ' DEFERRABLE' : ''});
        INSERT INTO p VALUES (${p}), ('plain'); INSERT INTO t VALUES (1, ${p}, ${p}), (2, ${p}, ''), (3, 'plain', '');`,
      rows: 3,
      allowed: repairTables('p', 't'),
    },
    {
      hazard: 'trigger',
      script: `CREATE TABLE audit (item INT); CREATE TABLE t (id INT PRIMARY KEY, a TEXT);
        INSERT INTO t VALUES (1, ${p}), (2, ${p}), (3, 'x'); ${trigger}`,
      rows: 2,
      allowed: audited,
      stays: ['audit'],
    },
    {
      hazard: 'refused',
      script: `CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b TEXT);
        INSERT INTO t VALUES (1, ${p}, ${text(`${hex('a')}${isMariaDb ? '00' : 'C080'}`)}), (2, 'x', 'y');`,
      rows: 1,
    },
  ];
  if (dialect !== 'SQLite') {
    cases.push({
      hazard: 'too-long',
      script: `CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(4), b TEXT);
        INSERT INTO t VALUES (1, ${text(`${hex('a')}EDA0BD`)}, ${p}), (2, 'x', 'y');`,
      rows: 1,
    });
  }
  if (!isMariaDb) return cases;
  cases.push({
    hazard: 'no-key',
    script: `CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${p}), (${p}), ('x');`,
    rows: 2,
  });
  // MySQL keeps no versions, and refuses surrogates in utf8mb3 as well.
  if (bench.name === 'MySQL') return cases;
  return [
    ...cases,
    {
      hazard: 'history',
      script: `CREATE TABLE t (id INT PRIMARY KEY, a TEXT) WITH SYSTEM VERSIONING; INSERT INTO t VALUES (1, ${p}), (2, 'x');`,
      rows: 1,
      allowed: repairTables('t'),
    },
    {
      hazard: 'narrow-column',
      script: `CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20) CHARACTER SET utf8mb3 NOT NULL DEFAULT 'x' COMMENT 'y');
        INSERT INTO t VALUES (1, ${p}), (2, 'x');`,
      rows: 1,
      allowed: repairTables('t'),
    },
  ];
}

describe.each(benches)('$name', ({ bench }) => {
  const cases = listCases(bench).map((each, i) => ({ ...each, i }));

  it.each(choose(cases, 2))('$hazard ($i)', async (each) => {
    const { hazard, script, rows, allowed, stays = [] } = each;
    const policies = { errors: 'windows-1252', unpairedSurrogates: 'escape' } as const;
    const setUp = () => {
      const database = bench.create(
        `CREATE TABLE plain (id INT PRIMARY KEY, a TEXT); INSERT INTO plain VALUES (1, ${bench.text(PAIR)}); ${script}`,
      );
      const undoLog = join(bench.folder, `${database}.undo log`);
      return { database, undoLog, before: readAll(bench, database) };
    };

    // It is in the report before anything is written.
    const first = setUp();
    const report = `${first.undoLog}.report`;
    await start(
      bench,
      first.database,
      'repair',
      { ...policies, undo: first.undoLog, report },
      {
        point: { at: 'after the look' },
        act: (kill) => {
          expect(readAll(bench, first.database)).toEqual(first.before);
          const found = readFileSync(report, 'utf8')
            .split('\n')
            .filter((line) => line.includes(`"hazard":"${hazard}"`));
          expect(found.length).toBeGreaterThanOrEqual(rows);
          kill();
        },
      },
    );
    expect(readAll(bench, first.database)).toEqual(first.before);

    // With nothing asked, nothing of its rows is written, and all others are repaired.
    const { database, undoLog, before } = setUp();
    const skipped = await succeed(bench, database, 'repair', { ...policies, undo: undoLog });
    const tables = skipped.found?.tables.flatMap((table) =>
      table.hazards.filter((found) => found.hazard === hazard),
    );
    expect(tables?.length).toBeGreaterThan(0);
    expect(tables?.every(({ action }) => action === 'skip')).toBe(true);
    expect(skipped.repaired?.skipped[hazard]).toBe(rows);
    expect(skipped.left?.candidates).toBe(rows);
    expect(readAll(bench, database)).toEqual({
      ...before,
      plain: repairRows(before.plain as string[]),
    });
    const lines = readFileSync(undoLog, 'utf8').trimEnd().split('\n').slice(1, -1);
    expect(lines.filter((line) => !/"table":"(public\.)?plain"/.test(line))).toEqual([]);
    expect(bench.check(database)).toBe('');

    // Asked to stop, nothing is written at all.
    const stopped = setUp();
    const { stopped: why } = await succeed(bench, stopped.database, 'repair', {
      ...policies,
      undo: stopped.undoLog,
      stopAt: [hazard],
    });
    expect(why?.hazard).toBe(hazard);
    expect(existsSync(stopped.undoLog)).toBe(false);
    expect(readAll(bench, stopped.database)).toEqual(stopped.before);

    if (allowed) {
      const { database, undoLog, before } = setUp();
      const choice = { allow: [hazard as AllowedHazard] };
      const done = await succeed(bench, database, 'repair', {
        ...policies,
        undo: undoLog,
        ...choice,
      });
      expect(done.refusals).toEqual([]);
      expect(readAll(bench, database)).toEqual({
        ...before,
        plain: repairRows(before.plain as string[]),
        ...allowed(before),
      });
      expect(done.left?.candidates).toBe(0);
      expect(bench.check(database)).toBe('');
      const again = ['trigger', 'history'].includes(hazard) ? choice : {};
      const undone = await succeed(bench, database, 'undo', { undo: undoLog, ...again });
      expect(undone).toMatchObject({ kept: 0, refused: 0 });
      const restored = readAll(bench, database);
      for (const [table, rows] of Object.entries(before)) {
        if (!stays.includes(table)) expect(restored[table]).toEqual(rows);
      }
    }
  });
});
