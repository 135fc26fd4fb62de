/** Rows as other programs write them. */
import type { Row } from './planted.js';

/** Notation of bytes in which ASCII is unchanged and other bytes cause no conflict. */
const toLatin = (bytes: Buffer): string => bytes.toString('latin1');

const toBytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const hexOf = (bytes: Buffer): string => bytes.toString('hex');

const copyEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

const copyText = (bytes: Buffer | null): string =>
  bytes === null ? '\\N' : toLatin(bytes).replace(/[\\\t\n\r]/g, (c) => copyEscapes[c] as string);

/** A row as PostgreSQL's COPY writes it, with its line feed. */
export const toCopy = ({ id, name, note, data }: Row): Buffer => {
  const blob = data === null ? '\\N' : `\\\\x${hexOf(data)}`;
  return toBytes(`${id}\t${copyText(name)}\t${copyText(note)}\t${blob}\n`);
};

const csvText = (bytes: Buffer | null): string =>
  bytes === null ? '' : `"${toLatin(bytes).replaceAll('"', '""')}"`;

/** A row as PostgreSQL's COPY writes CSV where all texts are quoted. NULL alone has no quotes. */
export const toCsv = ({ id, name, note, data }: Row): Buffer => {
  const blob = data === null ? '' : `"\\x${hexOf(data)}"`;
  return toBytes(`${id},${csvText(name)},${csvText(note)},${blob}\n`);
};

/** Writes a row as CSV without the last column. */
export const toTextCsv = ({ id, name, note }: Row): Buffer =>
  toBytes(`${id},${csvText(name)},${csvText(note)}\n`);

const hexLiteral = (bytes: Buffer | null): string =>
  bytes === null ? 'NULL' : `X'${hexOf(bytes)}'`;

const cast = (bytes: Buffer | null): string =>
  bytes === null ? 'NULL' : `CAST(${hexLiteral(bytes)} AS TEXT)`;

/** A row as SQLite takes it from any shell, which changes line ends in strings. */
export const toCastInsert = ({ id, name, note, data }: Row): Buffer =>
  toBytes(`INSERT INTO t VALUES(${id},${cast(name)},${cast(note)},${hexLiteral(data)});\n`);

/** Rows that MariaDB accepts in any character set of the connection. */
export const toHexInsert = (rows: readonly Row[]): Buffer =>
  toBytes(
    `INSERT INTO t VALUES ${rows
      .map(
        ({ id, name, note, data }) =>
          `(${id},${hexLiteral(name)},${hexLiteral(note)},${hexLiteral(data)})`,
      )
      .join(',\n')};\n`,
  );
