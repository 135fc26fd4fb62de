/** Values that are spelled in structures, read again by readers of the test's own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import {
  createRepairer,
  hasByteEscape,
  hasUnitEscape,
  jsonSyntax,
  parseJson,
  type Repair,
  type Repairer,
  type RepairOptions,
  type Structure,
  type Syntax,
} from '../src/index.js';

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const show = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const create = (asked: Partial<RepairOptions> = {}): Repairer =>
  createRepairer({ from: 'cesu-8+utf-8', ...asked });

const JSON_VALUE: Structure = { is: 'json' };

const copy: Syntax = {
  escaper: 0x5c,
  letters: { n: 10, t: 9 },
  codes: /(?!)()|(?!)()|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y,
};
const mysql: Syntax = { escaper: 0x5c, letters: { '0': 0, n: 10 }, quote: 0x27 };
const sql: Syntax = { quote: 0x27 };

/** Placement of JSON in a field, with a writer and a reader of the test's own. */
interface Way {
  readonly name: string;
  readonly syntaxes: readonly Syntax[];
  readonly structure: Structure;
  readonly write: (json: string) => string;
  readonly read: (text: string) => string;
}

const double = (text: string): string => text.replaceAll('\\', '\\\\');
const halve = (text: string): string => text.replace(/\\([\s\S])/g, '$1');

const ways: readonly Way[] = [
  { name: 'by itself', syntaxes: [], structure: JSON_VALUE, write: (t) => t, read: (t) => t },
  { name: 'in COPY', syntaxes: [copy], structure: JSON_VALUE, write: double, read: halve },
  {
    name: 'in MySQL',
    syntaxes: [mysql],
    structure: JSON_VALUE,
    write: (t) => double(t).replaceAll('"', '\\"').replaceAll("'", "\\'"),
    read: halve,
  },
  {
    name: 'in SQL',
    syntaxes: [sql],
    structure: JSON_VALUE,
    write: (t) => t.replaceAll("'", "''"),
    read: (t) => t.replaceAll("''", "'"),
  },
  {
    name: 'in CSV',
    syntaxes: [{ quote: 0x22 }],
    structure: JSON_VALUE,
    write: (t) => t.replaceAll('"', '""'),
    read: (t) => t.replaceAll('""', '"'),
  },
  {
    name: 'in an array in COPY',
    syntaxes: [copy],
    structure: { is: 'array', of: JSON_VALUE },
    write: (t) => double(`{NULL,"${t.replace(/["\\]/g, '\\$&')}"}`),
    read: (t) => halve(halve(t).slice('{NULL,"'.length, -2)),
  },
  {
    name: 'in a composite in an array in SQL',
    syntaxes: [sql],
    structure: { is: 'array', of: { is: 'composite', of: [null, JSON_VALUE] } },
    write: (t) => {
      const composite = `(,"${t.replace(/["\\]/g, '$&$&')}")`;
      return `{"${composite.replace(/["\\]/g, '\\$&').replaceAll("'", "''")}"}`;
    },
    read: (t) => {
      const composite = halve(t.replaceAll("''", "'").slice(2, -2));
      return composite.slice(3, -2).replaceAll('""', '"').replaceAll('\\\\', '\\');
    },
  },
];

const contexts: readonly ((text: string) => string)[] = [
  (t) => `"${t}"`,
  (t) => `["a${t}'b"]`,
  (t) => `{"k${t}": {"x": [1, "${t}\\n"]}}`,
  (t) => `"\\\\${t}\\u0041"`,
  (t) => `"\\"${t}\\\\"`,
];

const spellings: readonly ((unit: number) => string)[] = [
  (unit) => `\\u${unit.toString(16)}`,
  (unit) => String.fromCharCode(0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)),
];

const surrogates = Array.from({ length: 0x800 }, (_, i) => 0xd800 + i);

/** Reads JSON in UTF-8, without what is malformed in it. */
const parse = (text: string): unknown => JSON.parse(Buffer.from(text, 'latin1').toString());

/** Compares two texts of JSON by their values. */
const isSame = (one: string, other: string): boolean =>
  JSON.stringify(parse(one)) === JSON.stringify(parse(other));

describe.each(ways)('a surrogate in JSON $name', ({ syntaxes, structure, write, read }) => {
  const repairs = {
    escape: create({ unpairedSurrogates: 'escape' }),
    replace: create({ unpairedSurrogates: 'replace' }),
    fail: create(),
  };

  it('becomes what its policy says, in every context', () => {
    const isWrong = (
      context: (typeof contexts)[number],
      unit: number,
      spelled: string,
    ): boolean => {
      const source = latin(write(context(spelled)));
      const name = `\\\\u${unit.toString(16)}`;
      const escaped = repairs.escape(source, { value: { syntaxes, structure } });
      const replaced = repairs.replace(source, { value: { syntaxes, structure } });
      const { status } = repairs.fail(source, { value: { syntaxes, structure } });
      const again = repairs.fail(escaped.bytes, { value: { syntaxes, structure } });
      return (
        !isSame(read(show(escaped.bytes)), context(name)) ||
        !isSame(read(show(replaced.bytes)), context('\\ufffd')) ||
        status !== 'rejected' ||
        again.bytes !== escaped.bytes
      );
    };
    const wrong: string[] = [];
    for (const unit of [0xd800, 0xdbff, 0xdc00, 0xdfff, ...choose(surrogates, scale(300))]) {
      for (const spell of spellings) {
        const spelled = spell(unit);
        const found = contexts.filter((context) => isWrong(context, unit, spelled));
        for (const context of found) wrong.push(context(spelled));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is one after an even number of backslashes alone, in all contexts', () => {
    for (const context of contexts) {
      for (let count = 0; count <= 9; count++) {
        for (const unit of [0xd800, 0xdbff, 0xdc00, 0xdfff, 0x0000]) {
          const digits = unit.toString(16).padStart(4, '0');
          const json = context(`${'\\'.repeat(count)}u${digits}`);
          const source = latin(write(json));
          const { status } = repairs.fail(source, { value: { syntaxes, structure } });
          const text = JSON.stringify(parse(json));
          // V8 writes both as escapes, with one backslash or more than two in an odd number.
          const isLone = /(?<!\\)(?:\\\\)*\\u(?:d[89a-f]..|0000)/.test(text);
          expect([json, status]).toEqual([json, isLone ? 'rejected' : 'unchanged']);
        }
      }
    }
  });

  it('meets its partner however each is spelled', () => {
    for (const high of spellings) {
      for (const low of spellings) {
        const json = `{"a": "x${high(0xd83d)}${low(0xde00)}y"}`;
        const { status, bytes } = repairs.fail(latin(write(json)), {
          value: { syntaxes, structure },
        });
        expect(parse(read(show(bytes)))).toEqual({ a: 'x😀y' });
        const isFine = high === spellings[0] && low === high;
        expect(status).toBe(isFine ? 'unchanged' : 'changed');
      }
    }
  });

  it('and all else is found at its place', () => {
    const json = '{"é": "\xff\xed\xa0\xbd\\u0000"}'.replace('é', '\xc3\xa9');
    const repair = create({ unpairedSurrogates: 'replace', nul: 'remove', errors: 'replace' });
    const source = latin(write(json));
    const { findings, bytes } = repair(source, { value: { syntaxes, structure } });
    const texts = findings.map(({ offset, length }) =>
      show(source.subarray(offset, offset + length)),
    );
    expect(findings.map(({ kind }) => kind)).toEqual(['legacy-byte', 'unpaired-surrogate', 'nul']);
    expect(texts.slice(0, 2)).toEqual(['\xff', '\xed\xa0\xbd']);
    expect(texts[2]?.replaceAll('\\', '')).toBe('u0000');
    expect(parse(read(show(bytes)))).toEqual({ é: '\ufffd\ufffd' });
  });
});

describe('JSON', () => {
  it('has the verdict of V8 on values of random parts', () => {
    const repair = create();
    const part = fc.constantFrom(
      '\\ud83d',
      '\\ude00',
      '\\\\',
      '\\"',
      'u0000',
      '\\u0000',
      'a',
      '"',
      '\\n',
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => `["${parts.join('')}"]`);
    fc.assert(
      fc.property(text, (json) => {
        let value: string | undefined;
        try {
          value = (JSON.parse(json) as string[]).join();
        } catch {}
        const bytes = latin(json);
        const fault = parseJson(bytes, {
          open() {},
          close() {},
          key() {},
          string() {},
        });
        expect(fault === undefined).toBe(value !== undefined);
        if (value === undefined) return;
        const isFine = !/[\ud800-\udfff\0]/.test(
          value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ''),
        );
        const { status } = repair(bytes, { value: { syntaxes: [], structure: JSON_VALUE } });
        expect(status).toBe(isFine ? 'unchanged' : 'rejected');
        // The native search may raise a false alarm, and misses nothing.
        if (!isFine)
          expect([hasUnitEscape(bytes), hasUnitEscape(bytes, true)]).toEqual([true, true]);
      }),
      { seed, numRuns: scale(4000) },
    );
  });

  it('keeps a surrogate by its escape if the target has none', () => {
    const syntax = { quote: (text: string) => text, nuls: [], escapeUnit: jsonSyntax.escapeUnit };
    const repair = create({ unpairedSurrogates: 'keep', syntax });
    const value = { syntaxes: [], structure: JSON_VALUE };
    const { bytes } = repair(latin('["\xed\xa0\xbd", "\\uD83D"]'), { value });
    expect(show(bytes)).toBe('["\\ud83d", "\\uD83D"]');
    expect(repair(bytes, { value }).status).toBe('unchanged');
    // Without an escape for it, it is refused.
    const array = { syntaxes: [], structure: { is: 'array' } } as const;
    expect(repair(latin('{\xed\xa0\xbd}'), { value: array }).status).toBe('rejected');
    const wtf8 = create({ to: 'wtf-8', unpairedSurrogates: 'keep' });
    expect(wtf8(latin('["\xed\xa0\xbd"]'), { value }).status).toBe('unchanged');
  });
});

const list = ({ status, bytes }: Repair): [string, string] => [status, show(bytes)];

describe('a value', () => {
  it.each([
    ['array', { is: 'array' }, '{a,\xff}', '{a,"\xff"}'],
    ['array', { is: 'array' }, '{ \xff , b}', '{ "" , b}'],
    ['array', { is: 'array' }, '{nu\xffll,null}', '{"null",null}'],
    ['array', { is: 'array' }, '{"nu\xffll"}', '{"null"}'],
    ['array', { is: 'array' }, '{a \xff}', '{"a "}'],
    ['array', { is: 'array' }, '{\x01\xff}', '{\x01}'],
    ['array', { is: 'array' }, '{\xff\b}', '{\b}'],
    ['array', { is: 'array' }, '[2:3][1:1]={{\xffa},{b}}', '[2:3][1:1]={{a},{b}}'],
    [
      'array',
      { is: 'array' },
      ' [10:12] [ -12 : +10 ] = {{\xffa},{b}}',
      ' [10:12] [ -12 : +10 ] = {{a},{b}}',
    ],
    ['array', { is: 'array' }, '[11]={\xff}', '[11]={""}'],
    ['composite', { is: 'composite', of: [] }, '(\xff,a)', '("",a)'],
    ['composite', { is: 'composite', of: [] }, '(a \xff,"")', '(a ,"")'],
    ['composite', { is: 'composite', of: [{ is: 'array' }, null] }, '({\xff},1)', '({\\"\\"},1)'],
    ['hstore', { is: 'hstore' }, '\xff=>nu\xffll', '""=>"null"'],
    ['hstore', { is: 'hstore' }, '"a"=>"\xffb", c => NULL,', '"a"=>"b", c => NULL,'],
  ] satisfies [string, Structure, string, string][])(
    'of the structure %s gets quotes where text needs them: %s %s',
    (_, structure, source, result) => {
      const repair = create({ errors: 'remove' });
      const value = { syntaxes: [], structure };
      const repaired = repair(latin(source), { value });
      expect(list(repaired)).toEqual(['changed', result.replace('"\xff"', '""')]);
      expect(repair(repaired.bytes, { value }).status).toBe('unchanged');
    },
  );

  it('that cannot be written without quotes is refused', () => {
    const repair = create({ errors: 'remove' });
    const bare: Syntax = { excluded: ',"\r\n' };
    const source = latin('{\xff}');
    const value = { syntaxes: [bare], structure: { is: 'array' } } as const;
    // The removed byte becomes U+FFFD, which needs no quotes.
    expect(list(repair(source, { value }))).toEqual(['changed', '{\xef\xbf\xbd}']);
    const null_ = create({ errors: 'windows-1252', nul: 'remove' });
    expect(null_(latin('{a\xff}'), { value }).status).toBe('changed');
    const quoted = { syntaxes: [{ excluded: '\\' }], structure: { is: 'array' } } as const;
    const escaped = create({ errors: 'escape' })(source, { value: quoted });
    expect(list(escaped)).toEqual(['rejected', '{\xff}']);
  });

  it.each([
    ['array', { is: 'array' }, 'no array \xff'],
    ['array', { is: 'array' }, '{a"b\xff"}'],
    ['array', { is: 'array' }, '{a}\xff'],
    ['array', { is: 'array' }, '{a,\xff'],
    ['array', { is: 'array' }, '{,\xff}'],
    ['composite', { is: 'composite', of: [] }, '(a"b"\xff)'],
    ['composite', { is: 'composite', of: [null] }, '(a,\xff)'],
    ['composite', { is: 'composite', of: [] }, '("\xff'],
    ['hstore', { is: 'hstore' }, 'a=\xff'],
    ['hstore', { is: 'hstore' }, '"a\xff'],
    ['JSON', JSON_VALUE, '{"a": \xff}'],
    ['JSON', JSON_VALUE, '"\\\xff"'],
    ['JSON', JSON_VALUE, '\xff'],
  ] satisfies [string, Structure, string][])(
    'that is no %s: only characters above U+007F are written in it: %s %s',
    (_, structure, source) => {
      const value = { syntaxes: [], structure };
      const bytes = latin(source);
      for (const errors of ['escape', 'remove', 'fail'] as const) {
        expect(list(create({ errors })(bytes, { value }))).toEqual(['rejected', source]);
      }
      const { status } = create({ errors: 'replace' })(bytes, { value });
      expect(status).toBe('changed');
    },
  );

  it('is never joined into another by what is removed', () => {
    const repair = create({ errors: 'remove' });
    const value = { syntaxes: [copy] };
    expect(list(repair(latin('\\1\xff2'), { value }))).toEqual(['changed', '\\1\xef\xbf\xbd2']);
    expect(list(repair(latin('\\x4\xff1'), { value }))).toEqual(['changed', '\\x4\xef\xbf\xbd1']);
    expect(list(repair(latin('\\n\xff2'), { value }))).toEqual(['changed', '\\n2']);
  });

  it('may be spelled byte by byte, and each byte in another way', () => {
    const emoji = [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80];
    const forms = [
      (byte: number) => String.fromCharCode(byte),
      (byte: number) => `\\${byte.toString(8)}`,
      (byte: number) => `\\x${byte.toString(16)}`,
    ];
    const repair = create();
    for (let mix = 0; mix < 3 ** 6; mix++) {
      const text = emoji.map((byte, i) => forms[Math.floor(mix / 3 ** i) % 3]?.(byte)).join('');
      const repaired = repair(latin(`<${text}>`), { value: { syntaxes: [copy] } });
      expect(list(repaired)).toEqual(['changed', '<\xf0\x9f\x98\x80>']);
      expect(repaired.findings).toMatchObject([{ offset: 1, length: text.length, kind: 'pair' }]);
      if (mix > 0) expect(hasByteEscape(latin(text))).toBe(true);
    }
    // A valid character stays as it is spelled.
    const fine = latin('\\303\\251 \\xc3\xa9');
    expect(repair(fine, { value: { syntaxes: [copy] } }).bytes).toBe(fine);
  });

  it('may be spelled in hexadecimal digits', () => {
    const value = { syntaxes: [{ isHex: true }] };
    const repair = create({ unpairedSurrogates: 'escape', nul: 'remove' });
    const repaired = repair(latin('41eda0bdedb88000EDA0BD42'), { value });
    expect(list(repaired)).toEqual(['changed', '41F09F98805C756438336442']);
    expect(repaired.findings.map(({ offset, length, kind }) => [offset, length, kind])).toEqual([
      [2, 12, 'pair'],
      [14, 2, 'nul'],
      [16, 6, 'unpaired-surrogate'],
    ]);
    expect(repair(repaired.bytes, { value }).bytes).toBe(repaired.bytes);
  });
});

describe('keys that become equal', () => {
  const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
  const FOUR = '\xf0\x9f\x98\x80';

  it.each([
    ['JSON', JSON_VALUE, `{"${PAIR}":1,"${FOUR}":2}`, [13]],
    ['JSON', JSON_VALUE, `{"${PAIR}":1,"\\ud83d\\ude00":2}`, [13]],
    ['JSON', JSON_VALUE, `{"${FOUR}":1,"\\ud83d\\ude00":2}`, []],
    ['JSON', JSON_VALUE, `{"a${PAIR}":1,"b":{"a${FOUR}":2}}`, []],
    ['JSON', JSON_VALUE, `[{"${PAIR}":1},{"${FOUR}":2}]`, []],
    ['JSON', JSON_VALUE, `{"${PAIR}":1,"${PAIR}":2}`, []],
    ['JSON', JSON_VALUE, `{"a":1,"a":2,"${PAIR}":3}`, []],
    ['JSON', JSON_VALUE, `{"${FOUR}":{"${FOUR}":0},"x":1,"${PAIR}":2}`, [26]],
    ['hstore', { is: 'hstore' }, `"${PAIR}"=>"1", ${FOUR}=>2`, [15]],
  ] satisfies [string, Structure, string, number[]][])(
    'in %s: %s %s',
    (_, structure, text, places) => {
      const value = { syntaxes: [], structure };
      const { status, findings } = create()(latin(text), { value });
      const equal = findings.filter(({ kind }) => kind === 'equal-json-keys');
      expect(equal.map(({ offset }) => offset)).toEqual(places);
      if (places.length > 0) expect(status).toBe('rejected');
      const kept = create({ equalJsonKeys: 'keep' })(latin(text), { value });
      expect(kept.status).not.toBe('rejected');
    },
  );

  it('are not compared if they are kept', () => {
    const keys = ['a', PAIR].map((text) => ({ owner: 0, before: latin(text), after: latin('a') }));
    expect(create().findEqualKeys(keys)).toEqual([1]);
    expect(create({ equalJsonKeys: 'keep' }).findEqualKeys(keys)).toEqual([]);
  });

  it('are compared as characters if the target spells pairs in six bytes', () => {
    const repair = createRepairer({ from: 'utf-8', to: 'cesu-8' });
    const value = { syntaxes: [], structure: JSON_VALUE };
    const { findings } = repair(latin(`{"${FOUR}\\n":1,"${FOUR}\\u000a":2}`), { value });
    expect(findings.map(({ kind }) => kind)).toEqual(['four-byte', 'four-byte']);
  });
});
