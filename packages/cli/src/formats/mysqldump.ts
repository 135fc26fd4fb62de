import { bytesOf } from './ascii.js';
import type { Format } from './format.js';
import { mysql } from './sql/mysql.js';
import { SqlReader } from './sql/reader.js';

/**
 * The SQL that mysqldump and mariadb-dump write: a record is a tuple of an INSERT. A backslash escapes in
 * strings, so that a dump made under NO_BACKSLASH_ESCAPES is none of the format. Blobs are known by
 * `_binary`, by `--hex-blob`, or by the CREATE TABLE before them; a dump of MariaDB without any of these
 * has nothing to tell them from text.
 */
export const mysqldump: Format = {
  name: 'mysqldump',
  isLineBased: false,
  createReader: (state) => new SqlReader(mysql, state),
  quote: (text) => text.replaceAll('\\', '\\\\'),
  nuls: [bytesOf('\\0')],
};
