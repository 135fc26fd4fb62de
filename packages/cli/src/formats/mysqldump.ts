import { bytesOf } from './ascii.js';
import type { Format } from './format.js';
import { mysql } from './sql/mysql.js';
import { SqlReader } from './sql/reader.js';

/**
 * The SQL that mysqldump and mariadb-dump write: a record is a tuple of an INSERT. A backslash escapes in
 * strings, so that a dump made under NO_BACKSLASH_ESCAPES is none of the format.
 */
export const mysqldump: Format = {
  name: 'mysqldump',
  isLineBased: false,
  createReader: (state) => new SqlReader(mysql, state),
  quote: (text) => text.replaceAll('\\', '\\\\'),
  nuls: [bytesOf('\\0')],
};
