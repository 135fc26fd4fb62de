/**
 * All short values of some parts, in each structure: one repair is enough, and a snapshot shows every change of what is found.
 * The longest values are left to `.ci/run`.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createRepairer,
  jsonSyntax,
  parseJson,
  type RepairOptions,
  type Structure,
  type Syntax,
} from '../src/index.js';
import { combine, FOUR, HIGH, itOfUpTo, type Lengths, latin, NUL, PAIR, survey } from './survey.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const copy: Syntax = {
  escaper: 0x5c,
  letters: { n: 10, t: 9 },
  codes: /(?!)()|(?!)()|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
};
const unicode: Syntax = {
  escaper: 0x5c,
  codes: /u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
  quote: 0x27,
};
const mysql: Syntax = { escaper: 0x5c, letters: { '0': 0, n: 10 }, quote: 0x27 };
const sql: Syntax = { quote: 0x27 };
const csv: Syntax = { quote: 0x22 };
const bare: Syntax = { excluded: ',"\n\r' };
const hex: Syntax = { isHex: true };

const policies: readonly Partial<RepairOptions>[] = [
  {},
  { nul: 'remove', unpairedSurrogates: 'replace', errors: 'remove' },
  { nul: 'replace', unpairedSurrogates: 'escape', errors: 'escape' },
  { nul: 'keep', unpairedSurrogates: 'keep', to: 'wtf-8', equalJsonKeys: 'keep' },
];

/** Surveys texts in the same surroundings, with all of the policies. */
function surveyValues(
  parts: readonly string[],
  lengths: Lengths,
  around: readonly [before: string, after: string],
  value: { readonly syntaxes?: readonly Syntax[]; readonly structure?: Structure },
): Record<string, string> {
  const { syntaxes = [], structure } = value;
  const pairs = policies.map((options) => ({
    repair: createRepairer({ from: 'cesu-8+utf-8', ...options }),
    again: createRepairer({ ...options, from: options.to ?? 'utf-8' }),
  }));
  return survey(parts, lengths, (text) =>
    pairs.map(({ repair, again }) => {
      const found = repair(latin(around.join(text)), { value: { syntaxes, structure } });
      if (found.status === 'changed') {
        const { status } = again(found.bytes, { value: { syntaxes, structure } });
        if (status !== 'unchanged') expect.fail(`${JSON.stringify(text)}: not repaired at once`);
      }
      return found;
    }),
  );
}

describe('JSON', () => {
  const marks = ['{', '}', '[', ']', ':', ',', '"', '\\', ' ', '\n'];
  const texts = ['a', 'u', '0041', '\\ud83d', '\\ude00', '\\u0000', PAIR, NUL, HIGH, FOUR];
  const structure: Structure = { is: 'json' };

  it.each([
    ['alone', '', ''],
    ['as a value', '{"a":', '}'],
    ['as a key', '{', ':1}'],
    ['in a string', '["', '"]'],
    ['beside equal keys', `{"${PAIR}":1,"\\u0000":2,"`, '":3}'],
    ['in another object', `{"${FOUR}":{"${PAIR}":1,"`, `":2},"${PAIR}a":[]}`],
  ])('%s', (_, before, after) => {
    const parts = [...marks, ...texts];
    expect(surveyValues(parts, [1, 2], [before, after], { structure })).toMatchSnapshot();
  });

  describe.each([
    ['COPY', [copy]],
    ['MySQL', [mysql]],
    ['CSV', [csv]],
    ['JSON in CSV', [csv, jsonSyntax]],
    ['COPY in hexadecimal digits', [hex, copy]],
  ])('in %s', (_, syntaxes) => {
    const parts = ['"', '""', '\\', '\\\\', 'ud83d', 'u0000', PAIR, NUL, HIGH, '22', "'"];
    const surveyAfter = (before: string): Record<string, string> =>
      surveyValues(parts, [1, 2], [before, '"]'], { syntaxes, structure });

    it('in brackets', () => expect(surveyAfter('["')).toMatchSnapshot());

    it.each(['', '[\\"', '[""'])('after %j', { tags: ['slow'] }, (before) =>
      expect(surveyAfter(before)).toMatchSnapshot(),
    );
  });

  itOfUpTo(3, 'is told to a handler, and ends where it is to', (lengths) => {
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
        {
          open: (isArray) => void events.push(isArray),
          close: () => void events.push('close'),
          key: (...place) => void events.push('key', ...place),
          string: (...place) => void events.push('string', ...place),
          value: () => void events.push('value'),
        },
        { start: before.length, end, allowsLines },
      );
      return `${fault?.what} ${fault?.index} ${events.join()}\n`;
    };
    for (const first of parts) {
      const hash = createHash('sha256');
      for (const text of combine(first, parts, lengths)) {
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

  for (const [place, before, after] of [
    ['alone', '', ''],
    ['in braces', '{', '}'],
    ['in a quoted element', '{"', '"}'],
    ['after an element', ' {a,', '} '],
    ['in an inner array', '{{a},{', '}}'],
    ['after dimensions', '[1:2] = {', '}'],
  ] as const) {
    const parts = [...texts, '{', '}', '[', ':1]', '='];
    itOfUpTo(3, `an array: ${place}`, (lengths) => {
      const structure: Structure = { is: 'array' };
      expect(surveyValues(parts, lengths, [before, after], { structure })).toMatchSnapshot();
    });
  }

  for (const [place, before, after] of [
    ['alone', '', ''],
    ['as a key', '', '=>b'],
    ['as a value', 'b=>', ''],
    ['in quotes', `"${FOUR}"=>a, "`, '"=>"b"'],
    ['beside an equal key', `${PAIR}=>a,`, '=>"b"'],
  ] as const) {
    const parts = [...texts, '=', '>', '=>', FOUR];
    itOfUpTo(3, `an hstore: ${place}`, (lengths) => {
      const structure: Structure = { is: 'hstore' };
      expect(surveyValues(parts, lengths, [before, after], { structure })).toMatchSnapshot();
    });
  }

  for (const [place, before, after] of [
    ['alone', '', ''],
    ['in parentheses', '(', ')'],
    ['in quotes', '("', '")'],
    ['after a field', ' (a,', ') '],
    ['before a field', '(', ',"{}")'],
  ] as const) {
    const parts = [...texts, '(', ')', '""'];
    it(`a composite of a number and JSON: ${place}`, () => {
      const structure: Structure = { is: 'composite', of: [null, { is: 'json' }] };
      expect(surveyValues(parts, [1, 2], [before, after], { structure })).toMatchSnapshot();
    });
    itOfUpTo(3, `a composite: ${place}`, (lengths) => {
      const structure: Structure = { is: 'composite', of: [] };
      expect(surveyValues(parts, lengths, [before, after], { structure })).toMatchSnapshot();
    });
  }

  it('in each other', () => {
    const parts = ['"', '\\"', '\\', '""', '{', '}', ',', 'a', PAIR, NUL, HIGH];
    const json: Structure = { is: 'json' };
    const nested: [Structure, string, string][] = [
      [{ is: 'array', of: json }, '{"[\\"', '\\"]"}'],
      [{ is: 'array', of: { is: 'composite', of: [json] } }, '{"(""[""', '""])"}'],
      [{ is: 'composite', of: [{ is: 'array' }] }, '("{', '}")'],
    ];
    for (const [structure, before, after] of nested) {
      for (const syntaxes of [[], [copy], [sql]]) {
        expect(
          surveyValues(parts, [1, 2], [before, after], { syntaxes, structure }),
        ).toMatchSnapshot();
      }
    }
  });
});

describe('spellings', () => {
  const parts = [
    ...['\\', "'", "''", '"', 'x', 'ED', '355', '240', 'n', '0', ',', '\n', 'é', '\xff'],
    ...['\\xED\\xA0\\xBD', '\\ud83d', '\\ude00', '\\U0001F600', '\\u0000', PAIR, HIGH, NUL],
  ];
  const syntaxes = { copy, unicode, mysql, sql, csv, bare, json: jsonSyntax };

  it.each(Object.entries(syntaxes))('%s', (_, layer) => {
    expect(surveyValues(parts, [1, 2], ['', ''], { syntaxes: [layer] })).toMatchSnapshot();
  });

  it.each(Object.entries(syntaxes))('%s between backslashes', { tags: ['slow'] }, (_, layer) => {
    expect(surveyValues(parts, [1, 2], ['a\\', '\\1'], { syntaxes: [layer] })).toMatchSnapshot();
  });

  it('of several syntaxes', () => {
    const some = parts.filter((part) => part !== 'n' && part !== ',');
    for (const each of [
      [sql, copy],
      [copy, copy],
      [csv, bare],
      [mysql, sql],
    ]) {
      expect(surveyValues(some, [1, 2], ['', ''], { syntaxes: each })).toMatchSnapshot();
    }
  });

  itOfUpTo(3, 'of hexadecimal digits', (lengths) => {
    const digits = ['ED', 'eda0bdedb880', 'A0', 'BD', 'C0', '80', '41', '0', '5c', 'ff', '\\'];
    for (const each of [[hex], [sql, hex], [hex, copy]]) {
      expect(surveyValues(digits, lengths, ['', ''], { syntaxes: each })).toMatchSnapshot();
    }
  });
});
