/** The published files agree with the schema and with each other. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import specifiers from '../../variants.json' with { type: 'json' };
import { implementations, vectors } from '../src/index.js';

const read = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)));
const bin = fileURLToPath(new URL('../generated/bin', import.meta.url));

interface Members {
  [name: string]: unknown;
}

const file = JSON.parse(read('generated/vectors.json').toString());
const validate = new Ajv2020({ allErrors: true }).compile(
  JSON.parse(read('schema.json').toString()),
);

describe('vectors.json', () => {
  it('vectors.json is valid by schema.json', () => {
    validate(file);
    expect(validate.errors?.slice(0, 5)).toBeUndefined();
  });

  it.each([
    ['a missing variant', ['variants', 'rfc2279'], undefined],
    ['a fault of accepted bytes', ['variants', 'utf-8', 'accepts'], true],
    ['a surrogate in UTF-8', ['variants', 'utf-8', 'text'], [0xd800]],
    ['a surrogate in utf8mb3', ['variants', 'utf8mb3', 'text'], [0xd800]],
    ['a code point that utf8mb3 does not have', ['variants', 'utf8mb3', 'text'], [0x10000]],
    ['a number above U+10FFFF in WTF-8', ['variants', 'wtf-8', 'text'], [0x110000]],
    ['a number above U+FFFF in Modified UTF-8', ['variants', 'mutf-8', 'text'], [0x10000]],
    ['an unknown reason', ['variants', 'utf-8', 'fault', 'reason'], 'bad'],
    ['an unknown member', ['variants', 'utf-8', 'colour'], 'red'],
    ['half a byte', ['bytes'], 'eda'],
    ['an id without a group', ['id'], 'high'],
  ])('schema.json refuses vectors.json with %s', (_, keys, value) => {
    const vector = structuredClone(vectors.find(({ id }) => id === 'surrogate/high'));
    const parent = keys
      .slice(0, -1)
      .reduce((object, key) => object[key] as Members, vector as unknown as Members);
    parent[keys.at(-1) as string] = value;
    expect(validate({ ...file, vectors: [JSON.parse(JSON.stringify(vector))] })).toBe(false);
  });

  it('vectors.json has several hundred distinct vectors', () => {
    expect(vectors.length).toBeGreaterThan(500);
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
    expect(new Set(vectors.map(({ bytes }) => bytes)).size).toBe(vectors.length);
    expect(new Set(vectors.map(({ description }) => description)).size).toBe(vectors.length);
  });

  it('vectors.json describes all implementations that it names', () => {
    const named = vectors.flatMap(({ variants }) =>
      Object.values(variants).flatMap(({ confirmedBy, differs = [] }) => [
        ...Object.values(confirmedBy).flat(),
        ...differs.map(({ by }) => by),
      ]),
    );
    expect(Object.keys(implementations)).toEqual(expect.arrayContaining([...new Set(named)]));
  });

  it('another implementation confirms every result of vectors.json', () => {
    for (const { id, variants } of vectors) {
      for (const [variant, { accepts, confirmedBy }] of Object.entries(variants)) {
        expect(confirmedBy.result?.length, `${id} ${variant}`).toBeGreaterThan(0);
        if (!accepts) expect(confirmedBy.offset?.length, `${id} ${variant}`).toBeGreaterThan(0);
      }
    }
  });

  it('malformed vectors contain no encoded U+FFFD, so that U+FFFD can be counted', () => {
    for (const { id, variants } of vectors) {
      for (const [label, { accepts, text, replacements }] of Object.entries(variants)) {
        const encoded = text.filter(
          (value) =>
            value === 0xfffd ||
            value > 0x10ffff ||
            (label === 'rfc2279-lax' && value >= 0xd800 && value <= 0xdfff),
        ).length;
        if (!accepts) expect(encoded, id).toBe(replacements.maximalSubparts);
      }
    }
  });
});

describe('bin', () => {
  it('bin contains one file for each vector, and no others', () => {
    for (const { id, bytes } of vectors) {
      expect(read(`generated/bin/${id}.bin`).toString('hex')).toBe(bytes);
    }
    const files = readdirSync(bin, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.bin')).length).toBe(vectors.length);
  });

  it('bin/index.tsv has a line for each variant of each vector', () => {
    const lines = read('generated/bin/index.tsv')
      .toString()
      .split('\n')
      .filter((line) => line && !line.startsWith('#'));
    expect(lines.length).toBe(vectors.length * specifiers.length);
    const line = lines.find((each) => each.startsWith('surrogate/high\tutf-8\t'));
    expect(line?.split('\t')).toEqual([
      'surrogate/high',
      'utf-8',
      'reject',
      '0',
      '1',
      'surrogate',
      'no',
      '3',
      '1',
      '3',
      'FFFD FFFD FFFD',
    ]);
  });
});
