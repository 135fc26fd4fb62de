/**
 * `utf8_spark.py` in real Spark, against one run of `utf8 convert` over the whole file: one job by day, all at night.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findDifference } from '@utf8/systems/databases/difference';
import { toCopy, toTextCsv } from '@utf8/systems/databases/notation';
import { demand } from '@utf8/systems/databases/program';
import { utf8 } from '@utf8/systems/databases/utf8';
import { beforeAll, describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import {
  COPY,
  type Comparison,
  compare,
  convertSerially,
  expectEqual,
  type More,
  out,
  plantTable,
  root,
  SPLIT,
  uriOf,
  write,
} from '../src/comparison.js';
import { type FaultName, writeLauncher } from '../src/launcher.js';
import { LIMIT } from '../src/pyspark.js';
import {
  type Case,
  type Cluster,
  type Result,
  readKind,
  readSplits,
  runCases,
  withoutNames,
} from '../src/spark.js';

const RAW = '--from cesu-8+utf-8 --errors escape --nul replace';
const MARK = Buffer.from('\ufeff');

const planted = plantTable();
const dump = Buffer.concat(planted.rows.map(toCopy));
const csv = Buffer.concat([Buffer.from('id,name,note\n'), ...planted.rows.map(toTextCsv)]);

const compress = (program: string, bytes: Uint8Array): Buffer =>
  isNight ? demand(program, ['-1', '-c'], bytes) : Buffer.alloc(0);

const five = Array.from({ length: 5 }, (_, i) => Buffer.concat(plantTable(i).rows.map(toCopy)));

const daily = compare(`splits of ${SPLIT} bytes`, dump);

const whole = [
  ...[100_000, 100 << 20].map((split) => compare(`splits of ${split} bytes`, dump, { split })),
  compare('gz', dump, { file: 'orders.copy.gz', bytes: gzipSync(dump) }),
  compare('bz2', dump, { file: 'orders.copy.bz2', bytes: compress('bzip2', dump), split: 50_000 }),
  compare('zst', dump, { file: 'orders.copy.zst', bytes: compress('zstd', dump) }),
  compare('CR LF', Buffer.from(dump.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'), {
    options: '--format lines --from cesu-8+utf-8',
  }),
  compare('text without a format', dump, { options: RAW }),
  compare('CSV with quotes', csv, {
    file: 'orders.csv',
    options: '--format csv --from cesu-8+utf-8',
  }),
  compare('CSV without quotes', dump, {
    options: "--format csv --delimiter '\\t' --quote '' --no-header --from cesu-8+utf-8",
  }),
  compare('a byte order mark', Buffer.concat([MARK, dump])),
  compare('a byte order mark in gz', Buffer.concat([MARK, dump]), {
    file: 'orders.copy.gz',
    bytes: gzipSync(Buffer.concat([MARK, dump])),
  }),
  compare('a byte order mark that goes', Buffer.concat([MARK, MARK, dump]), {
    options: `${RAW} --bom strip`,
  }),
  compare('a name to be escaped', dump, { file: '100 % Größe+1.copy' }),
];

const unended = dump.subarray(0, -1);
const missingEnd = compare('no line feed at the end', Buffer.concat([unended, Buffer.from('\n')]), {
  bytes: unended,
});

const several: Case = {
  name: 'five files of one name',
  inputs: [join(root, 'in/five')],
  out: out('five'),
  options: COPY,
  utf8: join(root, 'works/utf8'),
  split: SPLIT,
};
for (const [i, bytes] of five.entries()) write(`five/${i}/orders.copy`, bytes);
write('five/empty.copy', Buffer.alloc(0));

const found = compare('findings', dump, { findings: true, split: 100_000 });

/** One task, so that both failures are its. */
const failing = (name: string, fault: FaultName): Comparison =>
  compare(name, dump, {
    utf8: writeLauncher(join(root, name), fault, 2),
    split: 100 << 20,
  });

const retried = [
  failing('two failed attempts', 'exit code 3'),
  failing('kill -9 of the command', 'kill -9'),
  failing('a command that stops reading', 'exit code 0 too early'),
];

const clean = Buffer.concat(
  planted.expected.slice(0, 8000).map(({ id }) => Buffer.from(`${id}\tx\n`.repeat(20))),
);
const faulty = Buffer.concat([clean, Buffer.from('7\t\xed\xa0\xbd\n', 'latin1'), clean]);
const strictRecords = compare('strict records', faulty, { strict: true });
const strictText = compare('strict text', faulty, { options: '--from cesu-8+utf-8' });

const refuse = (name: string, more: More): Case => compare(name, Buffer.from('1\ta\n'), more);

const refusals: readonly (readonly [Case, RegExp])[] = [
  ...(
    [
      ['-o x', /--output is not for Spark: OUT is the last argument/],
      ['--rejects x', /--rejects is not for Spark: rejected records are in OUT\/kind=rejects/],
      ['--stats=x', /--stats is not for Spark/],
      ['--undo x', /--undo is not for Spark/],
      ['--resume', /--resume is not for Spark/],
      ['--jobs 2', /--jobs is not for Spark/],
      ['--range 0-9', /--range is not for Spark/],
      ['--json', /--json is not for Spark/],
      ['--reject-children', /--reject-children is not for Spark/],
      ['--bom add', /--bom add is not for Spark/],
      ['--report x', /unknown option --report/],
      ['dump.copy', /unexpected argument dump.copy/],
      ['--columns', /--columns needs a value/],
      ["--quote '", /No closing quotation/],
      // Errors that only the command detects.
      ['--nul mayby', /--nul "mayby": expected keep, remove, replace, fail/],
      ['--delimiter', /--delimiter needs a value/],
    ] as const
  ).map(([word, sentence]) => [refuse(word, { options: `${COPY} ${word}` }), sentence] as const),
  [refuse('no --from', { options: '--format copy' }), /^--options: missing option --from LABEL$/],
  [refuse('no input', { inputs: [join(root, 'none')] }), /none: no such file or folder$/],
  [refuse('OUT exists', { out: root }), /: exists; choose a new folder/],
  [refuse('OUT is a glob', { out: join(root, 'a*') }), /the name of OUT may not contain/],
  [
    refuse('no program', { utf8: '/nowhere/utf8' }),
    /^utf8 is missing on .*: there is no program \/nowhere\/utf8/,
  ],
  [
    refuse('nothing shipped', { utf8: 'bundle/utf8' }),
    /^utf8 is missing on .*ship it with --archives/,
  ],
  [refuse('a hidden file', { file: '_orders.copy' }), /Spark skips names that begin with _ or \./],
  [
    refuse('gzip without its name', { file: 'orders', bytes: gzipSync(dump) }),
    /is compressed with gzip, but its name does not end with \.gz/,
  ],
  [refuse('findings of text', { options: RAW, findings: true }), /--findings needs a --format/],
  [
    {
      ...several,
      name: 'one input twice',
      out: out('twice'),
      inputs: [join(root, 'in/five'), join(root, 'in/five/1')],
    },
    /given twice, also in /,
  ],
];

const truncated = refuse('a truncated gz', {
  file: 'orders.copy.gz',
  bytes: gzipSync(dump).subarray(0, 100_000),
});

const local: Cluster = { master: 'local[2,4]' };

let results: ReadonlyMap<string, Result>;
beforeAll(() => {
  const nightly = [
    ...whole,
    missingEnd,
    several,
    found,
    ...retried,
    strictRecords,
    strictText,
    ...refusals.map(([each]) => each),
    truncated,
  ];
  results = runCases(root, local, isNight ? [daily, ...nightly] : [daily]);
}, LIMIT);

describe('Spark on one host', () => {
  it('bytes, rejects and counts are those of one run', () => {
    const totals = expectEqual(daily, results.get(daily.name));
    expect(totals.splits).toBeGreaterThan(1);
    expect(totals.utf8).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('the counts of splits say which part has them, and where', () => {
    const splits = readSplits(daily.out);
    expect(splits.map(({ part }) => part)).toEqual(splits.map((_, i) => i));
    expect(splits.map(({ split }) => split)).toEqual(splits.map((_, i) => i * SPLIT));
    expect(splits.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(dump.length);
    expect(splits.reduce((sum, { lines }) => sum + lines, 0)).toBe(planted.rows.length);
  });
});

describe('Spark on one host, in all', { tags: ['night'] }, () => {
  it.each(whole.map((each) => [each.name, each] as const))(
    '%s: bytes, rejects and counts are those of one run',
    (name, each) => {
      const totals = expectEqual(each, results.get(name));
      const isOne = /gz|zst|quotes$|104857600/.test(name) && !name.includes('without');
      expect(totals.splits === 1).toBe(isOne);
      expect(totals.utf8).toMatch(/^\d+\.\d+\.\d+/);
    },
  );

  it('a missing last line feed is said', () => {
    const { notices, files } = expectEqual(missingEnd, results.get(missingEnd.name));
    expect(notices).toEqual([`${files[0]?.file}: has no line feed at its end; the output has one`]);
    expect(files[0]).toMatchObject({ endsWithLineFeed: false, bytes: dump.length });
    expect(files[0]?.size).toBe(dump.length - 1);
  });

  it('files that are not cut are said', () => {
    const result = results.get('CSV with quotes');
    expect(result?.totals?.notices).toEqual([
      expect.stringMatching(/^--format csv: each file was one task/),
    ]);
  });

  it('five files of one name: their lines, their counts, and the order within each', () => {
    const { totals } = results.get(several.name) as Result;
    const output = readKind(several.out, 'out')
      .toString('latin1')
      .split(/(?<=\n)/);
    const rejects = readKind(several.out, 'rejects')
      .toString('latin1')
      .split(/(?<=\n)/);
    const serial = five.map((bytes) => convertSerially(bytes, COPY));
    const sorted = (lines: readonly string[]): string[] => [...lines].sort();
    const linesOf = (name: 'output' | 'rejects'): string[] =>
      serial.flatMap((each) => each[name].toString('latin1').split(/(?<=\n)/));
    expect(
      findDifference(sorted(output).join(''), sorted(linesOf('output')).join('')),
    ).toBeUndefined();
    expect(
      findDifference(sorted(rejects).join(''), sorted(linesOf('rejects')).join('')),
    ).toBeUndefined();
    for (const [i, { stats, output: expected }] of serial.entries()) {
      const file = uriOf(join(root, `in/five/${i}/orders.copy`));
      const counts = totals?.files.find((each) => each.file === file);
      expect(withoutNames(counts?.stats ?? {})).toEqual(withoutNames(stats));
      // A line that no other file has is enough to follow the order.
      const own = new Set(expected.toString('latin1').split(/(?<=\n)/));
      for (const [j, other] of serial.entries()) {
        if (i === j) continue;
        for (const line of other.output.toString('latin1').split(/(?<=\n)/)) own.delete(line);
      }
      const inOrder = expected
        .toString('latin1')
        .split(/(?<=\n)/)
        .filter((line) => own.has(line));
      expect(output.filter((line) => own.has(line)).join('')).toBe(inOrder.join(''));
    }
    const empty = totals?.files.find(({ file }) => file.endsWith('/empty.copy'));
    expect(empty).toMatchObject({ size: 0, splits: 0, bytes: 0, lines: 0 });
  });

  it('findings are those of one scan, and splits say where they are in the file', () => {
    expectEqual(found, results.get(found.name));
    const report = join(root, 'report.jsonl');
    const [input] = found.inputs as [string];
    utf8(['scan', ...COPY.split(' '), '--report', report, input]);
    const bases = new Map<number, { offset: number; line: number }>();
    let offset = 0;
    let line = 0;
    for (const { split, bytes, lines } of readSplits(found.out)) {
      bases.set(split, { offset, line });
      offset += bytes;
      line += lines;
    }
    expect(bases.size).toBeGreaterThan(2);
    const lines = readKind(found.out, 'findings').toString().trim().split('\n');
    const findings = lines.map((text) => {
      const { split, ...finding } = JSON.parse(text);
      const base = bases.get(split) as { offset: number; line: number };
      finding.record += base.line;
      finding.line += base.line;
      finding.offset += base.offset;
      return finding;
    });
    const expected = readFileSync(report, 'utf8').trim().split('\n');
    expect(findings).toEqual(expected.map((text) => ({ ...JSON.parse(text), file: uriOf(input) })));
  });

  it.each(retried.map((each) => [each.name, each] as const))(
    '%s: the third attempt makes what one run makes',
    (name, each) => {
      expectEqual(each, results.get(name));
      expect(results.get(name)?.failures).toBe(2);
    },
  );

  it.each([strictRecords, strictText].map((each) => [each.name, each] as const))(
    '%s: a fault fails the job, names its place, and leaves nothing',
    (name, each) => {
      const { error, message } = results.get(name) as Result;
      expect(error).toBe('Failure');
      // A line belongs to the split before if it begins at its end.
      const split = SPLIT * (Math.ceil(clean.length / SPLIT) - 1);
      const [file = ''] = each.inputs.map(uriOf);
      expect(message).toContain(`${file}: split at byte ${split}, line `);
      expect(message).toMatch(/surrogate: ED( A0 BD)? \(byte \d+ of the file\)$/);
      expect(message).toContain(`(byte ${clean.length + 2} of the file)`);
      expect(existsSync(each.out)).toBe(false);
    },
  );

  it.each(refusals.map(([each, sentence]) => [each.name, each, sentence] as const))(
    '%s is refused in one sentence, before anything is written',
    (name, each, sentence) => {
      const { error, message } = results.get(name) as Result;
      expect([error, message]).toEqual(['Refusal', expect.stringMatching(sentence)]);
      expect(message).not.toContain('\n');
      expect(each.out === root || !existsSync(each.out)).toBe(true);
    },
  );

  it('a truncated gz fails the job', () => {
    const { error, message } = results.get(truncated.name) as Result;
    expect([error, message]).toEqual([
      'Failure',
      expect.stringMatching(
        /^Encountered error while reading file .*orders\.copy\.gz: Unexpected end of input stream$/,
      ),
    ]);
    expect(existsSync(truncated.out)).toBe(false);
  });
});
