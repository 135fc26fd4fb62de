/** One table in many formats, spelled as the programs write it that have them. */
import type { VerifySide } from '../src/verify/verify.js';
import { createRandom, spellPair } from './random-dump.js';

/** A row; texts in which the source has pairs. Null is SQL's. */
export interface TableRow {
  readonly id: number;
  readonly text: string;
  readonly note: string | null;
  readonly data: Buffer | null;
}

const PARTS = [
  'Grün',
  '漢字',
  "O'Neill",
  '"q"',
  ',;|',
  '\t',
  '\n',
  '\\',
  '\\N',
  'NULL',
  '😀',
  '𝄞',
  ' ',
];

/** Creates rows, the same on every run. */
export function createRows(seed: number, count: number): TableRow[] {
  const random = createRandom(seed);
  const createText = (): string =>
    Array.from({ length: random(5) }, () => PARTS[random(PARTS.length)]).join('');
  return Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    text: createText(),
    note: random(4) === 0 ? null : createText(),
    data: random(3) === 0 ? null : Buffer.from([random(256), 0x27, 0x5c, random(256), 0]),
  }));
}

/** Puts rows into another order. */
export function shuffle<Row>(rows: readonly Row[], seed: number): Row[] {
  const random = createRandom(seed);
  const result = [...rows];
  for (let i = result.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [result[i], result[j]] = [result[j] as Row, result[i] as Row];
  }
  return result;
}

/** Text as Latin-1 in which a character is a byte; with pairs of six bytes, or in UTF-8. */
export const spell = (text: string, hasPairs: boolean): string =>
  (hasPairs ? spellPair(text) : Buffer.from(text)).toString('latin1');

const latin = (bytes: Buffer): string => bytes.toString('latin1');

const copyText = (text: string | undefined): string =>
  text === undefined
    ? '\\N'
    : text.replace(/[\\\t\n]/g, (c) => (c === '\t' ? '\\t' : c === '\n' ? '\\n' : '\\\\'));

const sqlText = (text: string | undefined): string =>
  text === undefined
    ? 'NULL'
    : `'${text.replace(/['\\\0\n]/g, (c) => (c === '\0' ? '\\0' : c === '\n' ? '\\n' : `\\${c}`))}'`;

const csvText = (text: string | undefined): string =>
  text === undefined ? '' : `"${text.replaceAll('"', '""')}"`;

const hexOf = (data: Buffer | null): string | undefined =>
  data ? `\\x${data.toString('hex')}` : undefined;

type Texts = {
  readonly id: number;
  readonly text: string;
  readonly note: string | undefined;
  readonly data: Buffer | null;
};

const COLUMNS = 'id,text,note,data';

/** Formats by a name of ours: how rows are written in them, and the options with which they are read. */
export const formats: Readonly<
  Record<
    string,
    {
      readonly format: string;
      readonly formatOptions?: Readonly<Record<string, string | boolean>>;
      readonly write: (rows: readonly Texts[]) => string;
    }
  >
> = {
  'mysqldump with hex': {
    format: 'mysqldump',
    write: (rows) =>
      `CREATE TABLE \`t\` (\`id\` int, \`text\` text, \`note\` text, \`data\` blob);\nINSERT INTO \`t\` VALUES ${rows
        .map(
          (row) =>
            `(${row.id},${sqlText(row.text)},${sqlText(row.note)},${row.data ? `0x${row.data.toString('hex')}` : 'NULL'})`,
        )
        .join(',')};\n`,
  },
  'mysqldump with _binary': {
    format: 'mysqldump',
    write: (rows) =>
      `CREATE TABLE \`t\` (\`data\` blob, \`id\` int, \`text\` text, \`note\` text);\n${rows
        .map(
          (row) =>
            `INSERT INTO \`t\` VALUES (${row.data ? `_binary ${sqlText(latin(row.data))}` : 'NULL'}, ${row.id}, ${sqlText(row.text)}, ${sqlText(row.note)});\n`,
        )
        .join('')}`,
  },
  pg_dump: {
    format: 'pg_dump',
    write: (rows) =>
      `CREATE TABLE public.t (id int, text text, note text, data bytea);\nCOPY public.t (id, text, note, data) FROM stdin;\n${rows
        .map(
          (row) =>
            `${row.id}\t${copyText(row.text)}\t${copyText(row.note)}\t${copyText(hexOf(row.data))}\n`,
        )
        .join('')}\\.\n`,
  },
  'pg_dump with inserts': {
    format: 'pg_dump',
    formatOptions: { assume: 'text' },
    write: (rows) =>
      rows
        .map((row) => {
          const quote = (text: string | undefined): string =>
            text === undefined ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
          return `INSERT INTO public.t (note, id, text, data) VALUES (${quote(row.note)}, ${row.id}, ${quote(row.text)}, ${quote(hexOf(row.data))});\n`;
        })
        .join(''),
  },
  copy: {
    format: 'copy',
    formatOptions: { columns: COLUMNS },
    write: (rows) =>
      rows
        .map(
          (row) =>
            `${row.id}\t${copyText(row.text)}\t${copyText(row.note)}\t${copyText(hexOf(row.data))}\n`,
        )
        .join(''),
  },
  csv: {
    format: 'csv',
    write: (rows) =>
      `ID,TEXT,NOTE,DATA\r\n${rows
        .map(
          (row) =>
            `${row.id},${csvText(row.text)},${csvText(row.note)},${csvText(hexOf(row.data))}\r\n`,
        )
        .join('')}`,
  },
};

/** Writes rows in a format, with pairs as the source has them, or in UTF-8. */
export function writeTable(name: string, rows: readonly TableRow[], hasPairs: boolean): Buffer {
  const texts = rows.map(({ id, text, note, data }) => ({
    id,
    text: spell(text, hasPairs),
    note: note === null ? undefined : spell(note, hasPairs),
    data,
  }));
  return Buffer.from(formats[name]?.write(texts) ?? '', 'latin1');
}

/** Adds the option by which formats read any text. */
export function assumeText<Side extends Pick<VerifySide, 'format' | 'formatOptions'>>(
  side: Side,
): Side {
  const isOpen = ['tab', 'mysqldump', 'pg_dump'].includes(side.format as string);
  return isOpen ? { ...side, formatOptions: { assume: 'text', ...side.formatOptions } } : side;
}
