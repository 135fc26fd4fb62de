import { codecFor } from '@utf8/detect';
import { describe, expect, it } from 'vitest';
import { parseColumn } from '../src/format/shared/column-choice.js';
import { packKey } from '../src/key/key-values.js';
import { nameCount, parseLimit } from '../src/scan/column.js';

describe('a column', () => {
  const field = { start: 0, end: 0, kind: 'text', number: 2 } as const;

  it.each([
    ['name', 'name', undefined, true],
    ['name', 'other', undefined, false],
    ['users.name', 'name', 'users', true],
    ['users.name', 'name', 'public.users', true],
    ['users.name', 'name', 'superusers', false],
    ['users.name', 'users.name', undefined, true],
    ['2', undefined, undefined, true],
    ['2', 'name', undefined, false],
    ['3', undefined, undefined, false],
  ])('%s matches column %s of table %s: %s', (text, column, table, expected) => {
    expect(parseColumn(text).matches({ ...field, column }, table)).toBe(expected);
  });

  it('is counted with its table, and as one for all elements of a list', () => {
    expect(nameCount(1, undefined, 'tags[3].name')).toBe('tags[].name');
    expect(nameCount(1, 't', 2)).toBe('t.column 2');
    expect(nameCount(0, 't', 2)).toBe('outside of records');
  });
});

describe('parseLimit', () => {
  it('reads bytes and characters', () => {
    const [bytes, characters] = [parseLimit('a=b=40b'), parseLimit('name=1c')];
    expect(bytes).toMatchObject({ column: { text: 'a=b' }, most: 40, text: '40b' });
    expect(characters).toMatchObject({ column: { text: 'name' }, most: 1, text: '1c' });
    const measured = [bytes, characters].map(({ measure }) =>
      measure(Buffer.from('é'), codecFor('utf-8')),
    );
    expect(measured).toEqual([2, 1]);
  });

  it.each(['name', 'name=0b', 'name=4', '=4b', 'name=4B'])('refuses %s', (text) => {
    expect(() => parseLimit(text)).toThrow(expect.objectContaining({ code: 'ERR_UTF8_USAGE' }));
  });
});

describe('packKey', () => {
  it('keeps keys apart whose values differ only in where one ends', () => {
    const pack = (...values: string[]) =>
      packKey(
        't',
        values.map((value) => Buffer.from(value)),
      )?.toString('hex');
    expect(pack('ab', 'c')).not.toBe(pack('a', 'bc'));
    expect(pack('a', 'b')).toBe(pack('a', 'b'));
  });

  it('has none if a value is missing', () => {
    expect(packKey('t', [Buffer.from('a'), undefined])).toBeUndefined();
  });
});
