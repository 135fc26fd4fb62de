import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { FormatError } from '../src/format/format-error.js';
import { findFormat } from '../src/format/registry.js';
import { CsvOracle } from './csv-oracle.js';
import { bytesOf, cesu, expectSameScan, sizes } from './format-reading.js';

/** Parts of files, short and long, so that a record may span many words or few. */
const soupOf = (marks: readonly string[]): fc.Arbitrary<string> => {
  const long = fc.string({ unit: fc.constantFrom('a', ' ', '#', '*', '\x02'), maxLength: 40 });
  const some = fc.constantFrom(...marks, ...marks, '\n', '\n', '\r\n', '\r', cesu.emoji, '\xff');
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: some }, { weight: 1, arbitrary: long }), {
      maxLength: 80,
    })
    .map((parts) => parts.join(''));
};

/** Records as programs write them, and now and then one that they do not. */
const tableOf = (
  delimiter: string,
  quote: string,
  escaped: readonly string[] = [],
): fc.Arbitrary<string> => {
  const quoted = fc
    .array(fc.constantFrom('a', 'bcd', quote + quote, '\n', delimiter, cesu.hangul, ...escaped))
    .map((parts) => `${quote}${parts.join('')}${quote}`);
  const unit = fc.constantFrom('a', '1', ' ', '\x82', ...escaped.map((text) => `a${text}`));
  const plain = fc.string({ unit, maxLength: 20 });
  const odd = fc.constantFrom('', `a${quote}b`, `${quote}${quote}`, quote, `${quote}a${quote}\r`);
  const weights = [
    { weight: 20, arbitrary: plain },
    { weight: 20, arbitrary: quoted },
    { weight: 1, arbitrary: odd },
  ];
  const row = fc.array(fc.oneof(...weights), { minLength: 1, maxLength: 6 });
  const end = fc.constantFrom('\n', '\n', '\r\n');
  return fc
    .array(fc.tuple(row, end), { maxLength: 25 })
    .map((rows) => rows.map(([fields, end]) => fields.join(delimiter) + end).join(''));
};

const attempt = <T>(run: () => T): T | string => {
  try {
    return run();
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
};

describe('records of fields', () => {
  const dialect = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', '\x01', ' '),
    quote: fc.constantFrom('"', '"', "'", '*', '\x0b', ''),
    header: fc.boolean(),
  });

  it('are cut and read as a loop over bytes does', () => {
    const text = dialect.chain((dialect) => {
      const { delimiter, quote } = dialect;
      const soup = soupOf([delimiter, quote, quote + delimiter, delimiter + quote]);
      return fc.tuple(fc.constant(dialect), fc.oneof(soup, tableOf(delimiter, quote)));
    });
    fc.assert(
      fc.property(text, fc.nat(3), fc.nat(400), fc.boolean(), ([dialect, text], at, to, isLast) => {
        const { delimiter, quote, header } = dialect;
        const format = findFormat('csv', dialect);
        const whole = new Uint8Array(text.length + at);
        whole.set(bytesOf(text), at);
        const bytes = whole.subarray(at, isLast ? undefined : at + to);
        const oracleDialect = {
          delimiter: delimiter.charCodeAt(0),
          quote: quote === '' ? -1 : quote.charCodeAt(0),
          hasHeader: header,
        };
        const reader = format.createReader();
        const oracle = new CsvOracle(oracleDialect, undefined);
        const cut = attempt(() => oracle.skip(bytes, isLast));
        expect(attempt(() => reader.skip(bytes, isLast))).toBe(cut);
        if (typeof cut === 'string') return;
        if (cut > 0) expect(reader.state).toMatchObject(oracle.place);
        const pieces = [];
        for (const piece of format.createReader().read(bytes.subarray(0, cut))) {
          const { kind, start, end, number, line } = piece;
          const fields = piece.fields.map((field) => [field.start, field.end, field.number]);
          pieces.push({ kind, start, end, number, line, fields });
        }
        const expected = new CsvOracle(oracleDialect, undefined).read(bytes.subarray(0, cut));
        expect(pieces).toEqual(expected);
      }),
      { numRuns: scale(4000) },
    );
  });

  it('are cut the same with escapes, in one part or in many', () => {
    const text = fc
      .tuple(fc.constantFrom(',', ';', '\t'), fc.constantFrom('"', "'", ''), fc.boolean())
      .chain(([delimiter, quote, header]) => {
        const pair = `\\${delimiter}${quote}`;
        const escaped = ['\\\\', '\\\n', '\\\r', pair, `\\${quote}`];
        const marks = [delimiter, quote, quote + delimiter, delimiter + quote, '\\'];
        const soup = soupOf([...marks, ...escaped]);
        const dialect = { delimiter, quote, header, escape: '\\' };
        return fc.tuple(fc.constant(dialect), fc.oneof(soup, tableOf(delimiter, quote, escaped)));
      });
    fc.assert(
      fc.property(text, sizes, ([dialect, text], cuts) => {
        const format = findFormat('csv', dialect);
        const ends = expectSameScan(format, text, cuts);
        const pieces = attempt(() => {
          const found: number[] = [];
          for (const { kind, end } of format.createReader().read(bytesOf(text))) {
            if (kind !== 'other' || end === text.length) found.push(end);
          }
          return found;
        });
        if (typeof pieces !== 'string') expect(pieces).toEqual(ends);
      }),
      { numRuns: scale(1500) },
    );
  });
});
