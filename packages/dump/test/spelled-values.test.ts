/** Values in syntaxes of their own, and texts spelled by escapes, in files of every format. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { convertDump } from '../src/convert/convert.js';
import { segments } from '../src/cut/segments.js';
import type { Field, Format, FormatOptions } from '../src/format/format.js';
import { findFormat } from '../src/format/registry.js';
import type { RepairChoice } from '../src/pool/work.js';
import { RecordRepairer } from '../src/repair/record-repairer.js';
import { revertDump } from '../src/revert/revert.js';
import {
  addCounts,
  createConversion,
  NO_RECORDS,
  Rewriter,
  type Rewritten,
} from '../src/rewrite/rewriter.js';
import { scanDump } from '../src/scan/scan.js';
import { formatSplices } from '../src/sink/undo.js';
import { bytesOf } from './format-reading.js';
import { quoted } from './toy-formats.js';
import { chooseByDay } from './use-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'spelled-values-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

const HIGH = '\xed\xa0\xbd';
const LOW = '\xed\xb8\x80';
const PAIR = HIGH + LOW;
const FOUR = '\xf0\x9f\x98\x80';

const policies: RepairChoice = {
  from: 'cesu-8+utf-8',
  to: 'utf-8',
  unpairedSurrogates: 'escape',
  errors: 'escape',
  nul: 'replace',
  mojibake: 'keep',
};

/** The option by which formats read any text, besides others. */
const assumeText = (name: string, options: FormatOptions = {}): FormatOptions =>
  ['tab', 'mysqldump', 'pg_dump'].includes(name) ? { assume: 'text', ...options } : options;

/** Converts in memory, cut into segments of some length. */
async function rewrite(
  name: string,
  options: FormatOptions,
  text: string,
  size: number,
  repair: RepairChoice = policies,
) {
  const work = createConversion({
    task: 'rewrite',
    format: { name, options: assumeText(name, options) },
    repair,
    rewrite: { rejects: true, undo: true, allow: [] },
  });
  const bytes = Buffer.from(text, 'latin1');
  const source = {
    name: 'dump',
    size: bytes.length,
    read: async (into: Uint8Array, position: number): Promise<number> =>
      bytes.copy(into, 0, position, position + into.length),
  };
  const [output, rejects, undo] = [[] as string[], [] as string[], [] as string[]];
  let counts = NO_RECORDS;
  for await (const segment of segments(source, findFormat(name, assumeText(name, options)), {
    size,
  })) {
    const rewritten = work(segment) as Rewritten;
    undo.push(Buffer.from(formatSplices(rewritten.edits, counts.bytesWritten)).toString());
    counts = addCounts(counts, rewritten.counts);
    output.push(Buffer.from(rewritten.output).toString('latin1'));
    rejects.push(Buffer.from(rewritten.rejects).toString('latin1'));
  }
  return { output: output.join(''), rejects: rejects.join(''), undo: undo.join(''), counts };
}

interface Case {
  readonly format: string;
  readonly options: FormatOptions;
  /** The file around its records. */
  readonly wrap: readonly [string, string];
  /** Writes a record of a number, a plain text, and JSON. */
  readonly write: (json: string, text: string) => string;
}

const double = (text: string): string => text.replaceAll('\\', '\\\\');
const csvOf = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const cases: readonly Case[] = [
  {
    format: 'copy',
    options: { jsonColumns: '3' },
    wrap: ['', ''],
    write: (json, text) => `1\t${text}\t${double(json)}\n`,
  },
  {
    format: 'csv',
    options: { jsonColumns: 'doc' },
    wrap: ['id,name,doc\n', ''],
    write: (json, text) => `1,${text},${csvOf(json)}\n`,
  },
  {
    format: 'tsv',
    options: { jsonColumns: ['doc'] },
    wrap: ['id\tname\tdoc\n', ''],
    write: (json, text) => `1\t${text}\t${csvOf(json)}\n`,
  },
  {
    format: 'tab',
    options: { jsonColumns: '3' },
    wrap: ['', ''],
    write: (json, text) => `1\t${text}\t${double(json)}\n`,
  },
  {
    format: 'mysqldump',
    options: { jsonColumns: 't.doc' },
    wrap: [
      'SET NAMES utf8mb4;\nCREATE TABLE `t` (\n  `id` int,\n  `name` text,\n  `doc` text\n);\n',
      '',
    ],
    write: (json, text) =>
      `INSERT INTO \`t\` VALUES (1,'${text}','${double(json).replaceAll('"', '\\"')}');\n`,
  },
  {
    format: 'pg_dump',
    options: { jsonColumns: 't.doc' },
    wrap: ['COPY t (id, name, doc) FROM stdin;\n', '\\.\n'],
    write: (json, text) => `1\t${text}\t${double(json)}\n`,
  },
  {
    format: 'pg_dump',
    options: { jsonColumns: 't.doc' },
    wrap: ['', ''],
    write: (json, text) => `INSERT INTO t (id, name, doc) VALUES (1, '${text}', '${json}');\n`,
  },
  {
    format: 'jsonl',
    options: {},
    wrap: ['', ''],
    write: (json, text) => `{"id": 1, "name": "${text}", "doc": ${json}}\n`,
  },
];

const repairs: readonly (readonly [string, string])[] = [
  ['{"k": "x"}', '{"k": "x"}'],
  [`{"k": "x${HIGH}"}`, '{"k": "x\\\\ud83d"}'],
  ['{"k": "x\\ud83d"}', '{"k": "x\\\\ud83d"}'],
  ['{"\\uDE00": ["\xff"]}', '{"\\\\ude00": ["\\\\xff"]}'],
  ['["\\u0000\\n\\u00e9"]', '["\xef\xbf\xbd\\n\\u00e9"]'],
  ['["\\ud83d\\ude00"]', '["\\ud83d\\ude00"]'],
  ['["\\\\ud83d"]', '["\\\\ud83d"]'],
  [`["\\ud83d${LOW}", "${HIGH}\\ude00", "${PAIR}"]`, `["${FOUR}", "${FOUR}", "${FOUR}"]`],
];

describe.each(cases)('JSON in $format', ({ format, options, wrap, write }) => {
  const [head, tail] = wrap;
  const file = (texts: readonly string[], name = 'plain'): string =>
    head + texts.map((json) => write(json, name)).join('') + tail;
  const before = file(repairs.map(([json]) => json));
  const after = file(repairs.map(([, json]) => json));

  it('is repaired in its own syntax, and the result stays as it is', async () => {
    expect((await rewrite(format, options, before, 1 << 20)).output).toBe(after);
    const again = await rewrite(format, options, after, 1 << 20);
    expect([again.output, again.undo]).toEqual([after, '']);
  });

  it('is the same wherever the file is cut', async () => {
    const many = file(Array.from({ length: 40 }, (_, i) => repairs[(i * i) % 8]?.[0] ?? ''));
    const whole = await rewrite(format, options, many, 1 << 20);
    for (const size of chooseByDay([1, 2, 3, 7, 64, 500, 4000], 3)) {
      expect(await rewrite(format, options, many, size)).toEqual(whole);
    }
  });

  it('is refused by default, as scan says, and reverted to the byte', async () => {
    writeFileSync(path('in'), before, 'latin1');
    const formatOptions = assumeText(format, options);
    const common = { input: path('in'), format, formatOptions, from: 'cesu-8+utf-8' };
    const files = { output: path('out'), rejects: path('rejects'), undo: path('undo') };
    const { stats } = await convertDump({ ...common, ...files });
    expect(stats).toMatchObject({ records: { in: 8, rejected: 4 } });
    const report = await scanDump(common);
    expect(report).toMatchObject({ records: 8, rejected: 4, changed: 1 });
    await convertDump({ ...common, ...policies, output: path('out'), undo: path('undo') });
    expect(readFileSync(path('out'), 'latin1')).toBe(after);
    await revertDump({ input: path('out'), undo: path('undo'), output: path('back') });
    expect(readFileSync(path('back'), 'latin1')).toBe(before);
  });

  it('is refused if the repair makes keys equal, however many records change', async () => {
    const equal = `{"a": 1, "${PAIR}": 1, "${FOUR}": 2}`;
    for (const others of [0, 120]) {
      const rows = Array.from({ length: others }, () => write(`["${PAIR}"]`, PAIR));
      const text = head + rows.join('') + write(equal, 'plain') + rows.join('') + tail;
      const { counts, rejects } = await rewrite(format, options, text, 1 << 20);
      expect(counts.rejected).toBe(1);
      expect(counts.findings['equal-json-keys']).toBe(1);
      expect(rejects).toContain(write(equal, 'plain').slice(0, -3).split('\n')[0]);
      const keeps = { ...policies, equalJsonKeys: 'keep' } as const;
      const kept = await rewrite(format, options, text, 1 << 20, keeps);
      expect([kept.counts.rejected, kept.counts.records]).toEqual([0, 2 * others + 1]);
    }
  });

  it('is found by scan in a column that no option declares', async () => {
    if (format === 'jsonl') return;
    writeFileSync(path('in'), before, 'latin1');
    const found: unknown[] = [];
    const onFinding = ({
      kind,
      record,
      column,
    }: {
      kind: string;
      record: number;
      column: unknown;
    }) => {
      if (kind === 'undeclared-json') found.push([record, column]);
    };
    const formatOptions = assumeText(format);
    await scanDump({ input: path('in'), format, formatOptions, from: 'cesu-8+utf-8', onFinding });
    const column =
      typeof options.jsonColumns === 'string' && options.jsonColumns === '3' ? 3 : 'doc';
    expect(found).toEqual([3, 4, 5, 8, 8].map((record) => [record, column]));
    const none: unknown[] = [];
    await scanDump({
      input: path('in'),
      format,
      formatOptions: assumeText(format, options),
      from: 'cesu-8+utf-8',
      onFinding: ({ kind }) => void (kind === 'undeclared-json' && none.push(kind)),
    });
    expect(none).toEqual([]);
  });
});

describe('JSON Lines', () => {
  it('keeps surrogates by their escapes, whatever the target is', async () => {
    const keep = { ...policies, unpairedSurrogates: 'keep' } as const;
    const { output } = await rewrite('jsonl', {}, `["${HIGH}", "\\uD83D"]\n`, 1 << 20, keep);
    expect(output).toBe('["\\ud83d", "\\uD83D"]\n');
    const { undo } = await rewrite('jsonl', {}, output, 1 << 20, keep);
    expect(undo).toBe('');
  });
});

describe('a byte that is spelled by an escape', () => {
  const octal = '\\355\\240\\275';

  it.each([
    ['copy', `1\t${octal}\\355\\270\\200\n`, `1\t${FOUR}\n`],
    ['copy', `1\t\\xED\\240\xbd.\n`, '1\t\\\\ud83d.\n'],
    ['copy', `1\t\\\\355\\\\240\\\\275\n`, `1\t\\\\355\\\\240\\\\275\n`],
    ['copy', '1\t\\303\\251\\x41\\u00e9\n', '1\t\\303\\251\\x41\\u00e9\n'],
    ['copy', '1\ta\\000b\\0\n', '1\ta\xef\xbf\xbdb\xef\xbf\xbd\n'],
    ['pg_dump', `INSERT INTO t VALUES (E'${octal}');\n`, "INSERT INTO t VALUES (E'\\\\ud83d');\n"],
    ['pg_dump', `INSERT INTO t VALUES ('${octal}');\n`, `INSERT INTO t VALUES ('${octal}');\n`],
    ['pg_dump', "INSERT INTO t VALUES (E'\\ud83dx');\n", "INSERT INTO t VALUES (E'\\\\ud83dx');\n"],
    [
      'pg_dump',
      "INSERT INTO t VALUES (E'\\U0000DE00');\n",
      "INSERT INTO t VALUES (E'\\\\ude00');\n",
    ],
    [
      'pg_dump',
      "INSERT INTO t VALUES (E'\\ud83d\\U0000de00');\n",
      "INSERT INTO t VALUES (E'\\ud83d\\U0000de00');\n",
    ],
    [
      'pg_dump',
      "INSERT INTO t VALUES (U&'\\D83Dx');\n",
      "INSERT INTO t VALUES (U&'\\\\ud83dx');\n",
    ],
    [
      'pg_dump',
      "INSERT INTO t VALUES (U&'\\D83D\\+00DE00');\n",
      "INSERT INTO t VALUES (U&'\\D83D\\+00DE00');\n",
    ],
    [
      'pg_dump',
      "INSERT INTO t VALUES (U&'\\D83D' UESCAPE '!');\n",
      "INSERT INTO t VALUES (U&'\\D83D' UESCAPE '!');\n",
    ],
    [
      'pg_dump',
      `COPY t (a) FROM stdin;\n${octal}\\n\n\\.\n`,
      'COPY t (a) FROM stdin;\n\\\\ud83d\\n\n\\.\n',
    ],
  ])('is repaired in %s: %s', async (format, before, after) => {
    const { output } = await rewrite(format, {}, before, 1 << 20);
    expect(output).toBe(after);
    expect((await rewrite(format, {}, after, 1 << 20)).undo).toBe('');
  });
});

describe('text in hexadecimal digits', () => {
  /** Lines that are one such text each, as a reader of SQL would find them. */
  const hexadecimal: Format = {
    ...quoted,
    createReader(state) {
      const reader = quoted.createReader(state);
      return {
        skip: (bytes, isLast) => reader.skip(bytes, isLast),
        *read(bytes) {
          for (const piece of reader.read(bytes)) {
            const fields = piece.fields.map((field): Field => ({ ...field, isHex: true }));
            yield { ...piece, fields };
          }
        },
        get state() {
          return reader.state;
        },
      };
    },
    hidesText: () => true,
  };

  it('is decoded, repaired, and written in digits again', () => {
    const repairer = new RecordRepairer(hexadecimal, policies);
    const bytes = bytesOf('41eda0bdedb880\n42\nEDA0BD\n');
    const pieces = [...hexadecimal.createReader().read(bytes)];
    const texts = pieces.map((piece) => {
      const repair = repairer.repair(bytes, piece, piece.fields[0] as Field);
      return [repair.status, Buffer.from(repair.bytes).toString()];
    });
    expect(texts).toEqual([
      ['changed', '41F09F9880'],
      ['unchanged', '42'],
      ['changed', '5C7564383364'],
    ]);
  });

  it('is read although it looks clean', () => {
    const rewriter = new Rewriter(new RecordRepairer(hexadecimal, policies), {
      rejects: true,
      undo: true,
      allow: [],
    });
    const bytes = bytesOf('41eda0bdedb880\n42\n');
    const state = { line: 1, record: 1, context: null };
    const { output, counts } = rewriter.rewrite({
      bytes,
      ahead: new Uint8Array(),
      offset: 0,
      state,
      next: { ...state, record: 3 },
    });
    expect(Buffer.from(output).toString()).toBe('41F09F9880\n42\n');
    expect(counts).toMatchObject({ changed: 1, findings: { pair: 1 } });
  });
});
