/** Servers that run many dumps in one go of their client. */
import { MariaDb } from '../mariadb.js';
import { Postgres } from '../postgres.js';
import type { Outcome } from '../program.js';
import { type Dump, type Format, type Loaded, placeOf, type Stored } from './dump.js';

/** A script to run, and what to look at after it. */
export interface Load extends Pick<Dump, 'table' | 'columns' | 'connection'> {
  readonly script: Buffer;
  /** The character set that the client starts with. */
  readonly client: string;
}

export interface Target {
  readonly format: Format;
  load(loads: readonly Load[]): Loaded[];
  /** Character sets with which a client may start that runs a dump without a declaration. */
  readonly clients: readonly string[];
  /** Finds the last declaration of a dump. */
  findDeclaration(dump: Buffer): string | undefined;
  /** The environment in which programs find it. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const MARK = '-- loaded --';

/** Runs all scripts in one go; alone those that do not end as they should there. */
function loadAll(
  loads: readonly Load[],
  wrap: (load: Load) => Buffer,
  run: (script: Buffer) => Outcome,
  line: RegExp,
): Loaded[] {
  const scripts = loads.map(wrap);
  const ends: number[] = [];
  for (const script of scripts) ends.push((ends.at(-1) ?? 0) + countLines(script));
  const { stdout, stderr } = run(Buffer.concat(scripts));
  const parts = stdout.toString('latin1').split(`${MARK}\n`);
  if (parts.length !== loads.length + 1) {
    if (loads.length === 1)
      return [{ errors: [`the client was led astray: ${stderr}`], values: new Map() }];
    return loads.flatMap((load) => loadAll([load], wrap, run, line));
  }
  const errors = loads.map((): string[] => []);
  for (const message of stderr.split('\n')) {
    const [, number] = line.exec(message) ?? [];
    if (number !== undefined) errors[ends.findIndex((end) => Number(number) <= end)]?.push(message);
  }
  return loads.map(({ columns }, i) => ({
    errors: errors[i] as string[],
    values: readValues(parts[i] as string, columns),
  }));
}

function readValues(output: string, columns: Load['columns']): Map<string, Stored> {
  const values = new Map<string, Stored>();
  for (const line of output.split('\n').filter((each) => each.includes('\t'))) {
    const [row, ...cells] = line.split('\t');
    for (const [i, { name }] of columns.entries()) {
      const [raw = '', text = '', declared = ''] = cells
        .slice(i * 3)
        .map((cell) => cell.toLowerCase());
      const stored = { raw, text, declared: declared === 'null' ? undefined : declared };
      values.set(placeOf({ row: Number(row), column: name }), stored);
    }
  }
  return values;
}

const countLines = (script: Buffer): number =>
  script.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0);

/** MariaDB with its default settings. */
export class MariaDbTarget implements Target {
  readonly format = 'mysqldump';
  readonly clients = ['utf8mb4', 'latin1'];

  private constructor(readonly server: MariaDb) {}

  static async start(): Promise<MariaDbTarget> {
    const server = await MariaDb.start();
    server.demand('CREATE DATABASE loaded');
    return new MariaDbTarget(server);
  }

  load(loads: readonly Load[]): Loaded[] {
    const wrap = ({ script, client, table, columns, connection = 'utf8mb4' }: Load): Buffer => {
      const cells = columns.map(({ name, isBinary }) => {
        const [text, declared] = [
          `CONVERT(${name} USING utf8mb4)`,
          `CONVERT(${name} USING ${connection})`,
        ];
        return isBinary ? `HEX(${name}), '', ''` : `HEX(${name}), HEX(${text}), HEX(${declared})`;
      });
      return Buffer.concat([
        Buffer.from('SET SESSION sql_mode = DEFAULT, character_set_results = DEFAULT;\n'),
        Buffer.from(`DROP TEMPORARY TABLE IF EXISTS ${table};\n\\C ${client}\n`),
        // The table without files on disk.
        Buffer.from(
          script.toString('latin1').replace(/^CREATE TABLE/m, 'CREATE TEMPORARY TABLE'),
          'latin1',
        ),
        Buffer.from(`\n\\C utf8mb4\nSELECT id, ${cells} FROM ${table};\nSELECT '${MARK}';\n`),
      ]);
    };
    return loadAll(
      loads,
      wrap,
      (script) => this.server.run(script, '--force', 'loaded'),
      / at line (\d+)/,
    );
  }

  findDeclaration(dump: Buffer): string | undefined {
    return findLast(dump, /\bSET NAMES '?(\w+)/gi);
  }

  get env(): NodeJS.ProcessEnv {
    return this.server.env;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** PostgreSQL with a database in UTF8. */
export class PostgresTarget implements Target {
  readonly format = 'pg_dump';
  // A client that runs a script takes the encoding of the database.
  readonly clients = ['UTF8'];

  private constructor(readonly server: Postgres) {}

  static async start(): Promise<PostgresTarget> {
    const server = await Postgres.start();
    server.demand("CREATE DATABASE loaded ENCODING 'UTF8' TEMPLATE template0 LOCALE 'C'");
    server.demand(FUNCTIONS, '-d', 'loaded');
    return new PostgresTarget(server);
  }

  load(loads: readonly Load[]): Loaded[] {
    const wrap = ({ script, table, columns, connection = 'UTF8' }: Load): Buffer => {
      const cells = columns.map(({ name, isBinary }) => {
        const text = `encode(convert_to(${name}::text, 'UTF8'), 'hex')`;
        const spelled = `coalesce(encode(look.spell(${name}::text, '${connection}'), 'hex'), 'null')`;
        return isBinary ? `encode(${name}, 'hex'), '', ''` : `${text}, ${text}, ${spelled}`;
      });
      return Buffer.concat([
        Buffer.from('DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n'),
        script,
        Buffer.from(
          `\n\\encoding UTF8\nRESET ALL;\nSELECT id, ${cells} FROM public.${table};\nSELECT '${MARK}';\n`,
        ),
      ]);
    };
    const words = ['-F', '\t', '-v', 'ON_ERROR_STOP=0', '-d', 'loaded'];
    const settings = Buffer.from('SET client_min_messages = error;\n');
    const run = (script: Buffer): Outcome =>
      this.server.run(script, ...words, '-c', settings.toString(), '-f', '-');
    return loadAll(loads, wrap, run, /^psql:<stdin>:(\d+): (?:ERROR|FATAL|error)/);
  }

  findDeclaration(dump: Buffer): string | undefined {
    return findLast(dump, /\bclient_encoding\s*(?:=|TO)\s*'?(\w+)/gi);
  }

  get env(): NodeJS.ProcessEnv {
    return this.server.env;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

const findLast = (dump: Buffer, pattern: RegExp): string | undefined =>
  Array.from(dump.toString('latin1').matchAll(pattern)).at(-1)?.[1];

/** Functions that return PostgreSQL's conversion of bytes and texts, or NULL if it refuses them. */
const FUNCTIONS: string = `
CREATE SCHEMA look;
CREATE FUNCTION look.spell(value text, encoding name) RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE WHEN encoding = 'SQL_ASCII' THEN convert_to(value, 'UTF8') ELSE convert_to(value, encoding) END;
EXCEPTION WHEN OTHERS THEN RETURN NULL;
END $$;
CREATE FUNCTION look.read(value bytea, encoding name) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN convert_from(value, CASE WHEN encoding = 'SQL_ASCII' THEN 'UTF8' ELSE encoding END);
EXCEPTION WHEN OTHERS THEN RETURN NULL;
END $$;`;
