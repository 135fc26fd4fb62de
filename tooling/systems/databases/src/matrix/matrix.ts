/** Runs combinations: dump, convert, revert, convert again, load, and compare cell by cell. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { demand, type Outcome, run } from '../program.js';
import { createFolder } from '../server.js';
import { demandUtf8, utf8 } from '../utf8.js';
import { readColumns } from './column.js';
import { type Combination, nameOf, type SchemaName } from './combination.js';
import { PAIR } from './damage.js';
import { type Engine, readCells, type Server, startServer } from './engine.js';
import { createRows } from './rows.js';

const checker = fileURLToPath(new URL('../../peers/cells.py', import.meta.url));

/** A table without references, and one that nothing refers to, in each schema. */
const tables: Readonly<Record<SchemaName, { readonly root: string; readonly leaf: string }>> = {
  sakila: { root: 'country', leaf: 'film_category' },
  northwind: { root: 'customers', leaf: 'us_states' },
  chinook: { root: 'Genre', leaf: 'PlaylistTrack' },
  types: { root: 'no_key', leaf: 'key_of_bytes' },
  narrow: { root: 'narrow', leaf: 'none' },
};

const REFRESH = '\nREFRESH MATERIALIZED VIEW public.kept;\n';

/** The schemas that a server has. */
export const schemasOf = (engine: Engine): readonly SchemaName[] =>
  engine === 'postgres'
    ? ['sakila', 'northwind', 'chinook', 'types']
    : ['sakila', 'northwind', 'chinook', 'types', 'narrow'];

/** A file of a dump. */
interface Part {
  readonly name: string;
  readonly bytes: Buffer;
  /** Options of `utf8 convert` that describe it. */
  readonly format: readonly string[];
  /** The table whose rows it has, of --tab. */
  readonly table?: string;
}

/** Result of a combination. */
export interface Result {
  /** Problems; empty if there are none. */
  readonly problems: readonly string[];
  readonly cells: number;
}

/** A server with a damaged database, and one that is loaded. */
export class Matrix {
  readonly #engine: Engine;
  readonly #seed: number;
  readonly #source: Server;
  readonly #target: Server;
  readonly #folder: string = createFolder();
  #schema: SchemaName | undefined;

  private constructor(engine: Engine, seed: number, source: Server, target: Server) {
    this.#engine = engine;
    this.#seed = seed;
    this.#source = source;
    this.#target = target;
  }

  static async start(engine: Engine, seed: number): Promise<Matrix> {
    const [source, target] = await Promise.all([startServer(engine), startServer(engine)]);
    return new Matrix(engine, seed, source, target);
  }

  async stop(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    await Promise.all([this.#source.stop(), this.#target.stop()]);
  }

  /** Makes a schema the only database of the source, with its damaged rows. */
  prepare(schema: SchemaName): void {
    if (this.#schema === schema) return;
    const source = this.#source;
    if (this.#schema) source.drop(this.#schema);
    source.create(schema, 'old');
    const [before = '', after = ''] = readSchema(schema, this.#engine).split('-- after the rows\n');
    const demand = (script: string): void => {
      const { status, stderr } = source.run(Buffer.from(script, 'latin1'), schema);
      if (status !== 0) throw new Error(`${schema}: ${stderr}`);
    };
    // Names in double quotes, as the schemas that both servers have in common write them.
    const quotes = /^CREATE TABLE "/m.test(before) ? "SET sql_mode = 'ANSI_QUOTES';\n" : '';
    demand(this.#engine === 'mariadb' ? quotes + before : before);
    const { script } = createRows(
      readColumns(source, this.#engine, schema),
      this.#engine,
      this.#seed,
    );
    const settings =
      this.#engine === 'postgres'
        ? 'SET session_replication_role = replica; SET standard_conforming_strings = on;\n'
        : 'SET foreign_key_checks = 0;\n';
    demand(settings + script);
    demand(after);
    writeFileSync(this.#path('old.json'), readCells(source, schema, checker));
    this.#schema = schema;
  }

  /** The columns of text of the schema that is prepared in which too little is damaged. */
  findUndamaged(): string[] {
    const words = [checker, 'damage', '--old', this.#path('old.json')];
    return demand('python3', words).toString().trim().split('\n');
  }

  /** Runs a combination on the schema that is prepared. */
  run(combination: Combination): Result {
    const folder = createFolder();
    try {
      return this.#run(combination, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  #run(combination: Combination, folder: string): Result {
    const problems: string[] = [];
    const parts = this.#dump(combination, folder);
    const converted: Part[] = [];
    let rejected = 0;
    for (const part of parts) {
      const path = (name: string): string => join(folder, `${part.name}.${name}`);
      writeFileSync(path('dump'), part.bytes);
      const words = ['convert', '--from', 'cesu-8+utf-8', ...part.format];
      const files = [
        '--rejects',
        path('rejects'),
        '--undo',
        path('undo'),
        '--stats',
        path('stats'),
      ];
      const options = combination.options ?? [];
      const outcome = utf8([...words, ...files, '-o', path('out'), path('dump')]);
      if (combination.expects === 'refused') {
        problems.push(...checkRefusal(outcome, path('out')));
        continue;
      }
      // 1 with counts means rejected records.
      if (outcome.status !== 0 && !(outcome.status === 1 && existsSync(path('stats')))) {
        problems.push(
          `${part.name}: convert ended with ${outcome.status}: ${outcome.stderr.trim()} [${options}]`,
        );
        return { problems, cells: 0 };
      }
      const out = readFileSync(path('out'));
      converted.push({ ...part, bytes: out });
      rejected += JSON.parse(readFileSync(path('stats'), 'utf8')).records.rejected;
      const isCompressed = part.bytes[0] === 0x1f && part.bytes[1] === 0x8b;
      const wanted = isCompressed ? gunzipSync(part.bytes) : part.bytes;
      const back = utf8(['revert', path('out'), '--undo', path('undo')]);
      if (back.status !== 0) problems.push(`${part.name}: revert: ${back.stderr.trim()}`);
      else if (!back.stdout.equals(wanted)) problems.push(`${part.name}: revert is not exact`);
      const again = utf8([...words, path('out')]);
      if (again.status !== 0) problems.push(`${part.name}: second pass: ${again.stderr.trim()}`);
      else if (!again.stdout.equals(out)) problems.push(`${part.name}: a second pass changes it`);
    }
    if (combination.expects === 'refused') return { problems, cells: 0 };
    problems.push(...this.#load(combination, converted));
    const { cells, found, counted } = this.#compare(combination, folder);
    problems.push(...found);
    if (counted !== undefined && counted !== rejected) {
      problems.push(`${rejected} records were rejected, and ${counted} should have been`);
    }
    return { problems, cells };
  }

  get #name(): SchemaName {
    if (!this.#schema) throw new Error('no schema is prepared');
    return this.#schema;
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  #dump(combination: Combination, folder: string): Part[] {
    const { program, flags, restore, sections, load, options = [] } = combination;
    const schema = this.#name;
    const { root, leaf } = tables[schema];
    const quote = (name: string): string => (this.#engine === 'postgres' ? `"${name}"` : name);
    const given = flags.map((word) =>
      word
        .replace('FOLDER', folder)
        .replace('DB', schema)
        .replace('LEAF', quote(leaf))
        .replace('ROOT', quote(root)),
    );
    const demand = (name: string, args: readonly string[], input?: Uint8Array): Buffer => {
      const { status, stdout, stderr } = this.#source.dump(name, args, input);
      if (status !== 0)
        throw new Error(`${name} ${args.join(' ')} ended with ${status}: ${stderr}`);
      return stdout;
    };
    // If the dump has no tables, another file describes their columns.
    const isPartial = load === 'tables' || sections === true;
    const described = isPartial ? ['--schema', this.#writeSchema()] : [];
    if (this.#engine === 'postgres') {
      const format = ['--format', 'pg_dump', '--fix-header', ...described, ...options];
      if (program) return [{ name: program, bytes: demand(program, given), format }];
      const words = [...given, '-d', schema];
      if (restore) {
        const bytes = demand('pg_restore', [...restore, '-f', '-'], demand('pg_dump', words));
        return [{ name: 'restored', bytes, format }];
      }
      if (!sections) return [{ name: 'dump', bytes: demand('pg_dump', words), format }];
      return ['pre-data', 'data', 'post-data'].map((name) => ({
        name,
        bytes: demand('pg_dump', [...words, `--section=${name}`]),
        format,
      }));
    }
    const isNamed = given.includes(schema) || given.includes('--all-databases');
    const bytes = demand('mariadb-dump', isNamed ? given : [...given, schema]);
    const format = ['--format', 'mysqldump', '--fix-header', ...described];
    if (load !== 'tab') return [{ name: 'dump', bytes, format: [...format, ...options] }];
    const names = readdirSync(folder);
    const read = (name: string): Buffer => readFileSync(join(folder, name));
    return [
      ...names
        .filter((name) => name.endsWith('.sql'))
        .map((name) => ({ name, bytes: read(name), format })),
      ...names
        .filter((name) => name.endsWith('.txt'))
        .map((name) => ({
          name,
          bytes: read(name),
          format: [
            ...['--format', 'tab', '--schema', join(folder, name.replace(/txt$/, 'sql'))],
            ...options,
          ],
          table: basename(name, '.txt'),
        })),
    ];
  }

  /** Loads files, and returns the complaints. */
  #load(combination: Combination, parts: readonly Part[]): string[] {
    const { load = 'empty', tolerates } = combination;
    const schema = this.#name;
    const target = this.#target;
    if (load === 'server') target.drop(schema);
    else target.create(schema, 'new');
    if (load === 'tables') {
      const { status, stderr } = target.run(this.#createTables(), schema);
      if (status !== 0) return [`the tables: ${stderr.trim()}`];
    }
    const isForced = tolerates !== undefined;
    const problems: string[] = [];
    for (const part of parts) {
      const force = this.#engine === 'postgres' ? ['-v', 'ON_ERROR_STOP=0'] : ['--force'];
      const script = this.#createScript(part, load, combination);
      const database = load === 'server' ? undefined : schema;
      const { status, stderr } = target.run(script, database, ...(isForced ? force : []));
      const complaints = stderr
        .split('\n')
        .filter((line) => line !== '' && !tolerates?.test(line))
        .slice(0, 5);
      if (complaints.length > 0 || (status !== 0 && !isForced)) {
        problems.push(`${part.name}: loading ended with ${status}: ${complaints.join(' / ')}`);
      }
    }
    return problems;
  }

  /** Writes what creates the tables of the target to a file: columns that are utf8mb4 there lose nothing. */
  #writeSchema(): string {
    const file = this.#path('schema.sql');
    writeFileSync(file, this.#createTables());
    return file;
  }

  /** The tables alone, for dumps that have none. */
  #createTables(): Buffer {
    const format = this.#engine === 'postgres' ? 'pg_dump' : 'mysqldump';
    const words = ['convert', '--from', 'cesu-8+utf-8', '--format', format, '--fix-header'];
    return demandUtf8(words, this.#dumpTables());
  }

  #dumpTables(): Buffer {
    const flags =
      this.#engine === 'postgres'
        ? ['--schema-only', '-d', this.#name]
        : ['--no-data', '--skip-triggers', this.#name];
    return this.#source.dump('pg_dump', flags).stdout;
  }

  #createScript(part: Part, load: string, { flags, hasRows }: Combination): Buffer {
    if (part.table !== undefined) {
      const file = join(this.#folder, 'rows');
      writeFileSync(file, part.bytes, { mode: 0o644 });
      const clauses = describeFields(flags);
      const table = `\`${part.table.replaceAll('`', '``')}\``;
      const words = "SET foreign_key_checks = 0; SET sql_mode = '';";
      return Buffer.from(
        `${words} LOAD DATA INFILE '${file}' INTO TABLE ${table} CHARACTER SET binary ${clauses};`,
      );
    }
    if (this.#engine === 'mariadb') {
      if (load !== 'tab' && !flags.includes('--compact')) return part.bytes;
      // Settings of the header that --compact leaves out: rows in any order, and values of generated columns.
      const settings = "SET foreign_key_checks = 0; SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';\n";
      return Buffer.concat([Buffer.from(settings), part.bytes]);
    }
    // Rows are not in the order of references, and triggers must not compute values that rows already have.
    const settings = load === 'tables' ? 'SET session_replication_role = replica;\n' : '';
    // A dump without tables, or without rows, leaves materialized views as they are.
    const isPart = load === 'tables' || hasRows === false;
    const end = isPart && this.#schema === 'types' ? REFRESH : '';
    return Buffer.concat([Buffer.from(settings), part.bytes, Buffer.from(end)]);
  }

  #compare(
    combination: Combination,
    folder: string,
  ): { cells: number; found: string[]; counted: number | undefined } {
    const schema = this.#name;
    const { tables: which, hasRows, hasDefinitions, dumpedAs, load } = combination;
    let cells: Buffer;
    try {
      cells = readCells(this.#target, schema, checker);
    } catch (error) {
      return { cells: 0, found: [String(error).slice(-500)], counted: undefined };
    }
    writeFileSync(join(folder, 'new.json'), cells);
    const { root, leaf } = tables[schema];
    const words = ['compare', '--old', this.#path('old.json'), '--new', join(folder, 'new.json')];
    words.push('--label', `${this.#engine} ${schema} ${nameOf(combination)}`);
    if (which === 'ROOT') words.push('--tables', root);
    // Large objects are not part of a schema's dump, and --no-create-info has no rows to compare them with.
    const except = [
      ...(which === 'all but LEAF' ? [leaf] : []),
      ...(hasRows === false || load === 'tables' ? ['large objects'] : []),
    ];
    if (except.length > 0) words.push('--except', except.join(','));
    if (hasRows === false) words.push('--rows', 'none');
    if (!hasDefinitions) words.push('--definitions', 'none');
    if (dumpedAs) words.push('--dumped-as', dumpedAs);
    const { status, stdout, stderr } = run('python3', [checker, ...words]);
    if ((status !== 0 && status !== 1) || stderr.includes('Traceback')) throw new Error(stderr);
    const found = stdout.toString().split('\n').slice(0, -1);
    const counts = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}');
    // A materialized view shows rows twice, and rows that are not compared are not counted.
    const isCounted =
      which === undefined &&
      hasRows !== false &&
      !(this.#engine === 'postgres' && schema === 'types');
    return { cells: counts.cells, found, counted: isCounted ? counts.rejected : undefined };
  }
}

/** A refusal is a sentence on stderr, an exit code, and no output. */
function checkRefusal({ status, stderr }: Outcome, output: string): string[] {
  const problems: string[] = [];
  if (status === 0) problems.push('is converted, and should be refused');
  else if (!/\w+ \w+/.test(stderr)) problems.push(`is refused without a sentence: ${stderr}`);
  if (readdirSync(join(output, '..')).includes(basename(output))) {
    problems.push('is refused, and leaves an output');
  }
  return problems;
}

function readSchema(schema: SchemaName, engine: Engine): string {
  const read = (name: string): string =>
    readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'latin1');
  const isCommon = schema === 'northwind' || schema === 'chinook';
  return read(isCommon ? `${schema}.sql` : `${schema}.${engine}.sql`)
    .replaceAll('{pair}', PAIR)
    .replaceAll('{blob}', engine === 'postgres' ? 'bytea' : 'LONGBLOB')
    .replaceAll('{time}', engine === 'postgres' ? 'timestamp' : 'DATETIME');
}

/** Returns the clauses of LOAD DATA that correspond to the options of --tab. */
function describeFields(flags: readonly string[]): string {
  const find = (name: string): string | undefined =>
    flags.find((flag) => flag.startsWith(`--fields-${name}=`))?.split('=')[1];
  const literal = (value: string): string => `'${value.replaceAll(/['\\]/g, '\\$&')}'`;
  const clauses = [
    ['terminated-by', 'TERMINATED BY'],
    ['optionally-enclosed-by', 'OPTIONALLY ENCLOSED BY'],
    ['enclosed-by', 'ENCLOSED BY'],
    ['escaped-by', 'ESCAPED BY'],
  ].flatMap(([flag = '', clause]) => {
    const value = find(flag);
    return value === undefined ? [] : [`${clause} ${literal(value)}`];
  });
  return clauses.length === 0 ? '' : `FIELDS ${clauses.join(' ')}`;
}
