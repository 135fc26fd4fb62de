import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { Run } from '../src/convert/run.js';
import type { ByteRange } from '../src/cut/range.js';
import { convertDump, type FormatOptions, scanDump } from '../src/index.js';
import { openInput } from '../src/open/input.js';
import type { Source } from '../src/open/source.js';
import { createPlan } from '../src/plan.js';
import { CutIndex } from '../src/seek/cut-index.js';
import { type Dump, latin, path, prepare, scan, setDistance, small } from './indexed-files.js';
import { createDump } from './random-dump.js';

describe('an index', () => {
  const whole = Object.entries(small).filter(([name]) => !name.includes('malformed'));

  it.each(whole)('of %s is the same if a scan writes it', async (_, dump) => {
    const lines = await prepare(dump);
    const wanted = await scan(dump, {});
    expect(await scan(dump, { index: path('in.index') })).toEqual(wanted);
    expect(readFileSync(path('in.index'), 'utf8').trim().split('\n')).toEqual(lines);
  });

  it('has a line for each cut, of about 80 bytes', async () => {
    setDistance(1 << 14);
    const lines = await prepare({ format: 'csv', bytes: createDump('csv', seed, 20_000) });
    expect(lines.length).toBeGreaterThan(40);
    const bytes = Buffer.byteLength(lines.join('\n'));
    expect(bytes / lines.length).toBeLessThan(85);
    const cuts = lines.slice(1, -1).map((line) => JSON.parse(line).offset);
    for (const [i, offset] of cuts.entries()) {
      expect(offset - (cuts[i - 1] ?? 0)).toBeGreaterThanOrEqual(1 << 14);
      expect(offset - (cuts[i - 1] ?? 0)).toBeLessThan(1 << 16);
    }
  });

  it('says once what tables there are', async () => {
    const create = (i: number): string => `CREATE TABLE t${i} (a text, b blob);\n`;
    const insert = (i: number): string => `INSERT INTO t${i} VALUES ('${'x'.repeat(99)}','');\n`;
    const text = Array.from({ length: 100 }, (_, i) => create(i) + insert(i)).join('');
    const lines = await prepare({ format: 'mysqldump', bytes: latin(text) });
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.join('\n').match(/"name":"t7"/g)).toHaveLength(1);
  });

  it('has cuts between records that exceed memory', { tags: ['slow'] }, async () => {
    const long = `"${'a,\n'.repeat(1_400_000)}"\n`;
    const lines = await prepare({ format: 'csv', bytes: latin(`h\n${long}${long}`) });
    const cuts = lines.slice(1, -1).map((line) => JSON.parse(line));
    expect(cuts.map(({ offset, line, record }) => [offset, line, record])).toEqual([
      [2 + long.length, 1_400_003, 2],
    ]);
  });

  it('is written again by a scan, whatever index it was', async () => {
    const dump = small.tsv as Dump;
    await prepare(dump);
    const written = readFileSync(path('in.index'));
    writeFileSync(path('in.index'), '{"index":0}');
    await scan(dump, { index: path('in.index') });
    expect(readFileSync(path('in.index')).equals(written)).toBe(true);
  });

  it('is not written of a file that cannot be read to its end', async () => {
    writeFileSync(path('in'), 'a\n"b\n');
    rmSync(path('in.index'), { force: true });
    const index = path('in.index');
    expect(await scan({ format: 'csv', bytes: Buffer.alloc(0) }, { index })).toMatchObject({
      failures: [
        expect.stringContaining('unterminated quoted field; close the quote, or set `quote`'),
      ],
    });
    const range = { from: 0, to: 1 };
    await expect(
      convertDump({
        ...{ input: path('in'), output: path('out'), from: 'utf-8', format: 'csv' },
        ...{ range, index },
      }),
    ).rejects.toThrow(
      `${path('in')}:2: unterminated quoted field; close the quote, or set \`quote\``,
    );
    expect(readdirSync(path('.')).filter((name) => name.includes('in.index'))).toEqual([]);
  });

  it('is refused where nothing is found by it', async () => {
    writeFileSync(path('in'), 'a\n');
    const base = { input: path('in'), output: path('out'), from: 'utf-8', index: path('in.index') };
    const range = { from: 0, to: 1 };
    await expect(convertDump({ ...base, format: 'none', range })).rejects.toThrow(
      'ranges of plain text need no index; specify a format',
    );
    await expect(convertDump({ ...base, format: 'csv' })).rejects.toThrow('`index` needs `range`;');
    await expect(convertDump({ ...base, format: 'csv', range, index: '-' })).rejects.toThrow(
      '`index` needs a file of its own; specify one',
    );
    const files = { input: [path('in'), path('in')], index: path('in.index') };
    await expect(scanDump({ ...files, format: 'csv', from: 'utf-8' })).rejects.toThrow(
      '`index` needs a single input',
    );
  });
});

describe('an index is refused', () => {
  const bytes = createDump('csv', 1, 12);
  const time = new Date('2026-01-02T03:04:05.678Z');

  const convertMiddle = (formatOptions: FormatOptions = {}, format = 'csv'): Promise<unknown> =>
    convertDump({
      ...{ input: path('in'), output: path('out'), rejects: path('rejects') },
      ...{ from: 'cesu-8+utf-8', format, formatOptions },
      ...{ range: { from: 500, to: 700 }, index: path('in.index') },
    });

  const expectRefusal = async (why: string, options?: FormatOptions, format?: string) => {
    await expect(convertMiddle(options, format), why).rejects.toMatchObject({
      code: 'ERR_UTF8_USAGE',
      message: expect.stringContaining(why),
    });
    const left = readdirSync(path('.')).filter((name) => name.includes('utf8-'));
    expect(left).toEqual([]);
  };

  /** The index of the file. */
  let intact = Buffer.alloc(0);

  beforeEach(async () => {
    writeFileSync(path('in'), bytes);
    utimesSync(path('in'), time, time);
    rmSync(path('in.index'), { force: true });
    await convertMiddle();
    intact = readFileSync(path('in.index'));
    // It is accepted if nothing has changed.
    await convertMiddle({ header: true });
    expect(readFileSync(path('in.index')).equals(intact)).toBe(true);
  });

  it.each([
    ['delimiter', { delimiter: ';' }],
    ['quote', { quote: "'" }],
    ['escape', { escape: '\\' }],
    ['quotedEscape', { quotedEscape: '\\' }],
    ['header', { header: false }],
    ['columns', { columns: 'a,b,c' }],
    ['binary', { binary: '1' }],
    ['jsonColumns', { jsonColumns: '1' }],
  ])('if it was written with a different %s', async (name, options) => {
    await expectRefusal(
      `in.index: was written with a different \`${name}\`; use the same, or remove this file to write it again`,
      options,
    );
  });

  it('if it was written with another format', async () => {
    await expectRefusal('in.index: was written with a different `format`; use', {}, 'tsv');
  });

  const other = 'has changed since it was written; to write it again, remove this file';

  it.each<[string, (file: string) => void]>([
    [
      'size',
      (file) => {
        appendFileSync(file, '9,x,y\n');
        utimesSync(file, time, time);
      },
    ],
    ['time', (file) => utimesSync(file, time, new Date(time.getTime() + 1))],
    [
      'content before the cut',
      (file) => {
        const { offset } = intact
          .toString()
          .split('\n')
          .slice(1, -2)
          .map((line) => JSON.parse(line))
          .filter(({ offset }) => offset <= 500)
          .at(-1);
        const changed = Buffer.from(bytes);
        changed[offset - 64] = (changed[offset - 64] as number) ^ 1;
        writeFileSync(file, changed);
        utimesSync(file, time, time);
      },
    ],
  ])('if the file has another %s', async (_, change) => {
    change(path('in'));
    await expectRefusal(`in.index: belongs to another file, or ${path('in')} ${other}`);
  });

  it('if another version has written it', async () => {
    const why = 'in.index: was written by another version of utf8;';
    for (const [from, to] of [
      ['{"index":1,', '{"index":2,'],
      ['"version":"', '"version":"9.'],
    ] as const) {
      const changed = intact.toString().replace(from, to);
      expect(changed).not.toBe(intact.toString());
      writeFileSync(path('in.index'), changed);
      await expectRefusal(why);
    }
  });

  it('if it is truncated anywhere', async () => {
    for (const length of choose([...intact.keys()], scale(500))) {
      writeFileSync(path('in.index'), intact.subarray(0, length));
      await expectRefusal(`in.index: is ${length < 9 ? 'not an' : 'damaged or incomplete;'}`);
    }
  });

  it('if any bit of it is damaged', async () => {
    for (const i of choose([...intact.keys()], scale(500))) {
      const damaged = Buffer.from(intact);
      damaged[i] = (damaged[i] as number) ^ (1 << (i % 8));
      writeFileSync(path('in.index'), damaged);
      await expectRefusal('in.index: ');
    }
    writeFileSync(path('in.index'), `${intact}\n`);
    await expectRefusal('in.index: is damaged or incomplete;');
  });

  it('if it is another file, which stays', async () => {
    writeFileSync(path('in.index'), 'id,name\n');
    await expectRefusal('in.index: is not an index of utf8; choose another file');
    const dump = { format: 'csv', bytes };
    await expect(scan(dump, { index: path('in.index') })).rejects.toThrow('is not an index');
    expect(readFileSync(path('in.index'), 'utf8')).toBe('id,name\n');
    await expect(scan(dump, { index: path('.') })).rejects.toThrow(
      `\`index\` requires a regular file; ${path('.')} is not one`,
    );
  });
});

describe('what is read', () => {
  /** Counts the bytes that are read of a source. */
  const count = (source: Source): { source: Source; read: { bytes: number } } => {
    const read = { bytes: 0 };
    const counting = {
      ...source,
      async read(into: Uint8Array, position: number) {
        const length = await source.read(into, position);
        read.bytes += length;
        return length;
      },
    };
    return { source: counting, read };
  };

  /** Measures the number of bytes that are read for a range. */
  async function measureRange(range: ByteRange, hasIndex: boolean): Promise<number> {
    const plan = createPlan([path('in')], { format: 'csv', from: 'cesu-8+utf-8', range });
    const sinks = { has: (sink: string) => sink === 'rejects', write: async () => {} };
    const run = new Run(plan, sinks, undefined, undefined);
    const opened = await openInput(path('in'), { compressed: false });
    const { source, read } = count(opened);
    const index = CutIndex.read(path('in.index'), source, plan.choice);
    if (hasIndex) run.useIndex(index as CutIndex);
    await run.convert(source);
    await opened.close();
    return read.bytes;
  }

  /** The most for a range besides its own bytes: a cut and two segments are read twice. */
  const more = (1 << 16) + 2 * (3 << 16);

  async function prepareRows(rows: number): Promise<number> {
    setDistance(1 << 16);
    const bytes = createDump('csv', seed, rows);
    await prepare({ format: 'csv', bytes });
    return bytes.length;
  }

  it('of the last range is little with an index, and the file without one', async () => {
    const length = await prepareRows(15_000);
    const range = { from: length - 1000, to: length };
    expect(length).toBeGreaterThan(2 * more);
    expect(await measureRange(range, true)).toBeLessThan(1000 + more);
    expect(await measureRange(range, false)).toBeGreaterThanOrEqual(length);
  });

  it('of all ranges is the file, and a little for each', { tags: ['slow'] }, async () => {
    const length = await prepareRows(200_000);
    const ranges = 16;
    const step = Math.ceil(length / ranges);
    const total = { with: 0, without: 0 };
    for (let from = 0; from < length; from += step) {
      total.with += await measureRange({ from, to: from + step }, true);
      total.without += await measureRange({ from, to: from + step }, false);
    }
    expect(total.with).toBeLessThan(length + ranges * more);
    expect(total.without).toBeGreaterThan(length * (ranges / 2 - 1));
  });
});
