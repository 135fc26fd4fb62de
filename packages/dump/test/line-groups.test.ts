/** Lines that are one record, such as an action and its document in a bulk file. */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { findFormat } from '../src/format/registry.js';
import { convertDump, revertDump, scanDump } from '../src/index.js';
import {
  bytesOf,
  catchError,
  cesu,
  expectSameCut,
  readAll,
  readCut,
  sizes,
} from './format-reading.js';
import { useFolder } from './use-folder.js';

const path = useFolder();
const format = findFormat('jsonl');
const pairs = findFormat('jsonl', { group: '2' });
const alone = findFormat('jsonl', { group: '1' });

/** The lines of each record. */
const records = (of: typeof format, text: string): (readonly [number, string])[] =>
  readAll(of, text)
    .filter(({ kind }) => kind === 'record')
    .map(({ line, own }) => [line, own]);

/** After elasticsearch-py#1546: an escape that the server refuses. */
const bulk = `{"index":{"_index":"t","_id":"1"}}
{"f":"v \\udab4 x"}
{"index":{"_index":"t","_id":"2"}}
{"f":"ok"}
`;

describe('a bulk file', () => {
  it('has an action and its document in one record', () => {
    const actions = ['{"index":{}}\n1\n', ' { "create" : {"_id":"1"} } \r\n{"a":1}\r\n'];
    const more = ['{"delete":{"_id":"2"}}\n', '\n', '{"update":{}}\n{"doc":{}}'];
    const all = [...actions, ...more];
    expect(records(format, all.join(''))).toEqual([
      [1, all[0]],
      [3, all[1]],
      [5, all[2]],
      [6, all[3]],
      [7, all[4]],
    ]);
  });

  it.each([
    '{"index":{},"a":1}',
    '{"index":1}',
    '{"a":{"index":{}}}',
    '[{"index":{}}]',
    '{"index":{}',
  ])('does not begin with %s', (line) => {
    const reader = format.createReader();
    expect([...reader.read(bytesOf(`${line}\n{"a":1}\n`))]).toHaveLength(2);
    expect(format.findGroups?.(reader.state)).toBe(undefined);
  });

  it('does not begin with a line of 64 KiB', () => {
    const long = bytesOf(`{"index":{"_id":"${'x'.repeat(1 << 16)}"}}\n`);
    expect([...format.createReader().read(long)]).toHaveLength(1);
  });

  it('is read by lines if one is a record', () => {
    expect(records(alone, bulk)).toHaveLength(4);
    expect(alone.isLineBased).toBe(true);
  });

  it.each([
    ['{"index":{}}\n', 1, 'the file ends after an action, without its document; is it complete?'],
    ['{"index":{}}', 1, 'the file ends after an action, without its document; is it complete?'],
    ['{"index":{}}\n1\n{"update":{}}\n', 3, 'the file ends after an action'],
    ['{"delete":{}}\n{"a":1}\n', 2, 'expected an action of a bulk file'],
    ['{"index":{}}\n{"a":"', 2, 'unterminated string'],
  ])('is refused if it ends as %j', (text, line, message) => {
    for (const run of [
      () => format.createReader().skip(bytesOf(text), true),
      () => readAll(format, text),
    ]) {
      const error = catchError(run);
      expect(error.message).toContain(message);
      expect(error.message).toContain(`line ${line}`);
    }
  });

  it('numbers columns and objects through', () => {
    const text = bytesOf('{"index":{"a":"b"}}\n{"a":"b"}\n');
    const [piece] = [...format.createReader().read(text)];
    expect(piece?.fields.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    const owners = piece?.fields.map(({ owner }) => owner).filter((owner) => owner !== undefined);
    expect(new Set(owners).size).toBe(3);
  });

  it('reads the same however it is cut', () => {
    const end = fc.constantFrom('\n', '\r\n');
    const text = fc.constantFrom('"a"', `{"k":"${cesu.high}"}`, '', '{"index":{}}');
    const action = fc.oneof(
      fc.tuple(fc.constantFrom('index', 'create', 'update'), end, text, end).map((parts) => {
        const [name, first, document, last] = parts;
        return `{"${name}":{}}${first}${document}${last}`;
      }),
      end.map((last) => `{"delete":{"_id":"x"}}${last}`),
    );
    const head = fc.constantFrom('', '\xef\xbb\xbf');
    fc.assert(
      fc.property(head, fc.array(action, { maxLength: 6 }), sizes, (head, actions, cuts) => {
        expectSameCut(format, head + actions.join(''), cuts);
        expectSameCut(alone, head + actions.join(''), cuts);
      }),
      { numRuns: scale(200) },
    );
  });
});

describe('a record of several lines', () => {
  it('has as many as the option says', () => {
    expect(records(pairs, '\xef\xbb\xbf1\n2\n\n3')).toEqual([
      [1, '1\n2\n'],
      [3, '\n3'],
    ]);
    const error = catchError(() => pairs.createReader().skip(bytesOf('1\n2\n3\n'), true));
    expect(error.message).toBe(
      'line 3: the last record has fewer than 2 lines; is the file complete?',
    );
    expect(records(pairs, '')).toEqual([]);
  });

  it.each(['0', '1001', '1.5', 'x', true])('has no %j lines', (group) => {
    expect(() => findFormat('jsonl', { group })).toThrow(
      `\`group\` ${JSON.stringify(group)}: expected a number of lines from 1 to 1000`,
    );
  });

  it('is not one whose lines go on', () => {
    expect(() => pairs.createReader().skip(bytesOf('{\n"a":1\n'), true)).toThrow(
      "`format: 'json'`",
    );
  });

  it('reads the same however it is cut', () => {
    const line = fc.constantFrom('1\n', '\n', '{"index":{}}\r\n', `"${cesu.emoji}"\n`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 9 }), sizes, (lines, cuts) => {
        const text = lines.join('');
        if (lines.length % 2 === 0) expectSameCut(pairs, text, cuts);
        else expect(() => readCut(pairs, bytesOf(text), cuts)).toThrow('fewer than 2 lines');
      }),
      { numRuns: scale(200) },
    );
  });
});

describe('a conversion', () => {
  const options = () => ({
    input: path('in'),
    output: path('out'),
    rejects: path('rejects'),
    undo: path('undo'),
    format: 'jsonl',
    from: 'utf-8',
  });

  it('rejects action and document together', async () => {
    const notices: string[] = [];
    const onNotice = (notice: string): void => void notices.push(notice);
    writeFileSync(path('in'), bulk);
    const { stats } = await convertDump({ ...options(), onNotice });
    expect(stats).toMatchObject({ records: { in: 2, rejected: 1 } });
    const lines = bulk.split('\n');
    expect(readFileSync(path('out'), 'utf8')).toBe(`${lines[2]}\n${lines[3]}\n`);
    expect(readFileSync(path('rejects'), 'utf8')).toBe(`${lines[0]}\n${lines[1]}\n`);
    expect(notices).toEqual([
      `${path('in')}: bulk file of Elasticsearch or OpenSearch: an action and its document are one record; for records of one line, add \`group: '1'\``,
    ]);
    await revertDump({ input: path('out'), undo: path('undo'), output: path('again') });
    expect(readFileSync(path('again'), 'utf8')).toBe(bulk);
  });

  it('refuses a finding at its own line', async () => {
    writeFileSync(path('in'), bulk);
    const { rejects: _, ...rest } = options();
    const { refusal } = await convertDump(rest);
    expect(refusal).toMatchObject({ record: 1, line: 2, column: 'f', offset: 43 });
  });

  it('starts a range at an action', async () => {
    const ranges: [number, number][] = [
      [0, 10],
      [10, 60],
      [60, 1000],
    ];
    writeFileSync(path('in'), bulk);
    let joined = '';
    for (const [from, to] of ranges) {
      await convertDump({ ...options(), range: { from, to } });
      joined += readFileSync(path('rejects'), 'utf8') + readFileSync(path('out'), 'utf8');
    }
    expect(joined).toBe(bulk);
  });

  it('passes a clean document of any length', { tags: ['slow'] }, async () => {
    const text = `{"index":{}}\n{"a":"${'x'.repeat(5 << 20)}"}\n`;
    writeFileSync(path('in'), text.repeat(2));
    const { stats } = await convertDump(options());
    expect(stats).toMatchObject({ records: { in: 2, rejected: 0 } });
    expect(readFileSync(path('out'), 'utf8') === text.repeat(2)).toBe(true);
  });
});

it('a scan finds documents, and says what is one record', async () => {
  const notices: string[] = [];
  writeFileSync(path('in'), bulk);
  const report = await scanDump({
    input: path('in'),
    format: 'jsonl',
    from: 'utf-8',
    onNotice: (notice) => notices.push(notice),
  });
  expect([report.records, report.rejected]).toEqual([2, 1]);
  expect(report.examples['unpaired-surrogate']?.[0]).toMatchObject({ line: 2, record: 1 });
  expect(notices[0]).toContain('bulk file of Elasticsearch');
});
