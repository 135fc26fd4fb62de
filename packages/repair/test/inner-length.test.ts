/** Lengths inside values: PHP serialization, whose `unserialize` has the last word. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  createRepairer,
  jsonSyntax,
  type RepairOptions,
  type StructuredValue,
} from '../src/index.js';
import { parseSerialized } from '../src/php.js';

/** `😀` in six bytes; texts of the tests are Latin-1. */
const SIX = '\xed\xa0\xbd\xed\xb8\x80';
const FOUR = '\xf0\x9f\x98\x80';

function repair(text: string, options: Partial<RepairOptions> = {}, value?: StructuredValue) {
  const repairer = createRepairer({ from: 'cesu-8+utf-8', ...options });
  const bytes = Buffer.from(text, 'latin1');
  const { status, bytes: result, findings } = repairer(bytes, { value });
  return {
    status,
    text: Buffer.from(result).toString('latin1'),
    lengths: findings.flatMap(({ kind, offset, length, becomes, isAlreadyWrong }) => {
      if (kind !== 'inner-length') return [];
      const before = text.slice(offset, offset + length);
      const after = becomes ? Buffer.from(becomes).toString() : null;
      return [[before, after, ...(isAlreadyWrong ? ['already wrong'] : [])]];
    }),
  };
}

const serialize = (text: string): string => `s:${text.length}:"${text}";`;

describe('a length is recomputed', () => {
  it.each([
    ['of a text', `s:6:"${SIX}";`, `s:4:"${FOUR}";`],
    ['of an element', `a:1:{i:0;s:11:"Shop ${SIX}";}`, `a:1:{i:0;s:9:"Shop ${FOUR}";}`],
    ['of a key', `a:1:{s:6:"${SIX}";i:1;}`, `a:1:{s:4:"${FOUR}";i:1;}`],
    ['of a property', `O:1:"A":1:{s:7:"x${SIX}";N;}`, `O:1:"A":1:{s:5:"x${FOUR}";N;}`],
    ['of a class', `O:6:"${SIX}":0:{}`, `O:4:"${FOUR}":0:{}`],
    ['of an enum', `a:1:{i:0;E:8:"E:${SIX}";}`, `a:1:{i:0;E:6:"E:${FOUR}";}`],
    ['of data of a class', `C:1:"A":7:{x${SIX}}`, `C:1:"A":5:{x${FOUR}}`],
    [
      'of serialized data of a class',
      `C:1:"A":${serialize(SIX).length}:{${serialize(SIX)}}`,
      `C:1:"A":${serialize(FOUR).length}:{${serialize(FOUR)}}`,
    ],
    ['that loses a digit', `s:10:"abcd${SIX}";`, `s:8:"abcd${FOUR}";`],
    ['with zeros', `s:006:"${SIX}";`, `s:4:"${FOUR}";`],
    ['of an escaped text', `S:7:"\\e9${SIX}";`, `S:5:"\\e9${FOUR}";`],
    ['in a session', `user|s:6:"${SIX}";n|i:1;`, `user|s:4:"${FOUR}";n|i:1;`],
    ['between blanks', ` s:6:"${SIX}";\n`, ` s:4:"${FOUR}";\n`],
    [
      'of one text of several',
      `a:2:{i:0;s:2:"ab";i:1;s:6:"${SIX}";}`,
      `a:2:{i:0;s:2:"ab";i:1;s:4:"${FOUR}";}`,
    ],
    ['that counts quotes', `a:1:{i:0;s:9:"";}${SIX}";}`, `a:1:{i:0;s:7:"";}${FOUR}";}`],
  ])('%s: %s', (_, before, after) => {
    expect(repair(before)).toMatchObject({ status: 'changed', text: after });
    expect(repair(after).status).toBe('unchanged');
  });

  it('of texts in texts, from the inside out', () => {
    let [before, after] = [serialize(SIX), serialize(FOUR)];
    for (let depth = 0; depth < 10; depth++) {
      before = `a:1:{i:0;${serialize(before)}}`;
      after = `a:1:{i:0;${serialize(after)}}`;
    }
    const result = repair(before);
    expect(result).toMatchObject({ status: 'changed', text: after });
    expect(result.lengths).toHaveLength(11);
  });

  it('of serialized texts in JSON, in PHP, in JSON', () => {
    const wrap = (text: string): string =>
      JSON.stringify({ a: `a:1:{i:0;${serialize(JSON.stringify([serialize(text)]))}}` });
    expect(repair(wrap(SIX))).toMatchObject({ status: 'changed', text: wrap(FOUR) });
    const json = { syntaxes: [], structure: { is: 'json' } } as const;
    expect(repair(wrap(SIX), {}, json)).toMatchObject({ status: 'changed', text: wrap(FOUR) });
  });

  it('if U+0000 of private names is removed, as asked', () => {
    const before = 'O:1:"A":2:{s:4:"\0A\0x";i:1;s:4:"\0*\0y";i:2;}';
    const after = 'O:1:"A":2:{s:2:"Ax";i:1;s:2:"*y";i:2;}';
    expect(repair(before, { nul: 'remove' })).toMatchObject({ text: after });
    const pair = before.replace('i:1', `s:6:"${SIX}"`);
    expect(repair(pair, { nul: 'keep' })).toMatchObject({
      text: before.replace('i:1', `s:4:"${FOUR}"`),
    });
  });

  it('to what another target writes', () => {
    expect(repair(`s:4:"${FOUR}";`, { to: 'cesu-8' })).toMatchObject({ text: `s:6:"${SIX}";` });
    expect(repair('s:2:"\xe9!";', { errors: 'windows-1252' })).toMatchObject({
      text: 's:3:"\xc3\xa9!";',
    });
    expect(repair('s:2:"\xe9!";', { errors: 'escape' })).toMatchObject({
      text: 's:5:"\\xe9!";',
    });
  });

  it.each([
    [
      'MySQL',
      [{ escaper: 0x5c, letters: { '0': 0, n: 10 }, quote: 0x27 }],
      (t: string) => t.replace(/["'\\]/g, '\\$&').replaceAll('\n', '\\n'),
    ],
    ['SQL', [{ quote: 0x27 }], (t: string) => t.replaceAll("'", "''")],
    [
      'COPY',
      [{ escaper: 0x5c, letters: { n: 10, t: 9 } }],
      (t: string) => t.replaceAll('\\', '\\\\').replaceAll('\n', '\\n'),
    ],
    ['CSV', [{ quote: 0x22 }], (t: string) => t.replaceAll('"', '""')],
    ['JSON', [jsonSyntax], (t: string) => JSON.stringify(t).slice(1, -1)],
    [
      'JSON in SQL',
      [{ quote: 0x27 }, jsonSyntax],
      (t: string) => JSON.stringify(t).slice(1, -1).replaceAll("'", "''"),
    ],
    [
      'hexadecimal digits',
      [{ isHex: true }],
      (t: string) => Buffer.from(t, 'latin1').toString('hex').toUpperCase(),
    ],
  ])('as %s spells it', (_, syntaxes, spell) => {
    const wrap = (text: string): string => spell(`a:1:{i:0;${serialize(`it's "a\\b"\n${text}`)}}`);
    const result = repair(wrap(SIX), {}, { syntaxes });
    expect(result).toMatchObject({ status: 'changed', text: wrap(FOUR) });
    expect(result.lengths).toHaveLength(1);
  });

  it('of bytes that JSON spells by numbers', () => {
    const before = `s:8:\\u0022\\u00e9${SIX}\\u0022;`;
    const result = repair(before, {}, { syntaxes: [jsonSyntax] });
    expect(result.text).toBe(`s:6:\\u0022\\u00e9${FOUR}\\u0022;`);
    expect(result.lengths).toEqual([['s:8:', 's:6:']]);
  });
});

describe('a length stays', () => {
  it.each([
    ['right after the repair', `s:4:"${SIX}";`, `s:4:"${FOUR}";`],
    ['in ordinary text', `class:10:"x" ${SIX}`, `class:10:"x" ${FOUR}`],
    ['before a text that does not change', `s:2:"ab";${SIX}`, `s:2:"ab";${FOUR}`],
    ['in a text about PHP', `In s:10:"x" ${SIX} s:2:"ab"`, `In s:10:"x" ${FOUR} s:2:"ab"`],
    ['without quotes', `s:6:${SIX}`, `s:6:${FOUR}`],
    ['of elements', `a:6:"${SIX}"`, `a:6:"${FOUR}"`],
  ])('%s: %s', (_, before, after) => {
    expect(repair(before)).toMatchObject({ status: 'changed', text: after, lengths: [] });
  });

  it('if it counts mojibake by what it was', () => {
    const before = 's:5:"Caf\xc3\x83\xc2\xa9";';
    expect(repair(before, { mojibake: 'repair' })).toMatchObject({
      status: 'changed',
      text: 's:5:"Caf\xc3\xa9";',
      lengths: [],
    });
  });

  it('in a text in another one that was counted after it was damaged', () => {
    const wrap = (text: string): string => serialize(`a:1:{i:0;s:4:"${text}";}`);
    expect(repair(wrap(SIX))).toMatchObject({ status: 'changed', text: wrap(FOUR) });
  });

  it('under the policy keep', () => {
    const result = repair(`s:6:"${SIX}";`, { innerLengths: 'keep' });
    expect(result).toMatchObject({ status: 'changed', text: `s:6:"${FOUR}";`, lengths: [] });
  });
});

describe('a value is refused', () => {
  it.each([
    ['cut off after the text', `a:2:{i:0;s:6:"${SIX}";i:1`, [['s:6:', null]]],
    ['cut off in the text', `a:1:{i:0;s:60:"${SIX}`, [['s:60:', null, 'already wrong']]],
    ['wrong elsewhere', `a:2:{i:0;s:9:"ab";i:1;s:6:"${SIX}";}`, [['s:6:', null]]],
    ['wrong before', `a:1:{i:0;s:5:"${SIX}";}`, [['s:5:', null, 'already wrong']]],
    [
      'of a session that is wrong before',
      `x|a:1:{i:0;s:5:"${SIX}";}`,
      [['s:5:', null, 'already wrong']],
    ],
    ['that is part of a text', `before s:6:"${SIX}"; after`, [['s:6:', null]]],
    ['escaped once more', `a:1:{i:0;s:8:\\"${SIX}\\\\x\\";}`, [['s:8:', null]]],
    ['whose text has other escapes', `S:3:"\xed\xa0\xbd";`, [['S:3:', null]], 'escape'],
    [
      'that is right after the repair, with a text that is not',
      `a:1:{i:0;s:${serialize(FOUR).length}:"${serialize(SIX)}";}`,
      [['s:6:', null]],
    ],
  ])('%s', (_, before, lengths, errors?: string) => {
    const options = (errors ? { errors } : {}) as Partial<RepairOptions>;
    const from = errors ? { from: 'utf-8', unpairedSurrogates: 'escape' as const } : {};
    expect(repair(before, { ...options, ...from })).toMatchObject({ status: 'rejected', lengths });
  });

  it('under the policy fail', () => {
    const result = repair(`s:6:"${SIX}";`, { innerLengths: 'fail' });
    expect(result).toMatchObject({ status: 'rejected', lengths: [['s:6:', null]] });
  });

  it('that is nested too deep, and not read more often than that', () => {
    let value = serialize(SIX);
    while (value.length < 1 << 17) value = serialize(value);
    expect(repair(value)).toMatchObject({ status: 'rejected' });
  });
});

it('an unknown policy is an error', () => {
  expect(() => repair('', { innerLengths: 'guess' as 'keep' })).toThrow(
    'unknown innerLengths: "guess"; expected repair, fail, keep',
  );
});

describe('PHP', () => {
  const recorded = readFileSync(new URL('recorded/php.txt', import.meta.url), 'utf8');
  const linesWith = (mark: string): string[] =>
    recorded.split('\n').flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(2)] : []));

  it.each(linesWith('+'))('reads %s', (value) => {
    expect(parseSerialized(Buffer.from(value))).toBeDefined();
  });

  it.each(linesWith('-'))('refuses %s', (value) => {
    expect(parseSerialized(Buffer.from(value))).toBeUndefined();
  });

  it('writes what a repair makes of a value', () => {
    const pairs = linesWith('>').map((line) =>
      line.split(' ').map((value) => Buffer.from(value, 'base64').toString('latin1')),
    );
    for (const [before = '', after] of pairs) {
      expect(repair(before, { nul: 'keep' }).text).toBe(after);
    }
    expect(pairs.length).toBeGreaterThan(50);
  });
});
