import type { Format } from './format.js';
import { postgres } from './sql/postgres.js';
import { SqlReader } from './sql/reader.js';

/**
 * The plain SQL that pg_dump writes: a record is a row of a COPY, or a tuple of an INSERT. What psql takes
 * is read as psql does, so that hand-made files of both kinds of statements are read, too.
 */
export const pgDump: Format = {
  name: 'pg_dump',
  isLineBased: false,
  createReader: (state) => new SqlReader(postgres, state),
  quote: (text, field) => (field?.escapes === false ? text : text.replaceAll('\\', '\\\\')),
  nuls: [],
};
