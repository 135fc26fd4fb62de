import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale } from '../../../tooling/tiers/tier.js';
import { convertDump } from '../src/convert/convert.js';
import { FormatError } from '../src/format/format-error.js';
import { findFormat } from '../src/format/registry.js';
import { revertDump } from '../src/revert/revert.js';
import {
  bytesOf,
  catchError,
  cell,
  cesu,
  character,
  errorOf,
  expectSameCut,
  readAll,
  sizes,
} from './format-reading.js';
import { useFolder } from './use-folder.js';

const format = findFormat('json');
const path = useFolder();

describe('json', () => {
  it('has a record for each element, with its commas before it', () => {
    const text = `[\n  {\n    "a": "x]",\n    "b": ["${cesu.emoji}"]\n  },\n  {"a": 1}, 2,null ,"s"\n]\n`;
    const pieces = readAll(format, text);
    expect(pieces.map(({ kind, own, number, line }) => [kind, own, number, line])).toEqual([
      ['other', '[', 0, 1],
      ['record', `{\n    "a": "x]",\n    "b": ["${cesu.emoji}"]\n  }`, 1, 2],
      ['record', '{"a": 1}', 2, 6],
      ['record', '2', 3, 6],
      ['record', 'null', 4, 6],
      ['record', '"s"', 5, 6],
      ['other', '\n]\n', 0, 6],
    ]);
    expect(pieces[2]?.text).toBe(',\n  {"a": 1}');
    expect(pieces[1]?.fields.map(({ column, text }) => [column, text])).toEqual([
      ['key a', 'a'],
      ['a', 'x]'],
      ['key b', 'b'],
      ['b[0]', cesu.emoji],
    ]);
  });

  it('may be empty, on one line, or after U+FEFF', () => {
    for (const text of ['[]', ' [ ]\r\n', '\xef\xbb\xbf[]', '\xef\xbb\xbf\n[\n]']) {
      expect(readAll(format, text).map(({ kind }) => kind)).toEqual(['other', 'other']);
      expectSameCut(format, text, [1]);
    }
    expect(readAll(format, '[1,[2],{}]').filter(({ kind }) => kind === 'record')).toHaveLength(3);
  });

  const advice = "; for a file with one value per line, use `format: 'jsonl'`";

  it.each([
    ['{"a":1}\n', 1, `expected "[", the start of an array${advice}`],
    ['\n\n', 1, `expected "[", the start of an array${advice}`],
    ['[1]\n[2]\n', 2, `text follows the array${advice}`],
    ['[1\n2]', 2, 'expected "," or "]"'],
    ['[1,\n]', 2, 'expected a JSON value'],
    ['[\n,1]', 2, 'expected a JSON value'],
    ['[1,\n,2]', 2, 'expected a JSON value'],
    ['[1,\n{"a":"]}', 2, 'unterminated array; is the file complete?'],
    ['[1,2\n', 2, 'unterminated array; is the file complete?'],
    ['[{"a":"\\', 1, 'unterminated array; is the file complete?'],
  ])('refuses %j', (text, line, reason) => {
    expect(errorOf(format, text)).toBe(`FILE:${line}: ${reason}`);
  });

  it('reports the line and the column of what is wrong in an element', () => {
    const error = catchError(() => readAll(format, '[1,\n{\n  "a": tru\n}\n]'));
    expect(error.message).toBe(
      "line 3, column 8: expected a JSON value; correct the line, or use `format: 'lines'`",
    );
  });

  const value = fc.json({ stringUnit: character, maxDepth: 3 }).map((text) => JSON.parse(text));
  const space = fc.constantFrom('', ' ', '\n  ', '\r\n', '\t');

  it('reads the elements that JSON.parse reads, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 8 }),
        fc.constantFrom(undefined, 1, '\t'),
        space,
        sizes,
        (values, indent, gap, cuts) => {
          const inner = values.map((each) => gap + JSON.stringify(each, undefined, indent) + gap);
          const text = Buffer.from(`${gap}[${inner.join(',')}${gap}]${gap}`).toString('latin1');
          expectSameCut(format, text, cuts);
          const records = readAll(format, text).filter(({ kind }) => kind === 'record');
          expect(records.map(({ own }) => JSON.parse(bytesOf(own).toString()))).toEqual(values);
        },
      ),
      { numRuns: scale(200) },
    );
  });

  it('reads strings with anything in them the same, however it is cut', () => {
    const text = cell.map((each) => `"${each.replace(/["\\]/g, '\\$&')}"`);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 9 }), sizes, (strings, cuts) => {
        expectSameCut(format, `[${strings.map((each) => `{"a":${each}}`).join(',\n')}]`, cuts);
        expectSameCut(format, `[${strings.join(',')}]\n`, cuts);
      }),
      { numRuns: scale(300) },
    );
  });

  it('refuses the same however it is cut', () => {
    const soup = fc.array(
      fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', '1', 'a', ':', '\n', ' ', '\xef\xbb\xbf'),
      { maxLength: 14 },
    );
    const accepts = (text: string, parts: readonly number[]): boolean => {
      try {
        expectSameCut(format, text, parts);
        return true;
      } catch (error) {
        if (error instanceof FormatError) return false;
        throw error;
      }
    };
    fc.assert(
      fc.property(soup, sizes, (parts, cuts) => {
        const text = parts.join('');
        expect(accepts(text, cuts)).toBe(accepts(text, [text.length + 1]));
      }),
      { numRuns: scale(3000) },
    );
  });
});

describe('an array some of whose elements are rejected', () => {
  /** Any element may be rejected, and the commas differ. */
  const element = fc.record({
    isBroken: fc.boolean(),
    gap: fc.constantFrom('', ' ', '\n'),
    // Longer than what is looked at in one step, so that a step may have nothing to keep.
    length: fc.constantFrom(1, 50, 9000),
  });
  const spell = ({ isBroken, length }: { isBroken: boolean; length: number }, i: number): string =>
    `{"id":${i},"t":"${'x'.repeat(length)}${isBroken ? cesu.high : cesu.emoji}"}`;

  const convert = (more: object) =>
    convertDump({
      input: path('in'),
      format: 'json',
      from: 'cesu-8+utf-8',
      rejects: path('rejects'),
      output: path('out'),
      undo: path('undo'),
      ...more,
    });

  const idsOf = (file: Uint8Array): number[] =>
    JSON.parse(Buffer.from(file).toString()).map(({ id }: { id: number }) => id);

  it('is two arrays, which revert to the one that it was, in any ranges', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(element, { maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (elements, at) => {
          const parts = elements.map((each, i) => `${each.gap}${spell(each, i)}${each.gap}`);
          const text = bytesOf(`[${parts.join(',')}]\n`);
          writeFileSync(path('in'), text);
          await convert({});
          const ids = elements.map((_, i) => i);
          const output = readFileSync(path('out'));
          expect(idsOf(output)).toEqual(ids.filter((i) => !elements[i]?.isBroken));
          expect(idsOf(readFileSync(path('rejects')))).toEqual(
            ids.filter((i) => elements[i]?.isBroken),
          );
          await revertDump({ input: path('out'), undo: path('undo'), output: path('back') });
          expect(readFileSync(path('back')).equals(text)).toBe(true);
          const middle = Math.floor(at * text.length);
          const halves: Buffer[] = [];
          for (const range of [
            { from: 0, to: middle },
            { from: middle, to: Number.POSITIVE_INFINITY },
          ]) {
            await convert({ range });
            halves.push(readFileSync(path('out')));
          }
          expect(Buffer.concat(halves).equals(output)).toBe(true);
        },
      ),
      { numRuns: scale(60) },
    );
  });

  it('may have numbers at the ends of segments and ranges', async () => {
    const numbers = Array.from({ length: 60_000 }, (_, i) => i);
    const text = `["${cesu.emoji}",${numbers.join(',')},"${cesu.high}",1,2]`;
    writeFileSync(path('in'), bytesOf(text));
    expect((await convert({})).status).toBe('converted');
    const wanted = `["😀",${numbers.join(',')},1,2]`;
    expect(readFileSync(path('out'), 'utf8')).toBe(wanted);
    const cuts = [0, 12, 14, 200_000, text.length - 4, Number.POSITIVE_INFINITY];
    let output = '';
    for (const [i, from] of cuts.slice(0, -1).entries()) {
      await convert({ range: { from, to: cuts[i + 1] } });
      output += readFileSync(path('out'), 'utf8');
    }
    expect(output).toBe(wanted);
  });

  it('has no comma where the first segments have nothing to keep', async () => {
    const broken = Array.from({ length: 60 }, () => ({ isBroken: true, length: 9000 }));
    const kept = { isBroken: false, length: 5 };
    for (const elements of [[...broken, kept, kept], broken, [kept, ...broken], []]) {
      const parts = elements.map(spell);
      writeFileSync(path('in'), bytesOf(`[\n${parts.join(',\n')}\n]\n`));
      expect((await convert({})).status).toBe('converted');
      const rejected = elements.filter(({ isBroken }) => isBroken).length;
      expect(idsOf(readFileSync(path('out')))).toHaveLength(elements.length - rejected);
      expect(idsOf(readFileSync(path('rejects')))).toHaveLength(rejected);
      await revertDump({ input: path('out'), undo: path('undo'), output: path('back') });
      expect(readFileSync(path('back')).equals(readFileSync(path('in')))).toBe(true);
    }
  });
});
