/** Files with many cuts in few bytes, and what indexes find in them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, vi } from 'vitest';
import { type FormatOptions, type ScanFinding, scanDump } from '../src/index.js';
import { openInput } from '../src/open/input.js';
import { createPlan } from '../src/plan.js';
import { openIndex } from '../src/seek/index-writer.js';
import { hex, useFolder } from './use-folder.js';

export const path = useFolder();

/** Sets the distance of cuts, so that small files have many. */
export const setDistance = (bytes: number): void => void vi.stubEnv('UTF8_TEST_STEP', `${bytes}`);

beforeEach(() => setDistance(64));
afterEach(() => void vi.unstubAllEnvs());

export interface Dump {
  readonly format: string;
  readonly options?: FormatOptions;
  readonly bytes: Buffer;
}

export const PAIR = hex('ED A0 BD ED B8 80').toString('latin1');
export const LONE = hex('ED A0 BD').toString('latin1');

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Files in which a line feed, or what looks like the end of a record, may be within one. */
export const small: Readonly<Record<string, Dump>> = {
  'csv with U+FEFF and CR LF': {
    format: 'csv',
    bytes: latin(
      `\xef\xbb\xbfid,"a ""b"""\r\n1,"x\r\n${PAIR}"\r\n2,"${LONE}\n"\r\n\r\n3,"""\n"\r\n4,${PAIR}`,
    ),
  },
  'csv without a header': {
    format: 'csv',
    options: { header: false },
    bytes: latin(`\xef\xbb\xbf"a\n",${PAIR}\n"${LONE}\n""\n",b\n,,\n"\n\n"\n${LONE}\nc\n`),
  },
  'csv with a header of two lines': {
    format: 'csv',
    bytes: latin(`id,"na\nme"\n1,"a\nb"\n2,${LONE}\n3,"${PAIR}"\n`),
  },
  'csv with a backslash': {
    format: 'csv',
    options: { escape: '\\', quote: "'" },
    bytes: latin(`a,b\n'\\'\n',\\\n${PAIR}\n\\',${LONE}\n'\n''\n',x\n`),
  },
  'csv with a backslash within quotes, and two characters between fields': {
    format: 'csv',
    options: { quotedEscape: '\\', delimiter: '||' },
    bytes: latin(`a||b\n"\\"\n"||\\\n|"||"\n${PAIR}"\nx|"\n||${LONE}\n`),
  },
  tsv: { format: 'tsv', bytes: latin(`id\tname\n1\t"a\tb\n${PAIR}"\n2\t${LONE}\n3\t"\n"\n`) },
  'tab with quotes': {
    format: 'tab',
    options: { assume: 'text', quote: '"' },
    bytes: latin(`"a\\"\n"\t\\N\n"${PAIR}\\\n"\t""\n"\\"\t"\t${LONE}\nx\ty\n`),
  },
  tab: {
    format: 'tab',
    options: { assume: 'text' },
    bytes: latin(`1\ta\\\n${PAIR}\n2\t\\N\n3\t${LONE}\\\n\\\n\n4\tb\n`),
  },
  mysqldump: {
    format: 'mysqldump',
    bytes: latin(
      `/* ;\n */ SET NAMES utf8mb4;\nCREATE TABLE t (a text, b blob);\nINSERT INTO t VALUES ('${PAIR};\n',_binary '${LONE}'),('\n','');` +
        `\nCREATE TABLE u (a text); INSERT INTO u VALUES ('${LONE}');\nDELIMITER ;;\nSELECT ';\n' ;;\nDELIMITER ;\nINSERT INTO t VALUES ('${LONE}','');\n`,
    ),
  },
  pg_dump: {
    format: 'pg_dump',
    bytes: latin(
      `SET client_encoding = 'SQL_ASCII';\nCREATE TABLE t (a text, b bytea);\nCOPY t (a, b) FROM stdin;\n${PAIR}\t1\n${LONE}\t2\n\\.\n\n` +
        `INSERT INTO t VALUES ('\n;', '${PAIR}');\nCREATE TABLE u (a text);\nCOPY u FROM stdin;\n${LONE}\n\\.\nSELECT $$;\n$$;\n`,
    ),
  },
  'mysqldump without SET NAMES': {
    format: 'mysqldump',
    options: { fixHeader: true },
    bytes: latin(
      `CREATE TABLE t (a varchar(9) CHARACTER SET utf8);\nINSERT INTO t VALUES ('${PAIR}');\nINSERT INTO t VALUES ('${LONE}'),('\n;');\nSELECT 1;\nINSERT INTO t VALUES ('b');\n`,
    ),
  },
  'pg_dump with rows of CSV': {
    format: 'pg_dump',
    bytes: latin(
      `CREATE TABLE t (a text, b bytea);\nCOPY t (b, a, c) FROM stdin WITH (FORMAT csv, HEADER);\nb,"a\n",c\n1,"${PAIR}\n",\n2,"${LONE}\n;\n",x\n3,,"\n"\n\\.\nSELECT 1;\n`,
    ),
  },
  sqlite: {
    format: 'sqlite',
    bytes: latin(
      `CREATE TABLE t(a TEXT);\nINSERT INTO t VALUES('\n;${PAIR}');\nINSERT INTO t VALUES('${LONE}');\nCREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1;\nEND;\n`,
    ),
  },
  json: {
    format: 'json',
    bytes: latin(
      `[\n{"a":\n"${PAIR}"},{"a":"${LONE}"}\n,\n["],\\"\\n", 1],"x" ,\n2,{"a":"${LONE}"}]\n`,
    ),
  },
  'json with a malformed element': {
    format: 'json',
    bytes: latin(`[{"a":"${LONE}"},\n{"b":"${PAIR}"},\n{"a":\n"${PAIR}" x},{"a":"${LONE}"}]\n`),
  },
  jsonl: { format: 'jsonl', bytes: latin(`{"a":"${PAIR}"}\n\n{"a":"${LONE}"}\n["x"]\n`) },
  'jsonl of actions and documents': {
    format: 'jsonl',
    bytes: latin(
      `{"index":{}}\n{"a":"${LONE}"}\n{"delete":{"_id":"1"}}\n\n{"create":{"_id":"${LONE}"}}\n{"a":"${PAIR}"}\n{"update":{}}\n{"index":{}}\n`,
    ),
  },
  'jsonl of pairs of lines': {
    format: 'jsonl',
    options: { group: '2' },
    bytes: latin(`\xef\xbb\xbf{"a":"${PAIR}"}\n\n"${LONE}"\r\n{}\n1\n2`),
  },
  lines: { format: 'lines', bytes: latin(`\xef\xbb\xbfa\r\n${PAIR}\n${LONE}\n\nb`) },
  copy: { format: 'copy', bytes: latin(`1\t${PAIR}\n2\t${LONE}\n3\t\\\\\n\\.\n`) },
};

/** Writes a file and its index. */
export async function prepare({ format, options = {}, bytes }: Dump): Promise<string[]> {
  writeFileSync(path('in'), bytes);
  rmSync(path('in.index'), { force: true });
  const source = await openInput(path('in'), { compressed: false });
  const plan = createPlan([path('in')], { format, formatOptions: options, from: 'utf-8' });
  await openIndex(path('in.index'), source, plan.format, plan.choice);
  await source.close();
  return readFileSync(path('in.index'), 'utf8').trim().split('\n');
}

/** Scans the file, and returns all that is found. */
export const scan = async ({ format, options = {} }: Dump, more: object): Promise<object> => {
  const findings: ScanFinding[] = [];
  const onFinding = (finding: ScanFinding): void => void findings.push(finding);
  const what = { input: path('in'), format, formatOptions: options, from: 'cesu-8+utf-8' };
  const failures: string[] = [];
  const onFailure = (_: string, { message }: Error): void => void failures.push(message);
  const report = await scanDump({ ...what, onFinding, onFailure, ...more });
  return { findings, failures, report: report.toJSON(), suggested: report.suggested };
};
