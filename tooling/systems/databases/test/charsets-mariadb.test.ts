/**
 * The repertoires of `@utf8/dump`, as MariaDB has them: a character set contains what comes back from it. `-u` writes
 * them again.
 */
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';
import { MariaDb } from '../src/mariadb.js';

const FILE = '../../../../packages/dump/src/charset/generated/repertoires.ts';

/** All code points that are in some character set of one or two bytes are below it. */
const BMP = 0x1_0000;

it('knows what each character set contains', { timeout: 120_000 }, async () => {
  const mariadb = await MariaDb.start();
  const ask = (sql: string): string[] => mariadb.demand(sql).toString().trim().split('\n');
  try {
    ask(`CREATE DATABASE c; USE c; CREATE TABLE c (n INT PRIMARY KEY, c CHAR(1) CHARACTER SET utf32);
      INSERT INTO c SELECT seq, CHAR(seq USING utf32) FROM seq_1_to_69632 WHERE seq NOT BETWEEN 0xD800 AND 0xDFFF`);
    const sets: string[] = [];
    for (const row of ask('SHOW CHARACTER SET').sort()) {
      const [name = ''] = row.split('\t');
      if (/^(binary|utf(8mb4|16|16le|32))$/.test(name)) continue;
      const returned = ask(
        `SELECT n FROM c.c WHERE BINARY CONVERT(CONVERT(c USING ${name}) USING utf32) = BINARY c`,
      ).map(Number);
      const isBmp = returned.length === BMP - 0x800 - 1;
      expect(Math.max(...returned)).toBeLessThan(BMP);
      if (isBmp) expect(['utf8mb3', 'ucs2']).toContain(name);
      else sets.push(`  ${name}: '${pack(returned)}',`);
    }
    const lines = [
      "// Written by tooling/systems/databases/test/charsets-mariadb.test.ts from MariaDB's own answers.",
      '',
      '/** Contents of character sets up to U+FFFF: a bit for each code point, by Brotli and in Base64. */',
      'export const repertoires: Readonly<Record<string, string>> = {',
      ...sets,
      '};',
    ];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(FILE);
  } finally {
    await mariadb.stop();
  }
});

function pack(codePoints: readonly number[]): string {
  const bits = new Uint8Array(BMP / 8);
  for (const each of codePoints) bits[each >> 3] = (bits[each >> 3] as number) | (1 << (each & 7));
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bits.length };
  return brotliCompressSync(bits, { params: size }).toString('base64');
}
