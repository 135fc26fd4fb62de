/** Effects of a session's settings on the reader of a dump, and on the file of rejects. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { reachOf } from '../src/charset/repertoire.js';
import { convertDump } from '../src/convert/convert.js';
import { ConvertTransform } from '../src/convert/transform.js';
import { findFormat } from '../src/format/registry.js';
import { bytesOf, cesu, errorOf } from './format-reading.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

/** Returns what the reader of a dump knows of the last field of its last record. */
function readLast(name: string, script: string) {
  let last: { escapes: boolean | undefined; connection: string | undefined } | undefined;
  const format = findFormat(name, { assume: 'text' });
  for (const { kind, session, fields } of format.createReader().read(bytesOf(script))) {
    const both = [session?.connection, session?.charset];
    const connection = both.find((each) => reachOf(each) !== 'all') ?? session?.charset;
    if (kind === 'record') last = { escapes: fields.at(-1)?.escapes, connection };
  }
  return last;
}

describe('PostgreSQL: strings have escapes', () => {
  const row = "INSERT INTO t VALUES ('a');\n";
  const escapes = (script: string) => readLast('pg_dump', script + row)?.escapes;

  it.each([
    'SET standard_conforming_strings = off;\n',
    "SET standard_conforming_strings TO 'off';\n",
    'SET standard_conforming_strings = OF;\n',
    'SET standard_conforming_strings = false;\n',
    'SET standard_conforming_strings = f;\n',
    'SET standard_conforming_strings = 0;\n',
    'SET standard_conforming_strings = n;\n',
    'SET STANDARD_CONFORMING_STRINGS = No;\n',
    'SET SESSION standard_conforming_strings = off;\n',
    'BEGIN;\nSET LOCAL standard_conforming_strings = off;\n',
    'SET "standard_conforming_strings" = "off";\n',
    'SET standard_conforming_strings = $$off$$;\n',
    "SET standard_conforming_strings = E'off';\n",
    "SELECT pg_catalog.set_config('standard_conforming_strings', 'off', false);\n",
    "SELECT 1, set_config('standard_conforming_strings'::text, 'off', 'f');\n",
    "BEGIN;\nSELECT set_config('standard_conforming_strings', 'off', true);\n",
    'BEGIN;\nSET standard_conforming_strings = off;\nCOMMIT;\n',
    'SET standard_conforming_strings = off;\nBEGIN;\nRESET ALL;\nROLLBACK;\n',
    'SET standard_conforming_strings = off;\nBEGIN;\nSET LOCAL standard_conforming_strings = on;\nEND;\n',
  ])('%j', (script) => {
    expect(escapes(script)).toBe(true);
  });

  it.each([
    '',
    'SET standard_conforming_strings = off;\nSET standard_conforming_strings TO DEFAULT;\n',
    'SET standard_conforming_strings = off;\nRESET standard_conforming_strings;\n',
    'SET standard_conforming_strings = off;\nRESET ALL;\n',
    'SET standard_conforming_strings = off;\nDISCARD ALL;\n',
    'SET standard_conforming_strings = off;\n\\connect other\n',
    'BEGIN;\nSET LOCAL standard_conforming_strings = off;\nCOMMIT;\n',
    'BEGIN;\nSET standard_conforming_strings = off;\nROLLBACK;\n',
    'START TRANSACTION;\nSET standard_conforming_strings = off;\nABORT AND CHAIN;\n',
    'SET escape_string_warning = off;\n',
  ])('but not after %j', (script) => {
    expect(escapes(script)).toBe(false);
  });

  it.each([
    'SET standard_conforming_strings = o;\n',
    'SET standard_conforming_strings = maybe;\n',
    'SET standard_conforming_strings;\n',
    'SET LOCAL standard_conforming_strings = off;\n',
    "SELECT set_config('standard_conforming_strings', a, false) FROM b;\n",
    "SELECT set_config(a, 'off', false) FROM b;\n",
    'BEGIN;\nSET standard_conforming_strings = off;\nROLLBACK TO SAVEPOINT s;\n',
  ])('and %j is refused', (script) => {
    expect(errorOf(findFormat('pg_dump'), script)).toMatch(
      /^FILE:[123]: cannot tell the value of /,
    );
  });
});

describe('MySQL', () => {
  const row = "INSERT INTO t VALUES ('a');\n";
  /** More than are remembered. */
  const manyVariables = `SET ${Array.from({ length: 100 }, (_, i) => `@v${i}='${i}'`).join()};\n`;

  it.each([
    "SET sql_mode='NO_BACKSLASH_ESCAPES';\n",
    'SET sql_mode = NO_BACKSLASH_ESCAPES;\n',
    "/*!50003 SET SESSION sql_mode := 'ANSI,no_backslash_escapes' */;\n",
    "SET time_zone='+00:00', @@session.sql_mode = 'NO_BACKSLASH_ESCAPES';\n",
    "SET @@sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES');\n",
    "SET @m='NO_BACKSLASH_ESCAPES';\nSET sql_mode='';\nSET sql_mode=@m;\n",
    "SET sql_mode='NO_BACKSLASH_ESCAPES';\nSET @old=@@sql_mode, sql_mode='';\nSET sql_mode=@OLD;\n",
    // A variable that nothing has set is NULL, which a server refuses.
    "SET sql_mode='NO_BACKSLASH_ESCAPES';\nSET sql_mode=@never;\n",
    `SET @m='NO_BACKSLASH_ESCAPES';${manyVariables}SET sql_mode=@m;\n`,
  ])('strings have no escapes after %j', (script) => {
    expect(readLast('mysqldump', script + row)?.escapes).toBe(false);
  });

  it.each([
    '',
    "SET sql_mode='NO_AUTO_VALUE_ON_ZERO';\n",
    "SET GLOBAL sql_mode='NO_BACKSLASH_ESCAPES';\n",
    // All values are computed before the first is assigned.
    "SET @m='NO_BACKSLASH_ESCAPES', sql_mode=@m;\n",
    "SET sql_mode='NO_BACKSLASH_ESCAPES', @m=@@sql_mode;\nSET sql_mode=@m;\n",
    "SET @@global.sql_mode='NO_BACKSLASH_ESCAPES';\n",
    "SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_BACKSLASH_ESCAPES';\nSET SQL_MODE=@OLD_SQL_MODE;\n",
    "SET sql_mode='NO_BACKSLASH_ESCAPES';\nSET sql_mode=DEFAULT;\n",
    "SET sql_mode='NO_BACKSLASH_ESCAPES';\nSET sql_mode=REPLACE(@@sql_mode,'NO_BACKSLASH_ESCAPES','');\n",
    "/*!999999 SET sql_mode='NO_BACKSLASH_ESCAPES' */;\n",
    "/*M!999999 SET sql_mode='NO_BACKSLASH_ESCAPES' */;\n",
  ])('strings have escapes after %j', (script) => {
    expect(readLast('mysqldump', script + row)?.escapes).toBe(true);
  });

  it('a double quote begins a name under ANSI_QUOTES', () => {
    const script = `SET sql_mode=ANSI_QUOTES;\nINSERT INTO "t\\" ("a") VALUES ('b');\n`;
    expect(readLast('mysqldump', script)?.escapes).toBe(true);
  });

  it.each([
    ['SET NAMES utf8;\n', 'utf8'],
    ["SET NAMES 'utf8mb4' COLLATE 'utf8mb4_bin';\n", 'utf8mb4'],
    ['SET NAMES utf8mb4;\nSET character_set_client = utf8;\n', 'utf8'],
    ['SET NAMES utf8mb4;\nSET collation_connection = utf8_bin;\n', 'utf8'],
    ['SET NAMES utf8mb4;\nSET @@session.character_set_connection = latin1;\n', 'latin1'],
    ["SET NAMES utf8mb4;\nSET sql_mode='', character_set_client=utf8;\n", 'utf8'],
    ['SET CHARACTER SET utf8;\n', 'utf8'],
    ['SET sql_mode=DEFAULT, NAMES utf8;\n', 'utf8'],
    ['SET NAMES utf8;\nSET NAMES DEFAULT;\n', undefined],
    [
      'SET NAMES utf8mb4;\nSET @saved = @@character_set_client;\nSET character_set_client = utf8;\nSET character_set_client = @saved;\n',
      'utf8mb4',
    ],
  ])('text reaches the server as %j says', (script, charset) => {
    expect(readLast('mysqldump', script + row)?.connection).toBe(charset);
  });

  it.each([
    'SET sql_mode=(SELECT @@sql_mode);\n',
    'SET sql_mode=4;\n',
    'SET sql_mode=UPPER(@@sql_mode);\n',
    'SET GLOBAL a=1, sql_mode=ANSI;\n',
    'SELECT @@sql_mode INTO @m;\nSET sql_mode=@m;\n',
    "SELECT @m := 'ANSI';\nSET sql_mode=@m;\n",
    'SET collation_connection = 33;\n',
    'SET NAMES @x;\n',
    `${manyVariables}SET sql_mode=@v99;\n`,
    `${manyVariables}SET sql_mode=@never;\n`,
  ])('%j is refused', (script) => {
    expect(errorOf(findFormat('mysqldump'), script)).toMatch(
      /^FILE:[12]: cannot tell the value of /,
    );
  });
});

describe('each rejected record stands under its own settings', () => {
  const LONE = cesu.high;
  /** More than a segment. */
  const DDL = 'DROP TABLE IF EXISTS other;\n'.repeat(8000);
  const cases: Readonly<Record<string, readonly [format: string, dump: string, rejects: string]>> =
    {
      'after the first record': [
        'mysqldump',
        `SET NAMES utf8mb4;\nCREATE TABLE a (i int, t text);\nINSERT INTO a VALUES (1,'x${LONE}'),(2,'y${LONE}');\nSET NAMES latin1;\nINSERT INTO a VALUES (3,'${LONE}');\nSET NAMES utf8mb4;\n`,
        `SET NAMES utf8mb4;\nINSERT INTO a VALUES (1,'x${LONE}');\nINSERT INTO a VALUES (2,'y${LONE}');\nSET NAMES latin1;\nINSERT INTO a VALUES (3,'${LONE}');\n`,
      ],
      'of a second dump, in another database, after many statements': [
        'mysqldump',
        `${DDL}SET TIME_ZONE='+00:00';\nUSE one;\nCREATE TABLE a (i int, t text);\nINSERT INTO a VALUES (1,'${LONE}');\nSET SQL_MODE='ANSI_QUOTES', TIME_ZONE=DEFAULT;\nUSE two;\nCREATE TABLE a (i int, t text);\nINSERT INTO "a" VALUES (1,'${LONE}');\n`,
        `USE \`one\`;\nSET TIME_ZONE='+00:00';\nINSERT INTO a VALUES (1,'${LONE}');\nUSE \`two\`;\nSET TIME_ZONE=DEFAULT;\nSET SQL_MODE=CONCAT(REPLACE(REPLACE(@@SQL_MODE,'ANSI_QUOTES',''),'NO_BACKSLASH_ESCAPES',''),',ANSI_QUOTES');\nINSERT INTO "a" VALUES (1,'${LONE}');\n`,
      ],
      'of PostgreSQL, after many statements and a change of the database': [
        'pg_dump',
        `${DDL}SET client_encoding = 'UTF8';\nSET standard_conforming_strings = off;\nSELECT pg_catalog.set_config('search_path', '', false);\nCREATE TABLE public.t (id int, a text);\nINSERT INTO public.t VALUES (1, 'C:\\\\new ${LONE}');\n\\connect two\nCREATE TABLE public.t (id int, a text);\nSET datestyle = ISO, DMY;\nCOPY public.t FROM stdin;\n1\t${LONE}\n2\tok\n3\t${LONE}\n\\.\n`,
        `SET client_encoding = 'UTF8';\nSET standard_conforming_strings = off;\nSELECT pg_catalog.set_config('search_path', '', false);\nINSERT INTO public.t VALUES (1, 'C:\\\\new ${LONE}');\n\\connect "two"\nSET datestyle = iso, dmy;\nCOPY public.t FROM stdin;\n1\t${LONE}\n\\.\nCOPY public.t FROM stdin;\n3\t${LONE}\n\\.\n`,
      ],
    };

  it.each(Object.entries(cases))('%s', async (_, [format, dump, expected]) => {
    writeFileSync(path('in'), dump, 'latin1');
    const from = 'cesu-8+utf-8';
    const convert = async (range?: { from: number; to: number }): Promise<string> => {
      const files = { input: path('in'), output: path('out'), rejects: path('rejects') };
      await convertDump({ ...files, format, from, range });
      return readFileSync(path('rejects'), 'latin1');
    };
    expect(await convert()).toBe(expected);
    // A range begins with all of its settings.
    const last = expected.slice(expected.lastIndexOf(LONE, expected.lastIndexOf(LONE) - 1));
    const half = dump.lastIndexOf(LONE, dump.lastIndexOf(LONE) - 1) + 1;
    const rest = await convert({ from: half, to: dump.length });
    expect(rest).toContain(last.slice(last.lastIndexOf('\n', last.lastIndexOf(LONE)) + 1));
    for (const setting of expected.match(
      /^SET SQL_MODE.*$|^SET datestyle.*$|^SET NAMES latin1;$/gm,
    ) ?? []) {
      expect(rest).toContain(setting);
    }
    // However small the chunks of a stream are where a setting begins.
    const at = dump.indexOf('SET') + 7;
    const parts = [dump.slice(0, at), dump.slice(at, at + 5), dump.slice(at + 5)];
    const rejects: Uint8Array[] = [];
    const onReject = (bytes: Uint8Array): void => void rejects.push(bytes);
    const stream = new ConvertTransform({ format, from, onReject });
    await text(Readable.from(parts.map(bytesOf)).pipe(stream));
    expect(Buffer.concat(rejects).toString('latin1')).toBe(expected);
    // The rejects are a dump of their own.
    writeFileSync(path('in'), expected, 'latin1');
    const formatOptions = { assume: 'text' };
    const files = { input: path('in'), output: path('out'), rejects: path('rejects') };
    await convertDump({ ...files, format, formatOptions, from });
    expect(readFileSync(path('rejects'), 'latin1')).toBe(expected);
  });
});
