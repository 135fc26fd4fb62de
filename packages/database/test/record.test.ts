import { expect, it } from 'vitest';
import { readRecords } from '../src/server/record.js';

const fields = { name: String, rows: Number };

it('reads cells by the names of their columns, in any order', () => {
  const rows = [{ rows: '12', other: 'x', name: 'orders' }];
  expect(readRecords(rows, fields)).toEqual([{ name: 'orders', rows: 12 }]);
});

it('reads NULL with the function of the column', () => {
  const isMissing = (cell: string | null): boolean => cell === null;
  expect(readRecords([{ name: null }], { name: isMissing })).toEqual([{ name: true }]);
});

it('refuses a row that lacks a column', () => {
  expect(() => readRecords([{ name: 'orders', count: '12' }], fields)).toThrow(
    new TypeError('a catalogue query returned no column rows, but name, count'),
  );
});

it('refuses a column that only the prototype of a row has', () => {
  expect(() => readRecords([{}], { toString: String })).toThrow('no column toString');
});
