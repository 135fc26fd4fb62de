/** The columns of a database that has no rows yet, as its catalogue has them. */
import type { Engine, Server } from './engine.js';

/** A column. Names are bytes, one per character. */
export interface Column {
  readonly table: string;
  readonly name: string;
  /** The server's name of its type. */
  readonly type: string;
  readonly charset: string;
  /** The most characters or bytes that its texts have. */
  readonly limit: number | undefined;
  readonly isNullable: boolean;
  /** The column that it refers to, as `table.column`. */
  readonly references: string | undefined;
}

const postgres = `
SELECT encode(textsend(quote_ident(n.nspname) || '.' || quote_ident(c.relname)), 'hex'),
  encode(textsend(a.attname::text), 'hex'),
  t.typname, '',
  CASE WHEN t.typname IN ('varchar', 'bpchar', '_varchar') AND a.atttypmod > 4 THEN a.atttypmod - 4 END,
  (NOT a.attnotnull)::int,
  (SELECT encode(textsend(quote_ident(fn.nspname) || '.' || quote_ident(fc.relname) || '.' || fa.attname), 'hex')
    FROM pg_constraint k JOIN pg_class fc ON fc.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = fc.relnamespace
    JOIN pg_attribute fa ON fa.attrelid = fc.oid AND fa.attnum = k.confkey[1]
    WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.conkey[1] = a.attnum LIMIT 1)
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND a.attgenerated = ''
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
ORDER BY c.relname, a.attnum`;

const mariadb = `
SELECT HEX(c.TABLE_NAME), HEX(c.COLUMN_NAME), c.DATA_TYPE, COALESCE(c.CHARACTER_SET_NAME, ''),
  COALESCE(c.CHARACTER_MAXIMUM_LENGTH, ''), c.IS_NULLABLE = 'YES',
  COALESCE((SELECT HEX(CONCAT(k.REFERENCED_TABLE_NAME, '.', k.REFERENCED_COLUMN_NAME))
    FROM information_schema.KEY_COLUMN_USAGE k WHERE k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME
      AND k.COLUMN_NAME = c.COLUMN_NAME AND k.REFERENCED_TABLE_NAME IS NOT NULL LIMIT 1), '')
FROM information_schema.COLUMNS c
WHERE c.TABLE_SCHEMA = DATABASE() AND c.IS_GENERATED = 'NEVER' ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`;

/** Reads the columns of all tables, except those that the server computes. */
export function readColumns(server: Server, engine: Engine, database: string): Column[] {
  const lines = server.ask(engine === 'postgres' ? postgres : mariadb, database);
  return lines.map((line) => {
    const [
      table = '',
      name = '',
      type = '',
      charset = '',
      limit = '',
      isNullable,
      references = '',
    ] = line;
    return {
      table: unhex(table),
      name: unhex(name),
      type,
      charset,
      limit: limit === '' ? undefined : Number(limit),
      isNullable: isNullable === '1',
      references: references === '' ? undefined : unhex(references),
    };
  });
}

const unhex = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');
