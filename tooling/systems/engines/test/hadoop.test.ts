/**
 * The scripts of `apps/site/pages/engines.md` for Hadoop Streaming, run by Hadoop.
 *
 * @module-tag night
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDifference } from '@utf8/systems/databases/difference';
import { findScripts } from '@utf8/systems/databases/markdown';
import { toCopy } from '@utf8/systems/databases/notation';
import { type FaultName, faults, plant } from '@utf8/systems/databases/planted';
import { Postgres } from '@utf8/systems/databases/postgres';
import { rowCount, seed } from '@utf8/systems/databases/seed';
import { createEnvironment, demandUtf8 } from '@utf8/systems/databases/utf8';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Hadoop } from '../src/hadoop.js';

const [convert = '', mapper = '', setAside = ''] = findScripts(
  'engines.md',
  'Hadoop Streaming',
  'sh',
);
const root = mkdtempSync(join(tmpdir(), 'utf8-hadoop-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const bin = join(root, 'bin');
mkdirSync(bin);
const env = createEnvironment(bin);

// COPY text has no carriage return of its own.
const planted = plant({ seed, rows: rowCount, faults: Object.keys(faults) as FaultName[] });
const dump = Buffer.concat(planted.rows.map(toCopy));
const good = planted.expected.map(({ id, name, note, data }) =>
  toCopy({ id, name: Buffer.from(name), note: note === null ? null : Buffer.from(note), data }),
);

/** Lines in an order of their own, since parts come in none. */
const sort = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)/)
    .sort()
    .join('');

describe('Hadoop Streaming', () => {
  let hadoop: Hadoop;
  const path = (name: string): string => join(hadoop.folder, name);

  beforeEach(() => {
    hadoop = new Hadoop(mkdtempSync(join(root, 'work-')), env, Math.ceil(dump.length / 5));
    hadoop.archive('utf8-linux-x64.tgz', join(bin, 'utf8'));
    writeFileSync(path('orders.copy'), dump);
  });

  const readAll = (prefix: string): Buffer =>
    Buffer.concat(
      readdirSync(path('orders.utf8'))
        .filter((name) => name.startsWith(prefix))
        .sort()
        .map((name) => readFileSync(join(path('orders.utf8'), name))),
    );

  const optionsOf = (script: string): string[] =>
    script
      .replace(/^.*?utf8 convert|'$/gs, '')
      .replace('--counters hadoop', '')
      .trim()
      .split(/\s+/);

  it('converts splits as one process converts the file, and adds up its counts', () => {
    const { status, stderr, counters } = hadoop.run(convert);
    expect([status, stderr]).toEqual([0, expect.stringContaining('completed successfully')]);
    const words = optionsOf(convert.trim());
    const stats = join(root, 'stats');
    const serial = demandUtf8(['convert', ...words, '--stats', stats, path('orders.copy')]);
    expect(
      readdirSync(path('orders.utf8')).filter((name) => name.startsWith('part-')).length,
    ).toBeGreaterThan(4);
    const output = readAll('part-');
    expect(findDifference(sort(output), sort(serial))).toBeUndefined();
    const { records, findings, bytesRead } = JSON.parse(readFileSync(stats, 'utf8'));
    expect(counters.get('utf8,records.in')).toBe(planted.rows.length);
    expect(counters.get('utf8,records.changed')).toBe(records.changed);
    expect(counters.get('utf8,findings.pair')).toBe(planted.pairs);
    expect(counters.get('utf8,bytesRead')).toBe(bytesRead);
    for (const [kind, count] of Object.entries(findings)) {
      expect([kind, counters.get(`utf8,findings.${kind}`)]).toEqual([kind, count]);
    }
    writeFileSync(join(root, 'loaded'), output);
  });

  describe('and PostgreSQL', () => {
    let server: Postgres;
    beforeAll(async () => {
      server = await Postgres.start();
    });
    afterAll(() => server?.stop());

    it('loads the parts, which have the values that were planned', () => {
      server.demand('CREATE TABLE orders(id int PRIMARY KEY, name text, note text, data bytea)');
      const loaded = readFileSync(join(root, 'loaded'));
      server.demand(
        Buffer.concat([Buffer.from('COPY orders FROM STDIN;\n'), loaded, Buffer.from('\\.\n')]),
      );
      const rows = server.demand('COPY (SELECT * FROM orders ORDER BY id) TO STDOUT');
      const lines = rows.toString('latin1').split(/(?<=\n)/);
      expect(lines).toHaveLength(planted.rows.length);
      const ids = new Set(planted.expected.map(({ id }) => `${id}`));
      const clean = lines.filter((line) => ids.has(line.split('\t')[0] ?? ''));
      expect(
        findDifference(Buffer.from(clean.join(''), 'latin1'), Buffer.concat(good)),
      ).toBeUndefined();
    });
  });

  it('sets refused records aside, with the output of the attempt', () => {
    writeFileSync(path('mapper.sh'), mapper);
    // Two splits: each has to start a program that copies its rejects.
    const { status, stderr, counters } = hadoop.run(
      setAside.replace('-input', `-D fs.local.block.size=${Math.ceil(dump.length / 2)} -input`),
    );
    expect([status, stderr]).toEqual([0, expect.stringContaining('completed successfully')]);
    const rejects = Buffer.concat(planted.rejected.map(toCopy));
    expect(findDifference(sort(readAll('rejects-')), sort(rejects))).toBeUndefined();
    expect(findDifference(sort(readAll('part-')), sort(Buffer.concat(good)))).toBeUndefined();
    expect(counters.get('utf8,records.rejected')).toBe(planted.rejected.length);
    // Nothing is left where tasks run, which is one folder for all of them here.
    expect(readdirSync(hadoop.folder).filter((name) => name.startsWith('rejects-'))).toEqual([]);
  });

  it('fails the job where a record is refused, and leaves no part, even of other splits', () => {
    const strict = convert.replace(/ --errors .*(?= --counters)/, '');
    expect(strict).not.toBe(convert);
    const bad = Buffer.from('0\t\xff\t\\N\t\\N\n', 'latin1');
    writeFileSync(path('orders.copy'), Buffer.concat([...good, bad]));
    const { status, stderr } = hadoop.run(strict);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/subprocess failed with code 1/);
    expect(stderr).toMatch(/^-:\d+: record \d+, column 2: offset \d+: legacy byte: FF$/m);
    expect(readdirSync(path('orders.utf8'))).toEqual([]);
  });

  it('changes what the page says: carriage returns, the ends of a file, the order', () => {
    mkdirSync(path('in'));
    const letters = 'x'.repeat(1000);
    writeFileSync(path('in/a.txt'), '\ufeffa\rb\r\nescaped\\n and\ttab\nno tab');
    writeFileSync(path('in/b.txt'), `${letters}\n`);
    const plain = convert
      .replace('-input orders.copy', '-input in')
      .replace(/utf8 convert.*'/s, "utf8 convert --from cesu-8'");
    expect(hadoop.run(plain).status).toBe(0);
    expect(readAll('part-').toString()).toBe(`${letters}\na\nb\nescaped\\n and\ttab\nno tab\n`);

    rmSync(path('orders.utf8'), { recursive: true });
    const other = plain.replace(
      '-D stream.map.output=keyonlytext',
      "-D 'textinputformat.record.delimiter=\\n'",
    );
    expect(hadoop.run(other).status).toBe(0);
    const lines = readAll('part-').toString().split('\n');
    // Records end at escaped line feeds alone. The tab is what a line without one gets.
    expect(lines).toContain('escaped\t');
    expect(lines).toContain(' and\ttab');
    expect(lines).toContain('no tab\t');
  });
});
