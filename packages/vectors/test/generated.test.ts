/** The committed files equal the output of the generator. `tooling/oracles/vectors` runs other implementations again. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { edgeSequences } from '../../../tooling/conformance/src/cases.js';
import { attacks } from '../../../tooling/oracles/readers/src/attacks.js';
import { platforms, readers } from '../../../tooling/oracles/readers/src/readers.js';
import { group, toHex } from '../../../tooling/oracles/vectors/src/case.js';
import { cases } from '../../../tooling/oracles/vectors/src/cases/index.js';
import {
  committed,
  folder,
  home,
  json,
  recorded,
} from '../../../tooling/oracles/vectors/src/committed.js';
import type { Confirmation } from '../../../tooling/oracles/vectors/src/confirmation.js';
import {
  documented,
  documentedConfirmations,
} from '../../../tooling/oracles/vectors/src/documented.js';
import { createFile, printIndex, printJson } from '../../../tooling/oracles/vectors/src/file.js';
import { printCases, printRows } from '../../../tooling/oracles/vectors/src/probe-data.js';
import { completeSchema, printVariantType } from '../../../tooling/oracles/vectors/src/schema.js';
import { variants } from '../../../tooling/oracles/vectors/src/variant.js';
import { knownReaders } from '../src/generated/fingerprints.js';

const order = (names: readonly string[]): string[] =>
  Object.keys(committed.implementations).filter((name) => names.includes(name));

describe('the committed files', () => {
  it('vectors.json and index.tsv have the values that the rows imply', () => {
    const inOrder = order(recorded.map(({ by }) => by)).flatMap((name) =>
      recorded.filter(({ by }) => by === name),
    );
    const file = createFile(cases, committed.implementations, inOrder);
    // A difference of objects is easier to read than one of the whole text.
    if (printJson(file) !== json) expect(file).toEqual(committed);
    expect(printJson(file)).toBe(json);
    expect(printIndex(file)).toBe(readFileSync(path.join(folder, 'bin/index.tsv'), 'utf8'));
  });

  it('generated contains no other files', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => name.replaceAll(path.sep, '/'));
    const wanted = ['vectors.json', 'bin/index.tsv', ...cases.map(({ id }) => `bin/${id}.bin`)];
    expect(files.sort()).toEqual(wanted.sort());
    for (const { id, bytes } of cases) {
      expect(readFileSync(path.join(folder, `bin/${id}.bin`)).equals(bytes), id).toBe(true);
    }
  });

  it('the schema and the type Variant have the variants of packages/variants.json', () => {
    const schema = readFileSync(path.join(home, 'schema.json'), 'utf8');
    expect(completeSchema(schema)).toBe(schema);
    const type = readFileSync(path.join(home, 'src/generated/variant.ts'), 'utf8');
    expect(printVariantType()).toBe(type);
  });

  it('the modules of the probe have all rows and cases', () => {
    const read = (name: string): string =>
      readFileSync(path.join(home, `src/generated/${name}.ts`), 'utf8');
    expect(printRows()).toBe(read('rows'));
    expect(printCases(cases)).toBe(read('cases'));
  });

  it('implementations that were not run confirm only documented results', () => {
    for (const [name, about] of Object.entries(documented)) {
      expect(committed.implementations[name]).toBe(about);
      const ofName = ({ by }: Confirmation) => by === name;
      expect(recorded.filter(ofName)).toEqual(
        expect.arrayContaining(documentedConfirmations.filter(ofName)),
      );
      expect(recorded.filter(ofName).length).toBe(documentedConfirmations.filter(ofName).length);
    }
  });
});

describe('cases', () => {
  it.each(Object.entries(variants))(
    'cases contain every edge of the rows of %s',
    (_, { grammar }) => {
      const known = new Set(cases.map(({ bytes }) => toHex(bytes)));
      const edges = edgeSequences(grammar).map(toHex);
      expect(edges.filter((bytes) => !known.has(bytes))).toEqual([]);
    },
  );

  it('a line of another format is a SyntaxError', () => {
    expect(() => group('any', 'name without bytes')).toThrow('not a case: name without bytes');
  });

  it('two cases with the same bytes are an error', () => {
    const twice = group('any', 'a | 41 | once\nb | 41 | twice');
    expect(() => createFile(twice, {}, [])).toThrow('any/b and any/a have the same bytes');
  });
});

describe('known readers', () => {
  it('all readers are known, with columns for ten platforms', () => {
    expect(knownReaders).toHaveLength(readers.length);
    expect(Object.keys(platforms)).toHaveLength(10);
    for (const name of Object.keys(platforms)) {
      expect(readers.some(({ platform, column }) => platform === name && column)).toBe(true);
    }
  });

  it('attacks.md has all attacks and columns', () => {
    const page = new URL('../../../apps/site/pages/attacks.md', import.meta.url);
    const table = readFileSync(page, 'utf8');
    for (const [, name] of attacks) expect(table).toContain(name);
    for (const { column } of readers) if (column) expect(table).toContain(`\n- ${column}: `);
  });
});
