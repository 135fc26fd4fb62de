import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isNight, seed } from '../../../tooling/tiers/tier.js';
import { findDelta } from '../src/checkpoint/delta.js';
import { Run, type SinkName } from '../src/convert/run.js';
import type { ByteRange } from '../src/cut/range.js';
import { findUnit } from '../src/cut/unit.js';
import { convertDump, type FormatOptions, type ScanFinding, scanDump } from '../src/index.js';
import { openInput } from '../src/open/input.js';
import type { Source } from '../src/open/source.js';
import { createPlan, findFormatOf } from '../src/plan.js';
import { CutIndex, describeHead, formatIndex, sumBefore } from '../src/seek/cut-index.js';
import { openIndex } from '../src/seek/index-writer.js';
import { createDump, createRandom, formatOptions } from './random-dump.js';
import { hex, useFolder } from './use-folder.js';

const path = useFolder();

/** Sets the distance of cuts, so that small files have many. */
const setDistance = (bytes: number): void => void vi.stubEnv('UTF8_TEST_STEP', `${bytes}`);

beforeEach(() => setDistance(64));
afterEach(() => void vi.unstubAllEnvs());

/** How many bytes lie between the places that ranges begin at. */
const STRIDE = isNight ? 1 : 3;
const everywhere = STRIDE === 1 ? 'at every byte' : 'at every third byte';

interface Dump {
  readonly format: string;
  readonly options?: FormatOptions;
  readonly bytes: Buffer;
}

const PAIR = hex('ED A0 BD ED B8 80').toString('latin1');
const LONE = hex('ED A0 BD').toString('latin1');

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Files in which a line feed, or what looks like the end of a record, may be within one. */
const small: Readonly<Record<string, Dump>> = {
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
  lines: { format: 'lines', bytes: latin(`\xef\xbb\xbfa\r\n${PAIR}\n${LONE}\n\nb`) },
  copy: { format: 'copy', bytes: latin(`1\t${PAIR}\n2\t${LONE}\n3\t\\\\\n\\.\n`) },
};

/** Everything that comes of a range. */
interface Made {
  readonly sinks: Readonly<Partial<Record<SinkName, string>>>;
  readonly refusal: unknown;
}

/** Converts a range, in memory. */
async function convert(
  file: string,
  { format, options = {} }: Dump,
  range: ByteRange,
  rejects: boolean,
  index?: string,
): Promise<Made> {
  const plan = createPlan([file], {
    format,
    formatOptions: options,
    from: 'cesu-8+utf-8',
    range,
    allow: ['narrow column', 'narrow connection'],
  });
  const parts: Partial<Record<SinkName, Buffer[]>> = {};
  const run = new Run(
    plan,
    {
      has: (name) => rejects || name !== 'rejects',
      async write(name, bytes) {
        parts[name] = [...(parts[name] ?? []), Buffer.from(bytes)];
      },
    },
    undefined,
    undefined,
  );
  const source = await openInput(file, { compressed: false });
  try {
    if (index !== undefined) {
      run.useIndex(CutIndex.read(index, source, plan.format) as CutIndex);
    }
    await run.begin(undefined);
    const refusal = await run.convert(source).catch(({ message }: Error) => message);
    if (!refusal) await run.finish();
    const sinks = Object.entries(parts).map(([name, all]) => [
      name,
      Buffer.concat(all).toString('latin1'),
    ]);
    return { sinks: Object.fromEntries(sinks), refusal };
  } finally {
    await source.close();
  }
}

/** Writes a file and its index. */
async function prepare({ format, options = {}, bytes }: Dump): Promise<string[]> {
  writeFileSync(path('in'), bytes);
  rmSync(path('in.index'), { force: true });
  const source = await openInput(path('in'), { compressed: false });
  const plan = createPlan([path('in')], { format, formatOptions: options, from: 'utf-8' });
  await openIndex(path('in.index'), source, findFormatOf(plan), plan.format);
  await source.close();
  return readFileSync(path('in.index'), 'utf8').trim().split('\n');
}

/** Writes an index with a cut at every unit of a file, and returns how many there are. */
async function cutEverywhere({ format, options = {}, bytes }: Dump): Promise<number> {
  const plan = createPlan([path('in')], { format, formatOptions: options, from: 'utf-8' });
  const reader = findFormatOf(plan);
  const source = await openInput(path('in'), { compressed: false });
  const lines: string[] = [];
  let { state } = reader.createReader();
  for (let offset = 0; ; ) {
    const unit = findUnit(reader, state, bytes.subarray(offset), 1, true);
    offset += unit?.offset ?? 0;
    if (!unit || offset >= bytes.length) break;
    const { line, record, context } = unit.state;
    const change = findDelta(lines.length === 0 ? null : state.context, context);
    const before = await sumBefore(source, offset);
    lines.push(JSON.stringify({ offset, line, record, context: change, before }));
    state = unit.state;
  }
  writeFileSync(path('in.index'), formatIndex(describeHead(source, plan.format), lines));
  await source.close();
  return lines.length;
}

/** Scans the file, and returns all that is found. */
const scan = async ({ format, options = {} }: Dump, more: object): Promise<object> => {
  const findings: ScanFinding[] = [];
  const onFinding = (finding: ScanFinding): void => void findings.push(finding);
  const what = { input: path('in'), format, formatOptions: options, from: 'cesu-8+utf-8' };
  const failures: string[] = [];
  const onFailure = (_: string, { message }: Error): void => void failures.push(message);
  const report = await scanDump({ ...what, onFinding, onFailure, ...more });
  return { findings, failures, report: report.toJSON(), suggested: report.suggested };
};

describe('a range that is found by an index is what it is without one', () => {
  const random = createRandom(seed);

  const compareAll = async (dump: Dump): Promise<void> => {
    let ranges = 0;
    for (let from = random(STRIDE); from <= dump.bytes.length + 1; from += STRIDE) {
      const compare = async (range: ByteRange, rejects: boolean): Promise<void> => {
        const found = await convert(path('in'), dump, range, rejects, path('in.index'));
        expect(found).toEqual(await convert(path('in'), dump, range, rejects));
      };
      await compare({ from, to: from + 30 }, true);
      // Ends at the first record that is refused, with its line.
      if (ranges++ % 3 === 0) await compare({ from, to: Number.POSITIVE_INFINITY }, false);
    }
  };

  it.each(Object.entries(small))(`%s, ${everywhere}`, async (_, dump) => {
    writeFileSync(path('in'), dump.bytes);
    expect(await cutEverywhere(dump)).toBeGreaterThan(1);
    await compareAll(dump);
  });

  const dialects: readonly FormatOptions[] = [
    {},
    { header: false },
    { escape: '\\', header: false },
    { quotedEscape: '\\', quote: "'" },
    { quote: '', escape: '\\' },
  ];

  it.each(dialects)(
    `csv of quotes, escapes and line ends at random, %j, ${everywhere}`,
    async (options) => {
      const parts = [
        '"',
        '""',
        "'",
        ',',
        ',"',
        '",',
        '\n',
        '\r\n',
        '\n"',
        '"\n',
        '\\',
        'a',
        PAIR,
        LONE,
      ];
      let cuts = 0;
      for (let files = 0; files < 5; ) {
        const text = Array.from({ length: 1 + random(30) }, () => parts[random(parts.length)]).join(
          '',
        );
        const dump = {
          format: 'csv',
          options,
          bytes: latin(random(4) === 0 ? `\xef\xbb\xbf${text}` : text),
        };
        writeFileSync(path('in'), dump.bytes);
        // Most of them are malformed.
        const found = await cutEverywhere(dump).catch(() => 0);
        if (found < 2) continue;
        cuts += found;
        files++;
        await compareAll(dump);
      }
      expect(cuts).toBeGreaterThan(9);
    },
  );

  it.each(Object.entries(small))(`%s, scanned ${everywhere}`, async (_, dump) => {
    writeFileSync(path('in'), dump.bytes);
    await cutEverywhere(dump);
    for (let from = random(STRIDE); from <= dump.bytes.length + 1; from += STRIDE) {
      const range = { from, to: from + 20 };
      const found = await scan(dump, { range, index: path('in.index') });
      expect(found).toEqual(await scan(dump, { range }));
    }
  });

  const formats = ['csv', 'tsv', 'tab', 'mysqldump', 'pg_dump', 'sqlite', 'json', 'jsonl', 'copy'];

  it.each(formats)('%s with thousands of records, at random', async (format) => {
    setDistance(4096);
    const options = formatOptions[format] ?? {};
    const dump = { format, options, bytes: createDump(format, random(2 ** 31), 4000) };
    const lines = await prepare(dump);
    const { length } = dump.bytes;
    expect(lines.length).toBeGreaterThan(length / 3 / 4096);
    const cuts = [0, ...Array.from({ length: 8 }, () => random(length)), length].sort(
      (a, b) => a - b,
    );
    const parts: Record<string, string[]> = { with: [], without: [] };
    for (const [i, from] of cuts.slice(0, -1).entries()) {
      const range = { from, to: cuts[i + 1] as number };
      const seen = { with: path('in.index'), without: undefined };
      const make = async ([name, index]: [string, string | undefined]) => {
        const at = (result: string): string => path(`${name}.${result}`);
        const report = await convertDump({
          ...{ input: path('in'), format, formatOptions: options, from: 'cesu-8+utf-8' },
          ...{ output: at('out'), rejects: at('rejects'), undo: at('undo'), stats: at('stats') },
          ...{ range, index, allow: ['orphaned row', 'equal keys'] },
        });
        parts[name]?.push(readFileSync(at('out'), 'latin1'));
        const files = ['out', 'rejects', 'undo', 'stats'];
        return { report, files: files.map((file) => readFileSync(at(file), 'latin1')) };
      };
      const [found, wanted] = await Promise.all(Object.entries(seen).map(make));
      expect(found).toEqual(wanted);
      const scanned = await scan(dump, { range, index: path('in.index') });
      expect(scanned).toEqual(await scan(dump, { range }));
    }
    expect(parts.with?.join('')).toBe(parts.without?.join(''));
  });
});

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
    const text = Array.from({ length: 400 }, (_, i) => create(i) + insert(i)).join('');
    const lines = await prepare({ format: 'mysqldump', bytes: latin(text) });
    expect(lines.length).toBeGreaterThan(400);
    expect(lines.join('\n').match(/"name":"t7"/g)).toHaveLength(1);
  });

  it('has cuts between records that exceed memory', async () => {
    const long = `"${'a,\n'.repeat(2_000_000)}"\n`;
    const lines = await prepare({ format: 'csv', bytes: latin(`h\n${long}${long}`) });
    const cuts = lines.slice(1, -1).map((line) => JSON.parse(line));
    expect(cuts.map(({ offset, line, record }) => [offset, line, record])).toEqual([
      [2 + long.length, 2_000_003, 2],
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
        expect.stringContaining('unterminated quoted field; close the quote, or set --quote'),
      ],
    });
    const range = { from: 0, to: 1 };
    await expect(
      convertDump({
        ...{ input: path('in'), output: path('out'), from: 'utf-8', format: 'csv' },
        ...{ range, index },
      }),
    ).rejects.toThrow(
      `${path('in')}: line 2: unterminated quoted field; close the quote, or set --quote`,
    );
    expect(readdirSync(path('.')).filter((name) => name.includes('in.index'))).toEqual([]);
  });

  it('is refused where nothing is found by it', async () => {
    writeFileSync(path('in'), 'a\n');
    const base = { input: path('in'), output: path('out'), from: 'utf-8', index: path('in.index') };
    const range = { from: 0, to: 1 };
    await expect(convertDump({ ...base, range })).rejects.toThrow(
      'ranges of plain text need no index; name a format',
    );
    await expect(convertDump({ ...base, format: 'csv' })).rejects.toThrow('--index needs --range;');
    await expect(convertDump({ ...base, format: 'csv', range, index: '-' })).rejects.toThrow(
      '--index needs a file of its own; name one',
    );
    const files = { input: [path('in'), path('in')], index: path('in.index') };
    await expect(scanDump({ ...files, format: 'csv', from: 'utf-8' })).rejects.toThrow(
      '--index needs a single input',
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
    ['--delimiter', { delimiter: ';' }],
    ['--quote', { quote: "'" }],
    ['--escape', { escape: '\\' }],
    ['--quoted-escape', { quotedEscape: '\\' }],
    ['--no-header', { header: false }],
    ['--columns', { columns: 'a,b,c' }],
    ['--binary', { binary: '1' }],
    ['--json-columns', { jsonColumns: '1' }],
  ])('if it was written with a different %s', async (word, options) => {
    await expectRefusal(
      `in.index: was written with a different ${word}; use the same, or remove this file to write it again`,
      options,
    );
  });

  it('if it was written with another format', async () => {
    await expectRefusal('in.index: was written with a different --format; use', {}, 'tsv');
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
    for (let length = 0; length < intact.length; length++) {
      writeFileSync(path('in.index'), intact.subarray(0, length));
      await expectRefusal(`in.index: is ${length < 9 ? 'not an' : 'damaged or incomplete;'}`);
    }
  });

  it('if any bit of it is damaged', async () => {
    for (let i = 0; i < intact.length; i++) {
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
      `--index requires a regular file; ${path('.')} is not one`,
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

  it('of all ranges is the file, and a little for each', async () => {
    setDistance(1 << 16);
    const bytes = createDump('csv', seed, 200_000);
    await prepare({ format: 'csv', bytes });
    const ranges = 16;
    const step = Math.ceil(bytes.length / ranges);
    const total = { with: 0, without: 0 };
    for (const name of ['with', 'without'] as const) {
      for (let from = 0; from < bytes.length; from += step) {
        const range = { from, to: from + step };
        const plan = createPlan([path('in')], { format: 'csv', from: 'cesu-8+utf-8', range });
        const sinks = { has: (sink: string) => sink === 'rejects', write: async () => {} };
        const run = new Run(plan, sinks, undefined, undefined);
        const opened = await openInput(path('in'), { compressed: false });
        const { source, read } = count(opened);
        const index = CutIndex.read(path('in.index'), source, plan.format);
        if (name === 'with') run.useIndex(index as CutIndex);
        await run.convert(source);
        total[name] += read.bytes;
        await opened.close();
      }
    }
    // A cut and two segments, at most, are read twice.
    expect(total.with).toBeLessThan(bytes.length + ranges * ((1 << 16) + 2 * (3 << 16)));
    expect(total.without).toBeGreaterThan(bytes.length * (ranges / 2 - 1));
  });
});
