/** Small dumps from reports, and the correct result for each. */
import type { Dump, Format, Origin, Value } from './dump.js';
import { encodeLegacy, toHex, toMojibake } from './texts.js';

/** Expected result of a conversion with some options. */
export interface Expectation {
  readonly options: readonly string[];
  /** Message of a conversion that stops; undefined if it succeeds, and the server then has the texts. */
  readonly stops?: RegExp;
}

/** A dump, and the correct result. */
export interface Report {
  readonly dump: Dump;
  readonly expected: readonly Expectation[];
  /** Output of a scan. */
  readonly scan: RegExp;
}

type Row = Pick<Value, 'origin' | 'text' | 'bytes'>;

const row = (origin: Origin, text: string, bytes: string): Row => ({
  origin,
  text: toHex(text),
  bytes,
});

const latin = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');

interface Table {
  readonly name: string;
  readonly column: string;
  readonly format: Format;
  readonly connection: string | undefined;
  readonly isRepairable?: boolean;
  readonly rows: readonly Row[];
  readonly write: (rows: readonly (readonly [id: number, bytes: string])[]) => string;
}

function createDump({
  name,
  column,
  format,
  connection,
  isRepairable = false,
  rows,
  write,
}: Table): Dump {
  const values = rows.map((each, i) => ({ ...each, row: i + 1, column, isRepairable }));
  const bytes = Buffer.from(write(values.map((each) => [each.row, latin(each.bytes)])), 'latin1');
  const columns = [{ name: column, isBinary: false }];
  return {
    name,
    format,
    connection,
    table: /\.(\w+) \(/.exec(`${bytes}`)?.[1] ?? 't',
    columns,
    values,
    bytes,
    valueByValue: bytes,
  };
}

/** A table as mysqldump writes it. */
const mysql =
  (names: string, type: string, charset: string) =>
  (rows: readonly (readonly [number, string])[]): string =>
    `${names}CREATE TABLE \`t\` (\n  \`id\` int(11) NOT NULL,\n  \`c\` ${type},\n  PRIMARY KEY (\`id\`)\n) ENGINE=InnoDB DEFAULT CHARSET=${charset};\n` +
    `INSERT INTO \`t\` VALUES ${rows.map(([id, text]) => `(${id},'${text}')`).join(',')};\n`;

const entries = mysql('/*!40101 SET NAMES latin1 */;\n', 'varchar(80) NOT NULL', 'latin1');

export const reports: readonly Report[] = [
  {
    dump: createDump({
      name: 'UTF-8 in a latin1 table, dumped as utf8mb4',
      column: 'c',
      format: 'mysqldump',
      connection: 'utf8mb4',
      isRepairable: true,
      rows: ['Привет мир', '日本語テスト', 'Straße'].map((text) =>
        row('mojibake', text, toMojibake(text)),
      ),
      write: mysql(
        "/*!40101 SET NAMES utf8mb4 */;\n/*!40101 SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;\n",
        'varchar(200) NOT NULL',
        'latin1',
      ),
    }),
    expected: [
      { options: ['--mojibake', 'repair'], stops: /narrow-column/ },
      { options: ['--mojibake', 'repair', '--fix-header'] },
    ],
    scan: /mojibake/,
  },
  {
    dump: createDump({
      name: 'UTF-8 between Latin-1, in a latin1 table',
      column: 'c',
      format: 'mysqldump',
      connection: 'latin1',
      rows: [
        row('as declared', 'Ärztekammer', encodeLegacy('Ärztekammer', 'windows-1252') as string),
        row('utf-8', 'Ärzte Straße', toHex('Ärzte Straße')),
        row('as declared', 'Fußball', encodeLegacy('Fußball', 'windows-1252') as string),
      ],
      write: entries,
    }),
    expected: [
      { options: ['--errors', 'windows-1252'], stops: /declared-encoding|narrow-connection/ },
      { options: ['--errors', 'windows-1252', '--fix-header'] },
    ],
    scan: /declared-encoding|legacy-byte/,
  },
  {
    dump: createDump({
      name: 'an emoji in a latin1 table',
      column: 'c',
      format: 'mysqldump',
      connection: 'latin1',
      rows: [row('utf-8', 'Party 😀', toHex('Party 😀'))],
      write: entries,
    }),
    expected: [{ options: ['--fix-header'] }],
    // The server stores the four bytes as they are.
    scan: /^(?!.*stored? as \?)/s,
  },
  {
    dump: createDump({
      name: 'Latin-1 that is right as declared',
      column: 'name',
      format: 'pg_dump',
      connection: 'LATIN1',
      rows: ['Antônio', 'Motörhead'].map((text) =>
        row('as declared', text, encodeLegacy(text, 'windows-1252') as string),
      ),
      write: (rows) =>
        "SET client_encoding = 'LATIN1';\nSET standard_conforming_strings = on;\nCREATE TABLE public.artist (id integer NOT NULL, name text);\n" +
        `COPY public.artist (id, name) FROM stdin;\n${rows.map((each) => `${each.join('\t')}\n`).join('')}\\.\n`,
    }),
    expected: [
      { options: [], stops: /declared-encoding|right as declared/i },
      { options: ['--fix-header'] },
    ],
    scan: /right as declared/i,
  },
  {
    dump: createDump({
      name: 'an emoji without SET NAMES',
      column: 'c',
      format: 'mysqldump',
      connection: undefined,
      rows: [row('utf-8', 'Hello 😎', toHex('Hello 😎'))],
      write: mysql('', 'text', 'utf8mb4'),
    }),
    expected: [{ options: [], stops: /unstated-encoding/ }, { options: ['--fix-header'] }],
    scan: /unstated-encoding/,
  },
];
