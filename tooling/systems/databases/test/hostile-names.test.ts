/**
 * Names in which every character is that a server admits, in every place that has a name: no command reads
 * one as anything else, and no other table or column changes. MySQL at night.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitRepair, repairDatabase, revertDatabase } from '@utf8/database';
import { afterAll, describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { MariaDb } from '../src/mariadb.js';
import { MySql } from '../src/mysql.js';
import { Postgres } from '../src/postgres.js';

const folder = mkdtempSync(join(tmpdir(), 'utf8-names-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAIR = 'eda0bdedb880';
const SMILE = 'f09f9880';

const range = (from: number, to: number): string =>
  String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

const names = [
  // All of ASCII, and characters that terminals and parsers treat in their own way.
  `${range(0x01, 0x20)}x`,
  range(0x21, 0x4f),
  range(0x50, 0x7f),
  '\u0080\u00a0é\u0301\u200b\u2028\u202e\ufeff\uffffx',
  // Text that would continue a definition, a grant, a clause or a statement.
  "x\n ` varchar(90) DEFAULT 'q` varchar(20), DROP COLUMN secret -- ",
  "` varchar(90) DEFAULT 'q",
  'x, `secret` text /*!50000 , DROP secret */ -- ',
  'a) ON *.* TO x, (b',
  "json_valid(`t`) '",
  '"; DROP TABLE "x"; --',
  "';DROP TABLE x;--",
  '$1 $$ \\\\ \\x41 %s %I {} $& <b>',
  'a.b',
  '"a',
  '`a.`b',
  '*',
];

interface System {
  readonly name: string;
  /** Longest name in characters. */
  readonly longest: number;
  quote(name: string): string;
  /** A text by its bytes in hex. */
  text(hex: string): string;
  start(): Promise<Started>;
}

interface Started {
  /** Runs a script in a database; returns lines. */
  ask(script: string, database?: string): string;
  url(database: string): string;
  stop(): Promise<void>;
}

const ofMysql = (name: string, start: () => Promise<MariaDb>): System => ({
  name,
  longest: 64,
  quote: (each) => `\`${each.replaceAll('`', '``')}\``,
  text: (hex) => `X'${hex}'`,
  async start() {
    const server = await start();
    return {
      ask: (script, database = 'mysql') =>
        server.demand(`SET NAMES utf8mb4; ${script}`, database, '--raw').toString().trimEnd(),
      url: (database) =>
        `mysql://root@localhost/${encodeURIComponent(database)}?socketPath=${server.socket}`,
      stop: () => server.stop(),
    };
  },
});

const systems: System[] = [
  ofMysql('MariaDB', () => MariaDb.start()),
  ...(isNight ? [ofMysql('MySQL', () => MySql.start())] : []),
  {
    name: 'PostgreSQL',
    longest: 63,
    quote: (each) => `"${each.replaceAll('"', '""')}"`,
    text: (hex) => `convert_from(decode('${hex}', 'hex'), 'SQL_ASCII')`,
    async start() {
      const server = await Postgres.start();
      return {
        ask: (script, database = 'postgres') =>
          server
            .demand(
              `SET client_encoding = 'SQL_ASCII'; ${script}`,
              '-d',
              `dbname='${database.replace(/['\\]/g, '\\$&')}'`,
            )
            .toString()
            .trimEnd(),
        url: (database) => server.url(encodeURIComponent(database)),
        stop: () => server.stop(),
      };
    },
  },
];

for (const system of systems) {
  const { quote, text } = system;
  const isPostgres = system.name === 'PostgreSQL';
  const { ask, url, stop } = await system.start();
  afterAll(stop);

  /** A name that is not longer than the server admits, with a number that makes it another one. */
  const nameOf = (name: string, suffix = ''): string => {
    const bytes = (each: string) => (isPostgres ? Buffer.byteLength(each) : each.length);
    const chars = [...name];
    while (bytes(chars.join('')) + suffix.length > system.longest) chars.pop();
    return chars.join('') + suffix;
  };

  /** A database of a name, with all other things of that name in it. */
  const create = (name: string): string => {
    // `pg` leaves these escaped, and MariaDB has folders.
    const taken = isPostgres ? /[;,/?:@&=+$#%]/g : /\//g;
    const database = nameOf(`d${names.indexOf(name)}${name.replace(taken, '')}`, 'd');
    const table = quote(nameOf(name, 't'));
    const parent = quote(nameOf(name, 'p'));
    const [key, column] = [quote(nameOf(name, 'k')), quote(nameOf(name, 'c'))];
    const tail = isPostgres
      ? ''
      : ` CHARACTER SET ${system.name === 'MySQL' ? 'latin1' : 'utf8mb4'}`;
    const type = system.name === 'MariaDB' ? 'varchar(40) CHARACTER SET utf8mb3' : 'varchar(40)';
    ask(
      isPostgres
        ? `CREATE DATABASE ${quote(database)} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`
        : `CREATE DATABASE ${quote(database)}`,
    );
    const schema = isPostgres
      ? `CREATE SCHEMA ${quote(nameOf(name))}; SET search_path = ${quote(nameOf(name))}; `
      : '';
    const link = `r varchar(30), CONSTRAINT ${quote(nameOf(name, 'f'))}
      FOREIGN KEY (r) REFERENCES ${parent} (${key}) ON UPDATE CASCADE`;
    const check = isPostgres ? '' : ` COMMENT 'it''s'`;
    ask(
      `${schema}CREATE TABLE ${parent} (${key} varchar(30) PRIMARY KEY)${tail};
       INSERT INTO ${parent} VALUES (${text(`61${PAIR}`)});
       CREATE TABLE ${table} (${key} int, ${column} ${type} DEFAULT 'q',
         secret varchar(30) DEFAULT 'kept'${check},
         CONSTRAINT ${quote(nameOf(name, 'pk'))} PRIMARY KEY (${key}),
         CONSTRAINT ${quote(nameOf(name, 'u'))} UNIQUE (${column}),
         CONSTRAINT ${quote(nameOf(name, 'ck'))} CHECK (${key} > 0))${tail};
       INSERT INTO ${table} (${key}, ${column}) VALUES (1, ${text(PAIR)});
       CREATE INDEX ${quote(nameOf(name, 'i'))} ON ${table} (${column}, secret);
       ${
         isPostgres
           ? `CREATE FUNCTION ${quote(nameOf(name, 'x'))}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.v = NEW.v + 1; RETURN NEW; END';
              CREATE TABLE ${quote(nameOf(name, 'y'))} (${key} int PRIMARY KEY, ${column} text, v int DEFAULT 0, ${link});
              CREATE TRIGGER ${quote(nameOf(name, 'z'))} BEFORE UPDATE ON ${quote(nameOf(name, 'y'))}
                FOR EACH ROW EXECUTE FUNCTION ${quote(nameOf(name, 'x'))}();`
           : `CREATE TABLE ${quote(nameOf(name, 'y'))} (${key} int PRIMARY KEY, ${column} varchar(40), v int DEFAULT 0, ${link})${tail};
              CREATE TRIGGER ${quote(nameOf(name, 'z'))} BEFORE UPDATE ON ${quote(nameOf(name, 'y'))}
                FOR EACH ROW SET NEW.v = NEW.v + 1;`
       }
       INSERT INTO ${quote(nameOf(name, 'y'))} (${key}, ${column}, r) VALUES (1, ${text(PAIR)}, ${text(`61${PAIR}`)});`,
      database,
    );
    return database;
  };

  /** The columns of all tables, and all values. */
  const read = (name: string, database: string): [string, string] => {
    const schema = isPostgres ? `SET search_path = ${quote(nameOf(name))};` : '';
    const columns = ask(
      `${schema}SELECT table_name, column_name, data_type, column_default FROM information_schema.columns
       WHERE table_name <> 'utf8_repair' AND ${isPostgres ? "table_schema NOT IN ('pg_catalog', 'information_schema')" : 'table_schema = DATABASE()'} ORDER BY 1, 2`,
      database,
    );
    const hex = (column: string): string =>
      isPostgres ? `encode(textsend(${column}), 'hex')` : `LOWER(HEX(${column}))`;
    const [key, column] = [quote(nameOf(name, 'k')), quote(nameOf(name, 'c'))];
    const values = ask(
      `${schema}SELECT ${key}, ${hex(column)}, secret FROM ${quote(nameOf(name, 't'))};
       SELECT ${hex(key)} FROM ${quote(nameOf(name, 'p'))};
       SELECT ${key}, ${hex(column)}, ${hex('r')} FROM ${quote(nameOf(name, 'y'))};`,
      database,
    );
    return [columns, values];
  };

  describe(`names in ${system.name}`, () => {
    it.each(names)('%j is only a name', async (name) => {
      const database = create(name);
      const [columns, before] = read(name, database);
      const target = url(database);
      const paths = { output: join(folder, 'repair.sql'), inverse: join(folder, 'undo.sql') };
      const undoLog = join(folder, `${system.name}.${names.indexOf(name)}`);
      await emitRepair({ url: target, ...paths, allow: ['narrow-column', 'trigger'] });
      const emitted = read(name, database);
      expect(emitted).toEqual([columns, before]);
      const { found, repaired, left, refusals, statements } = await repairDatabase({
        url: target,
        undo: undoLog,
        allow: ['narrow-column', 'orphaned-row', 'trigger', 'equal-keys'],
      });
      expect(refusals).toEqual([]);
      expect(found?.tables.length).toBe(3);
      expect(repaired?.rows).toBe(3);
      expect(statements.length).toBe(system.name === 'MariaDB' ? 1 : 0);
      expect(left?.candidates).toBe(0);
      const [after, values] = read(name, database);
      expect(after).toBe(columns);
      expect(values).toBe(before.replaceAll(PAIR, SMILE));
      const undone = await revertDatabase({ url: target, undo: undoLog, allow: ['trigger'] });
      expect(undone).toMatchObject({ kept: 0, refused: 0, restored: 4 });
      expect(read(name, database)[1]).toBe(before);

      // The statements were written before the columns were altered, and alter them again.
      ask(readFileSync(paths.output, 'utf8'), database);
      const [same, again] = read(name, database);
      expect(same).toBe(columns);
      expect(again.match(new RegExp(SMILE, 'g'))?.length).toBe(1);
      ask(readFileSync(paths.inverse, 'utf8'), database);
      expect(read(name, database)[1]).toBe(before);
    });
  });
}
