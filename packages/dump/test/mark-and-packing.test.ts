/** U+FEFF at the start of every format, and outputs that are compressed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convertDump } from '../src/convert/convert.js';
import { OutputError, UsageError } from '../src/error.js';
import { formatNames } from '../src/format/registry.js';
import { revertDump } from '../src/revert/revert.js';
import { scanDump } from '../src/scan/scan.js';
import { Packer } from '../src/sink/packer.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

const MARK = Buffer.from('EFBBBF', 'hex');
const PAIR = Buffer.from('EDA0BDEDB880', 'hex');
const from = 'cesu-8+utf-8';

/** A file of each format, with a pair in its first record. */
const files: Readonly<Record<string, string>> = {
  lines: 'x<>\n',
  copy: '1\t<>\n',
  csv: 'id,name\r\n1,caf<>\r\n2,<>\r\n',
  tsv: 'id\tname\n1\t<>\n',
  tab: '1\t<>\n',
  json: '[{"a":"<>"},\n{"a":1}]\n',
  jsonl: '{"a":"<>"}\n',
  mysqldump:
    "/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `t` (`a` text);\nINSERT INTO `t` VALUES ('<>');\n",
  pg_dump: 'CREATE TABLE t (a text);\nCOPY t (a) FROM stdin;\n<>\n\\.\n',
  sqlite: "PRAGMA foreign_keys=OFF;\nCREATE TABLE t (a text);\nINSERT INTO t VALUES('<>');\n",
  none: '<>\n',
};

const spell = (text: string, pair: Uint8Array): Buffer =>
  Buffer.concat(
    text
      .split('<>')
      .flatMap((part, i) => (i > 0 ? [pair, Buffer.from(part)] : [Buffer.from(part)])),
  );

const convert = async (format: string, bom: 'keep' | 'strip' | 'add', input: Buffer, jobs = 1) => {
  writeFileSync(path('in'), input);
  const files = { input: path('in'), output: path('out'), undo: path('undo') };
  const formatOptions = format === 'tab' ? { assume: 'text' } : {};
  const report = await convertDump({ ...files, from, format, formatOptions, bom, jobs });
  expect(report.status).toBe('converted');
  await revertDump({ input: path('out'), undo: path('undo'), output: path('again') });
  expect(readFileSync(path('again'))).toEqual(input);
  expect(report.stats?.bytesWritten).toBe(readFileSync(path('out')).length);
  return readFileSync(path('out'));
};

describe.each([...formatNames, 'none'])('a byte order mark in %s', (format) => {
  const text = files[format] as string;
  const before = spell(text, PAIR);
  const after = spell(text, Buffer.from('😀'));
  const marked = Buffer.concat([MARK, before]);

  it('is kept, removed or added, and reverted', async () => {
    expect(await convert(format, 'keep', marked)).toEqual(Buffer.concat([MARK, after]));
    expect(await convert(format, 'strip', marked)).toEqual(after);
    expect(await convert(format, 'strip', before)).toEqual(after);
    expect(await convert(format, 'add', before)).toEqual(Buffer.concat([MARK, after]));
    expect(await convert(format, 'add', marked)).toEqual(Buffer.concat([MARK, after]));
  });

  it('is found by a scan', async () => {
    // Plain text is not scanned.
    if (format === 'none') return;
    for (const [input, kinds] of [
      [marked, { pair: 1, 'byte-order-mark': 1 }],
      [before, { pair: 1 }],
    ] as const) {
      writeFileSync(path('in'), input);
      const formatOptions = format === 'tab' ? { assume: 'text' } : {};
      const report = await scanDump({ input: path('in'), from, format, formatOptions });
      expect(Object.keys(report.findings)).toEqual(Object.keys(kinds));
      expect(report.examples['byte-order-mark']?.[0]).toEqual(
        input === marked
          ? {
              file: path('in'),
              record: 0,
              line: 1,
              column: 0,
              offset: 0,
              kind: 'byte-order-mark',
              bytes: 'EF BB BF',
            }
          : undefined,
      );
    }
  });
});

it('a mark within a file stays, and one of a range is that of the file', async () => {
  const twice = Buffer.concat([MARK, Buffer.from('a\n'), MARK, Buffer.from('b\n')]);
  expect(await convert('lines', 'strip', twice)).toEqual(twice.subarray(3));
  writeFileSync(path('in'), twice);
  const options = { input: path('in'), output: path('out'), from, format: 'lines' } as const;
  await convertDump({ ...options, bom: 'strip', range: { from: 5, to: 20 } });
  expect(readFileSync(path('out'))).toEqual(twice.subarray(5));
  await convertDump({ ...options, bom: 'add', range: { from: 5, to: 20 } });
  expect(readFileSync(path('out'))).toEqual(twice.subarray(5));
});

describe('an output whose name ends with .gz', () => {
  const rows = Buffer.concat(
    Array.from({ length: 1000 }, (_, i) =>
      Buffer.concat([Buffer.from(`${i},`), PAIR, Buffer.from('\n')]),
    ),
  );
  const after = Buffer.from(
    rows.toString('latin1').replaceAll(PAIR.toString('latin1'), 'ð\x9f\x98\x80'),
    'latin1',
  );

  it.each(['csv', 'none'])('is compressed, in %s, and reverted', async (format) => {
    writeFileSync(path('in.csv'), rows);
    const undo = path('undo.jsonl.gz');
    await convertDump({ input: path('in.csv'), output: path('out.csv.gz'), undo, from, format });
    expect(zlib.gunzipSync(readFileSync(path('out.csv.gz')))).toEqual(after);
    expect(readFileSync(undo).readUInt16BE()).toBe(0x1f8b);
    await revertDump({ input: path('out.csv.gz'), undo, output: path('again.csv') });
    expect(readFileSync(path('again.csv'))).toEqual(rows);
    await revertDump({ input: path('out.csv.gz'), undo, output: path('again.csv.GZ') });
    expect(zlib.gunzipSync(readFileSync(path('again.csv.GZ')))).toEqual(rows);
  });

  it('of ranges is a whole one if they are joined', async () => {
    writeFileSync(path('in.csv'), rows);
    const options = {
      input: path('in.csv'),
      output: path('part.gz'),
      from,
      format: 'csv',
    } as const;
    const parts: Buffer[] = [];
    for (const range of [
      { from: 0, to: 1000 },
      { from: 1000, to: rows.length },
    ]) {
      await convertDump({ ...options, range });
      parts.push(readFileSync(path('part.gz')));
    }
    expect(zlib.gunzipSync(Buffer.concat(parts))).toEqual(after);
  });

  it('is not resumed', async () => {
    writeFileSync(path('in.csv'), rows);
    const options = { input: path('in.csv'), from, format: 'csv', resume: true };
    await expect(convertDump({ ...options, output: path('no.gz') })).rejects.toThrow(
      `\`resume\` cannot continue ${path('no.gz')}, since nothing can be added to half of a compressed stream; write it without .gz or .zst, and compress it afterwards`,
    );
    expect(existsSync(path('no.gz'))).toBe(false);
  });

  it('is left as it was if the run fails', async () => {
    mkdirSync(path('failed'));
    writeFileSync(path('failed/in.csv'), Buffer.concat([rows, Buffer.from('1,"open\n')]));
    writeFileSync(path('failed/out.gz'), 'before');
    const options = {
      input: path('failed/in.csv'),
      output: path('failed/out.gz'),
      from,
      format: 'csv',
    };
    await expect(convertDump(options)).rejects.toThrow('unterminated');
    expect(readFileSync(path('failed/out.gz'), 'utf8')).toBe('before');
    expect(readdirSync(path('failed')).sort()).toEqual(['in.csv', 'out.gz']);
  });

  it('that cannot be written says why', async () => {
    const full = new OutputError('out.gz: no space left on the device');
    const packer = new Packer(zlib.createGzip(), async () => {
      throw full;
    });
    const write = async (): Promise<void> => {
      for (let i = 0; i < 100; i++)
        await packer.write(Buffer.from(Array.from({ length: 9999 }, (_, k) => (k * k * i) % 251)));
      await packer.finish();
    };
    await expect(write()).rejects.toBe(full);
  });
});

describe('an output whose name ends with .zst', () => {
  it('is compressed, or refused before anything is written', async () => {
    mkdirSync(path('zst'));
    writeFileSync(path('in.csv'), 'a\n');
    const { zstdDecompressSync: unpack } = zlib as {
      zstdDecompressSync?(bytes: Uint8Array): Buffer;
    };
    for (const format of ['csv', 'none']) {
      const run = convertDump({ input: path('in.csv'), output: path('zst/out.zst'), from, format });
      if (unpack) {
        await run;
        expect(unpack(readFileSync(path('zst/out.zst'))).toString()).toBe('a\n');
      } else {
        await expect(run).rejects.toThrow(UsageError);
        expect(readdirSync(path('zst'))).toEqual([]);
      }
    }
  });
});
