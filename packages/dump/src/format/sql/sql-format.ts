/** The part of a format that is the same for the SQL of all databases. */
import type { Syntax } from '@utf8/repair';
import type { Field, Format } from '../format.js';
import { createReadValue } from '../shared/unescape.js';
import type { SqlDialect, SqlOptions } from './dialect.js';
import { SqlReader } from './sql-reader.js';
import { SqlScanner } from './sql-scanner.js';

/**
 * Creates that part.
 *
 * @param syntaxOf - Tells the syntax of a field; undefined if its bytes are its value.
 */
export const createSqlFormat = (
  dialect: SqlDialect,
  options: SqlOptions,
  syntaxOf: (bytes: Uint8Array, field: Field) => Syntax | undefined,
) =>
  ({
    isLineBased: false,
    sql: { dialect, options },
    createReader: (state) => new SqlReader(dialect, state, options),
    createScanner: (state) => new SqlScanner(dialect, state, options),
    syntaxOf,
    readValue: createReadValue(syntaxOf),
  }) satisfies Partial<Format>;
