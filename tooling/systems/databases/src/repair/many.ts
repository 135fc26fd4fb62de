/** A database of some hundred rows with every hazard that can be repaired, for runs that are disturbed. */
import { Random } from '@utf8/oracles/interop/random';
import type { Bench } from './bench.js';

const hex = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

/** U+1F600 to U+1F63F: six bytes, and four. */
const pair = (n: number): string => `EDA0BDEDB8${(0x80 + (n % 64)).toString(16).toUpperCase()}`;
const four = (n: number): string => `F09F98${(0x80 + (n % 64)).toString(16).toUpperCase()}`;

/** `items`, `users` with a unique key, `parents` and `children`, and `audited` with a trigger that fills `audit`. */
export function plantMany(bench: Bench, seed: number, rows = 150): string {
  const random = new Random(seed);
  const isMariaDb = bench.dialect === 'MariaDB';
  const text = isMariaDb ? 'VARCHAR(60) COLLATE utf8mb4_bin' : 'VARCHAR(60)';
  const deferrable = bench.dialect === 'PostgreSQL' ? 'DEFERRABLE' : '';
  const value = (label: string, n: number): string => {
    const middle = random.pick([pair(n), pair(n), 'EDA0BD', hex('ü'), four(n), '']);
    return bench.text(`${hex(label)}${middle}${hex(` ${n}`)}`);
  };
  const rowsOf = (table: string, make: (n: number) => string): string => {
    const all = Array.from({ length: rows }, (_, n) => `(${make(n)})`);
    return `INSERT INTO ${table} VALUES ${all.join(',')};`;
  };
  const trigger = {
    SQLite: `CREATE TRIGGER noted AFTER UPDATE ON audited BEGIN INSERT INTO audit VALUES (NEW.id); END;`,
    MariaDB: `CREATE TRIGGER noted AFTER UPDATE ON audited FOR EACH ROW INSERT INTO audit VALUES (NEW.id);`,
    PostgreSQL: `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit VALUES (NEW.id); RETURN NEW; END $$;
      CREATE TRIGGER noted AFTER UPDATE ON audited FOR EACH ROW EXECUTE FUNCTION note();`,
  }[bench.dialect];
  const code = (n: number): string => bench.text(`${hex(`c${n}`)}${n % 3 ? pair(n) : four(n)}`);
  return `${bench.dialect === 'SQLite' ? 'PRAGMA journal_mode = WAL;' : ''}
    CREATE TABLE items (id INT PRIMARY KEY, name ${text}, note TEXT, n INT);
    ${rowsOf('items', (n) => `${n}, ${value('a', n)}, ${value('b', n)}, ${n}`)}
    CREATE TABLE users (id INT PRIMARY KEY, email ${text} UNIQUE);
    ${rowsOf('users', (n) => `${n}, ${bench.text(`${hex(`u${n >> 1}`)}${n % 2 ? pair(n >> 1) : n % 3 ? four(n >> 1) : hex('x')}`)}`)}
    CREATE TABLE parents (code ${text} PRIMARY KEY, n INT);
    ${rowsOf('parents', (n) => `${code(n)}, ${n}`)}
    CREATE TABLE children (id INT PRIMARY KEY, code ${text}, FOREIGN KEY (code) REFERENCES parents (code) ${deferrable});
    ${rowsOf('children', (n) => `${n}, ${n % 7 ? code(Math.floor((n * n) / 2) % rows) : 'NULL'}`)}
    CREATE TABLE audit (item INT);
    CREATE TABLE audited (id INT PRIMARY KEY, name ${text});
    ${rowsOf('audited', (n) => `${n}, ${value('d', n)}`)}
    ${trigger}`;
}
