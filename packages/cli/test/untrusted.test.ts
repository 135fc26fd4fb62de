/** Files of others: names that the language has a meaning for, and little that inflates to very much. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runBuilt } from './built.js';
import { useFolder, utf8 } from './command.js';

const path = useFolder();

const PAIR = '\xed\xa0\xbd\xed\xb8\x80';

const createDump = (table: string, column: string, key: string): Buffer =>
  Buffer.from(
    `-- MySQL dump 10.13  Distrib 8.0.12
SET NAMES utf8mb4;
CREATE TABLE \`${table}\` (\`id\` int, \`${column}\` text, \`b\` blob, UNIQUE KEY \`${key}\` (\`${column}\`(20))) DEFAULT CHARSET=utf8mb4;
INSERT INTO \`${table}\` VALUES (1,'a${PAIR}','x${PAIR}'),(2,'b','${PAIR}');
`,
    'latin1',
  );

const createJson = (one: string, other: string): Buffer =>
  Buffer.from(`{"${one}":"a${PAIR}","${other}":{"${one}":"${PAIR}"},"id":1}\n`, 'latin1');

describe('names of the language in a dump mean nothing', () => {
  it.each([
    [
      'mysqldump',
      createDump('__proto__', 'constructor', 'toString'),
      createDump('tab', 'col', 'key'),
    ],
    ['jsonl', createJson('__proto__', 'constructor'), createJson('tab', 'col')],
  ])('%s', async (format, hostile, plain) => {
    const results: string[] = [];
    for (const [name, bytes] of [
      ['hostile', hostile],
      ['plain', plain],
    ] as const) {
      const at = (ending: string): string => path(`${name}.${format}.${ending}`);
      writeFileSync(at('in'), bytes);
      const words = ['--format', format, '-f', 'cesu-8+utf-8', at('in')];
      const converted = await utf8(['convert', ...words, '-o', at('out'), '--undo', at('undo')]);
      expect([converted.status, converted.stdout.toString()]).toEqual([0, '']);
      const scanned = await utf8(['scan', ...words, '--json']);
      expect(scanned.status).toBe(1);
      const reverted = await utf8(['revert', at('out'), '--undo', at('undo'), '-o', at('back')]);
      expect(reverted.status, reverted.stderr).toBe(0);
      expect(readFileSync(at('back')).equals(bytes)).toBe(true);
      results.push(readFileSync(at('out'), 'utf8'));
    }
    const rename = (text = ''): string =>
      text
        .replaceAll('__proto__', 'tab')
        .replaceAll('constructor', 'col')
        .replaceAll('toString', 'key');
    expect(rename(results[0])).toBe(results[1]);
    expect(results[0]).toContain('a\u{1f600}');
  });
});

it('a compressed file that inflates 1000 times is read in constant memory', {
  tags: ['slow'],
}, async () => {
  const member = gzipSync(Buffer.alloc(1 << 20, 'a\n'));
  const bomb = Buffer.concat(new Array(300).fill(member));
  expect(bomb.length).toBeLessThan((300 << 20) / 900);
  writeFileSync(path('bomb.gz'), bomb);
  writeFileSync(
    path('report.mjs'),
    `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS * 1024)));`,
  );
  const env = { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(path('report.mjs'))}` };
  const { status, stderr } = await runBuilt(['check', path('bomb.gz')], '', { env });
  expect(status).toBe(0);
  expect(Number(stderr)).toBeLessThan(200 << 20);
});
