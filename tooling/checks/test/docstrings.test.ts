/**
 * Every symbol that programs can import has a docstring from which a reference can be made.
 *
 * @module-tag slow
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { listDocumented } from '../src/gaps.js';
import { listEntries, type Reference, readReference } from '../src/reference.js';
import { listUnexported } from '../src/unexported.js';

// The modules of codecs are all read, generated ones too: each has the names and examples of its own encoding.
const entries = listEntries();
let reference: Reference;
let symbols: ReturnType<typeof listDocumented>;
beforeAll(async () => {
  reference = await readReference(entries.filter(({ isInternal }) => !isInternal));
  symbols = listDocumented(reference.project);
});

describe('docstrings', () => {
  it('leave out what other packages of this repository alone may import', () => {
    const internal = entries.filter(({ isInternal }) => isInternal);
    expect(internal.map(({ specifier }) => specifier)).toEqual([
      '@utf8/core/internal',
      '@utf8/core/parts',
      '@utf8/detect/internal',
      '@utf8/dump/internal',
    ]);
  });

  it('are found in every other module', () => {
    const modules = new Set(symbols.map(({ symbol }) => symbol.split(':')[0]));
    expect(modules.size).toBe(entries.filter(({ isInternal }) => !isInternal).length);
  });

  it('lack nothing', () => {
    const lines = symbols.flatMap(({ symbol, gaps }) => gaps.map((gap) => `${symbol}: ${gap}`));
    expect(lines).toEqual([]);
  });

  it('link to symbols of the reference alone', () => expect(reference.warnings).toEqual([]));

  it('describe every type that symbols refer to', () =>
    expect(listUnexported(reference.project)).toEqual([]));
});
