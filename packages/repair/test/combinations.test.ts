/**
 * All short texts of some parts, in each syntax and with each policy. What is found makes the result, and a digest shows
 * every change of what is found: the snapshot has one for each first part, and how many texts end how.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createRepairer,
  errorsPolicies,
  jsonSpelling,
  nulPolicies,
  parseJson,
  type Repair,
  type Repairer,
  RepairOptionError,
  type RepairOptions,
  type Spelling,
  surrogatePolicies,
  type ValueSyntax,
} from '../src/index.js';

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const show = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Yields all texts of up to `length` parts, which begin with a part. */
function* combine(first: string, parts: readonly string[], length: number): Generator<string> {
  yield first;
  if (length > 1) {
    for (const part of parts)
      for (const rest of combine(part, parts, length - 1)) yield first + rest;
  }
}

/** Checks that findings are in order, and make the result. */
function checkFindings(bytes: Uint8Array, { bytes: result, findings }: Repair): void {
  let made = '';
  let end = 0;
  for (const { offset, length, becomes } of findings) {
    if (offset < end) expect.fail(`findings overlap in ${JSON.stringify(show(bytes))}`);
    made += show(bytes.subarray(end, offset));
    made += show(becomes ?? bytes.subarray(offset, offset + length));
    end = offset + length;
  }
  made += show(bytes.subarray(end));
  if (made !== show(result))
    expect.fail(`findings do not make the result: ${JSON.stringify(made)}`);
}

const describeRepair = ({ status, bytes, findings }: Repair): string =>
  `${status} ${show(bytes)} ${findings
    .map(({ offset, length, kind, reason, becomes }) =>
      [offset, length, kind, reason, becomes && show(becomes)].join(),
    )
    .join(';')}\n`;

/** Repairs all texts of these parts; returns a line for each first part. */
function survey(
  parts: readonly string[],
  length: number,
  repair: (text: string) => readonly Repair[],
): Record<string, string> {
  const lines: Record<string, string> = {};
  for (const first of parts) {
    const hash = createHash('sha256');
    const counts = { unchanged: 0, changed: 0, rejected: 0 };
    for (const text of combine(first, parts, length)) {
      for (const found of repair(text)) {
        counts[found.status]++;
        hash.update(describeRepair(found), 'latin1');
      }
    }
    const digest = hash.digest('hex').slice(0, 12);
    lines[JSON.stringify(first)] = `${Object.values(counts).join(' ')} ${digest}`;
  }
  return lines;
}

/** Surveys plain texts after the same text. */
const surveyPlain = (
  parts: readonly string[],
  length: number,
  repair: Repairer,
  before = '',
): Record<string, string> =>
  survey(parts, length, (text) => {
    const bytes = latin(before + text);
    const found = repair(bytes);
    if (found.findings.length > 0) checkFindings(bytes, found);
    return [found];
  });

const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const HIGH = '\xed\xa0\xbd';
const LOW = '\xed\xb8\x80';
const FOUR = '\xf0\x9f\x98\x80';
const NUL = '\xc0\x80';

const copy: Spelling = {
  escaper: 0x5c,
  letters: { n: 10, t: 9 },
  codes: /(?!)()|(?!)()|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
};
const unicode: Spelling = {
  escaper: 0x5c,
  codes: /u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
  quote: 0x27,
};
const mysql: Spelling = { escaper: 0x5c, letters: { '0': 0, n: 10 }, quote: 0x27 };
const sql: Spelling = { quote: 0x27 };
const csv: Spelling = { quote: 0x22 };
const bare: Spelling = { excluded: ',"\n\r' };
const hex: Spelling = { isHex: true };

const policies: readonly Partial<RepairOptions>[] = [
  {},
  { nul: 'remove', unpairedSurrogates: 'replace', errors: 'ignore' },
  { nul: 'replace', unpairedSurrogates: 'escape', errors: 'backslashreplace' },
  { nul: 'keep', unpairedSurrogates: 'keep', to: 'wtf-8', equalJsonKeys: 'keep' },
];

/** Surveys texts in the same surroundings, with all of the policies. */
function surveyValues(
  parts: readonly string[],
  length: number,
  around: readonly [before: string, after: string],
  value: { readonly layers?: readonly Spelling[]; readonly syntax?: ValueSyntax },
): Record<string, string> {
  const { layers = [], syntax } = value;
  const pairs = policies.map((options) => ({
    repair: createRepairer({ from: 'cesu-8+utf-8', ...options }),
    again: createRepairer({ ...options, from: options.to ?? 'utf-8' }),
  }));
  return survey(parts, length, (text) =>
    pairs.map(({ repair, again }) => {
      const found = repair(latin(around.join(text)), undefined, { layers, syntax });
      if (found.status === 'changed') {
        const { status } = again(found.bytes, undefined, { layers, syntax });
        if (status !== 'unchanged') expect.fail(`${JSON.stringify(text)}: not repaired at once`);
      }
      return found;
    }),
  );
}

describe('JSON', () => {
  const marks = ['{', '}', '[', ']', ':', ',', '"', '\\', ' ', '\n'];
  const texts = ['a', 'u', '0041', '\\ud83d', '\\ude00', '\\u0000', PAIR, NUL, HIGH, FOUR];
  const syntax: ValueSyntax = { is: 'json' };

  it.each([
    ['alone', '', ''],
    ['as a value', '{"a":', '}'],
    ['as a key', '{', ':1}'],
    ['in a string', '["', '"]'],
    ['beside equal keys', `{"${PAIR}":1,"\\u0000":2,"`, '":3}'],
    ['in another object', `{"${FOUR}":{"${PAIR}":1,"`, `":2},"${PAIR}a":[]}`],
  ])('%s', (_, before, after) => {
    const parts = [...marks, ...texts];
    expect(surveyValues(parts, 2, [before, after], { syntax })).toMatchSnapshot();
  });

  it('in other syntaxes', () => {
    for (const layers of [[copy], [mysql], [csv], [csv, jsonSpelling], [hex, copy]]) {
      const parts = ['"', '""', '\\', '\\\\', 'ud83d', 'u0000', PAIR, NUL, HIGH, '22', "'"];
      const around = ['', '["', '[\\"', '[""'].map((mark) => [mark, '"]'] as const);
      for (const each of around) {
        expect(surveyValues(parts, 2, each, { layers, syntax })).toMatchSnapshot();
      }
    }
  });

  it('is told to a handler, and ends where it is to', () => {
    const parts = [
      ...marks,
      'a',
      'true',
      'nul',
      'null',
      '1',
      '0',
      '-',
      '.',
      'e',
      '+',
      '\\n',
      '\\u00e9',
    ];
    const outcomes: Record<string, string> = {};
    const read = (text: string, allowsLines: boolean): string => {
      const events: unknown[] = [];
      const before = '"1,[';
      const bytes = latin(`${before}${text}1"]}e00`);
      const end = before.length + text.length;
      const fault = parseJson(
        bytes,
        before.length,
        end,
        {
          open: (isArray) => void events.push(isArray),
          close: () => void events.push('close'),
          key: (...place) => void events.push('key', ...place),
          string: (...place) => void events.push('string', ...place),
          value: () => void events.push('value'),
        },
        { allowsLines },
      );
      return `${fault?.what} ${fault?.index} ${events.join()}\n`;
    };
    for (const first of parts) {
      const hash = createHash('sha256');
      for (const text of combine(first, parts, 3)) {
        hash.update(read(text, true)).update(read(`{"a":[${text}`, false));
        // Raw control characters pass in strings alone.
        if (/".*\n/s.test(text)) continue;
        if (read(text, true).startsWith('undefined') !== isJson(text)) expect.fail(text);
      }
      outcomes[JSON.stringify(first)] = hash.digest('hex').slice(0, 12);
    }
    expect(outcomes).toMatchSnapshot();
  });
});

describe('values of PostgreSQL', () => {
  const texts = ['a', 'NULL', ' ', '\v', '\\', '"', ',', PAIR, NUL, HIGH];

  it.each([
    ['alone', '', ''],
    ['in braces', '{', '}'],
    ['in a quoted element', '{"', '"}'],
    ['after an element', ' {a,', '} '],
    ['in an inner array', '{{a},{', '}}'],
    ['after dimensions', '[1:2] = {', '}'],
  ])('an array: %s', (_, before, after) => {
    const parts = [...texts, '{', '}', '[', ':1]', '='];
    const syntax: ValueSyntax = { is: 'array' };
    expect(surveyValues(parts, 3, [before, after], { syntax })).toMatchSnapshot();
  });

  it.each([
    ['alone', '', ''],
    ['as a key', '', '=>b'],
    ['as a value', 'b=>', ''],
    ['in quotes', `"${FOUR}"=>a, "`, '"=>"b"'],
    ['beside an equal key', `${PAIR}=>a,`, '=>"b"'],
  ])('an hstore: %s', (_, before, after) => {
    const parts = [...texts, '=', '>', '=>', FOUR];
    const syntax: ValueSyntax = { is: 'hstore' };
    expect(surveyValues(parts, 3, [before, after], { syntax })).toMatchSnapshot();
  });

  it.each([
    ['alone', '', ''],
    ['in parentheses', '(', ')'],
    ['in quotes', '("', '")'],
    ['after a field', ' (a,', ') '],
    ['before a field', '(', ',"{}")'],
  ])('a composite: %s', (_, before, after) => {
    const parts = [...texts, '(', ')', '""'];
    const [two, any] = [[null, { is: 'json' }], []] as const;
    for (const of of [two, any]) {
      const syntax: ValueSyntax = { is: 'composite', of };
      expect(
        surveyValues(parts, of.length > 0 ? 2 : 3, [before, after], { syntax }),
      ).toMatchSnapshot();
    }
  });

  it('in each other', () => {
    const parts = ['"', '\\"', '\\', '""', '{', '}', ',', 'a', PAIR, NUL, HIGH];
    const json: ValueSyntax = { is: 'json' };
    const nested: [ValueSyntax, string, string][] = [
      [{ is: 'array', of: json }, '{"[\\"', '\\"]"}'],
      [{ is: 'array', of: { is: 'composite', of: [json] } }, '{"(""[""', '""])"}'],
      [{ is: 'composite', of: [{ is: 'array' }] }, '("{', '}")'],
    ];
    for (const [syntax, before, after] of nested) {
      for (const layers of [[], [copy], [sql]]) {
        expect(surveyValues(parts, 2, [before, after], { layers, syntax })).toMatchSnapshot();
      }
    }
  });
});

describe('spellings', () => {
  const parts = [
    ...['\\', "'", "''", '"', 'x', 'ED', '355', '240', 'n', '0', ',', '\n', 'é', '\xff'],
    ...['\\xED\\xA0\\xBD', '\\ud83d', '\\ude00', '\\U0001F600', '\\u0000', PAIR, HIGH, NUL],
  ];
  const layers = { copy, unicode, mysql, sql, csv, bare, json: jsonSpelling };

  it.each(Object.entries(layers))('%s', (_, layer) => {
    expect(surveyValues(parts, 2, ['', ''], { layers: [layer] })).toMatchSnapshot();
    expect(surveyValues(parts, 2, ['a\\', '\\1'], { layers: [layer] })).toMatchSnapshot();
  });

  it('of several layers', () => {
    const some = parts.filter((part) => part !== 'n' && part !== ',');
    for (const each of [
      [sql, copy],
      [copy, copy],
      [csv, bare],
      [mysql, sql],
    ]) {
      expect(surveyValues(some, 2, ['', ''], { layers: each })).toMatchSnapshot();
    }
  });

  it('of hexadecimal digits', () => {
    const digits = ['ED', 'eda0bdedb880', 'A0', 'BD', 'C0', '80', '41', '0', '5c', 'ff', '\\'];
    for (const each of [[hex], [sql, hex], [hex, copy]]) {
      expect(surveyValues(digits, 3, ['', ''], { layers: each })).toMatchSnapshot();
    }
  });
});

describe('plain texts', () => {
  const parts = [
    ...[
      'a',
      'B',
      ' ',
      '\n',
      '\\',
      '0',
      '\0',
      NUL,
      PAIR,
      HIGH,
      LOW,
      FOUR,
      '\xc3',
      '\xe9',
      '\xe2\x82',
    ],
    ...[
      '\xff',
      '\x80',
      '\xed',
      '\xf4\x90\x80\x80',
      '\xfc\x84\x80\x80\x80\x80',
      '\xe0\x9f\xbf',
      '\xc3\xa9',
      '\xef\xbf\xbd',
    ],
  ];
  const labels = ['utf-8', 'cesu-8', 'cesu-8+utf-8', 'mutf-8', 'wtf-8', 'rfc2279'];
  const syntax = {
    quote: (text: string) => text.replaceAll('\\', '\\\\'),
    nuls: [latin('\\0'), latin('\\u0000')],
  };
  /** All policies, and each pair of them with an encoding. */
  const settings: Partial<RepairOptions>[] = [];
  for (const [i, unpairedSurrogates] of surrogatePolicies.entries()) {
    for (const [k, nul] of nulPolicies.entries()) {
      for (const [m, errors] of errorsPolicies.entries()) {
        settings.push({
          ...{ unpairedSurrogates, nul, errors },
          to: labels[(i + k + m) % labels.length] as string,
          ...((i + k) % 2 === 0 ? { syntax } : {}),
        });
      }
    }
  }

  it.each(labels)('in %s', (from) => {
    const repairers = settings.flatMap((options): Repairer[] => {
      try {
        return [createRepairer({ from, ...options })];
      } catch (error) {
        expect(error).toBeInstanceOf(RepairOptionError);
        return [];
      }
    });
    expect(repairers.length).toBeGreaterThan(60);
    const outcomes = repairers.map((repair) => surveyPlain(parts, 2, repair));
    const hash = (texts: unknown): string =>
      createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12);
    expect(outcomes.map(hash)).toMatchSnapshot();
  });

  it('long enough for the screen', () => {
    const repair = createRepairer({ from: 'cesu-8+utf-8', nul: 'remove', mojibake: 'repair' });
    for (const length of [61, 63, 64]) {
      const before = 'x'.repeat(length);
      const found = surveyPlain(parts, 2, repair, before);
      expect(found).toMatchSnapshot();
    }
  });

  it('of legacy bytes', () => {
    const some = [
      'a',
      'B',
      ' ',
      '\n',
      '\xc3',
      '\xe9',
      '\xe2\x82',
      '\xff',
      '\xdf',
      '\xc3\xa9',
      '\xf4\x90\x80\x80',
      '\0',
    ];
    for (const from of ['utf-8', 'cesu-8+utf-8']) {
      const repair = createRepairer({ from, errors: 'windows-1252', nul: 'keep' });
      expect(surveyPlain(some, 4, repair)).toMatchSnapshot();
    }
  });
});

describe('mojibake', () => {
  const misread = (text: string): string =>
    show(new TextEncoder().encode(show(new TextEncoder().encode(text))));
  const written = (text: string): string => show(new TextEncoder().encode(text));
  const parts = [
    ...['a', 'S', ' ', '1', '\n', '\\', '\\u0041', '\\n', '\xff'],
    ...['é', 'à', 'ж', 'α', '日', 'ế', '™', '°', '£', '\u0301', '😀', '\x85', '\x9f'].map(misread),
    ...['Ã', 'Â', 'Ð', '€', '™', '\u00a0', '\u00b1', 'é'].map(written),
    written('Ã©'.replace('Ã', '\u00c3')),
  ];

  it.each([
    ['alone', ''],
    ['in a line that needs one more point', `${misread('´')} `],
    ['after a letter that was not misread', `é ${misread('é')} `],
  ])('%s', (_, before) => {
    for (const errors of ['replace', 'windows-1252'] as const) {
      const repair = createRepairer({
        from: 'cesu-8+utf-8',
        mojibake: 'repair',
        nul: 'keep',
        errors,
      });
      const found = surveyPlain(parts, 3, repair, before);
      expect(found).toMatchSnapshot();
    }
  });

  it.each([
    ['two', 0xc2, 0xdf],
    ['three', 0xe0, 0xef],
    ['four', 0xf0, 0xf5],
  ])('of each lead of %s bytes, each class of trails, and some neighbours', (_, low, high) => {
    const repair = createRepairer({ from: 'cesu-8+utf-8', mojibake: 'repair', nul: 'keep' });
    const trails = [
      0x80, 0x83, 0x85, 0x86, 0x8a, 0x90, 0x9f, 0xa0, 0xa9, 0xad, 0xb0, 0xb1, 0xb4, 0xb7, 0xbc,
      0xbf,
    ];
    const seconds = low === 0xc2 ? Array.from({ length: 64 }, (_, i) => 0x80 + i) : trails;
    const thirds = low === 0xc2 ? [] : low === 0xe0 ? trails : [0x80, 0x9f, 0xbf];
    const outcomes: Record<string, string> = {};
    for (let lead = low; lead <= high; lead++) {
      const hash = createHash('sha256');
      for (const second of seconds) {
        for (const third of thirds.length > 0 ? thirds : [0]) {
          const units = [lead, second, ...(third ? [third] : []), ...(low === 0xf0 ? [0xa0] : [])];
          const sequence = written(String.fromCharCode(...units));
          for (const before of ['', 'a', 'A', '1', ' ', '\\u0041', `${misread('´')} `]) {
            for (const after of ['', 'a', 's', 'A', ' ']) {
              hash.update(describeRepair(repair(latin(before + sequence + after))), 'latin1');
            }
          }
          hash.update(describeRepair(repair(latin(`${misread('´')} ${sequence}${sequence}`))));
        }
      }
      outcomes[lead.toString(16)] = hash.digest('hex').slice(0, 12);
    }
    expect(outcomes).toMatchSnapshot();
  });
});
