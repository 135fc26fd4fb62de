/** The committed files are what the generator would write. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { VectorFile } from '../../../../packages/vectors/src/index.js';
import { edgeSequences } from '../../../conformance/src/cases.js';
import type { Peer } from '../../interop/src/peer.js';
import { group, toHex } from '../src/case.js';
import { cases } from '../src/cases/index.js';
import { type Confirmation, confirm } from '../src/confirmation.js';
import { documented, documentedConfirmations } from '../src/documented.js';
import { makeFile, printIndex, printJson } from '../src/file.js';
import { findVersion, implementations, startPeers } from '../src/implementation.js';
import { printCases, printRows } from '../src/probe-data.js';
import { completeSchema, printVariantType } from '../src/schema.js';
import { variants } from '../src/variant.js';

const home = fileURLToPath(new URL('../../../../packages/vectors', import.meta.url));
const folder = path.join(home, 'generated');
const json = readFileSync(path.join(folder, 'vectors.json'), 'utf8');
const committed = JSON.parse(json) as VectorFile;

/** What the committed file says that somebody said. */
const recorded: Confirmation[] = committed.vectors.flatMap(({ id, variants }) =>
  Object.entries(variants).flatMap(([variant, { confirmedBy, differs = [] }]) => {
    const names = new Set([...Object.values(confirmedBy).flat(), ...differs.map(({ by }) => by)]);
    return [...names].map((by) => ({
      by,
      variant: variant as Confirmation['variant'],
      id,
      confirms: (Object.keys(confirmedBy) as Confirmation['confirms'][number][]).filter((aspect) =>
        confirmedBy[aspect]?.includes(by),
      ),
      differs: differs.filter((difference) => difference.by === by),
    }));
  }),
);

const order = (names: readonly string[]): string[] =>
  Object.keys(committed.implementations).filter((name) => names.includes(name));

describe('the committed files', () => {
  it('have the values that the rows give', () => {
    const inOrder = order(recorded.map(({ by }) => by)).flatMap((name) =>
      recorded.filter(({ by }) => by === name),
    );
    const file = makeFile(cases, committed.implementations, inOrder);
    expect(file.vectors.length).toBe(committed.vectors.length);
    for (const [i, vector] of file.vectors.entries()) {
      expect(vector, vector.id).toEqual(committed.vectors[i]);
    }
    expect(printJson(committed)).toBe(json);
    expect(printIndex(file)).toBe(readFileSync(path.join(folder, 'bin/index.tsv'), 'utf8'));
  });

  it('are no more than those', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => name.replaceAll(path.sep, '/'));
    const wanted = ['vectors.json', 'bin/index.tsv', ...cases.map(({ id }) => `bin/${id}.bin`)];
    expect(files.sort()).toEqual(wanted.sort());
    for (const { id, bytes } of cases) {
      expect(readFileSync(path.join(folder, `bin/${id}.bin`)).equals(bytes), id).toBe(true);
    }
  });

  it('have the variants of packages/variants.json in the schema and in the type', () => {
    const schema = readFileSync(path.join(home, 'schema.json'), 'utf8');
    expect(completeSchema(schema)).toBe(schema);
    const type = readFileSync(path.join(home, 'src/generated/variant.ts'), 'utf8');
    expect(printVariantType()).toBe(type);
  });

  it('have rows and cases for the probe', () => {
    const read = (name: string): string =>
      readFileSync(path.join(home, `src/generated/${name}.ts`), 'utf8');
    expect(printRows()).toBe(read('rows'));
    expect(printCases(cases)).toBe(read('cases'));
  });

  it('say of what was not run only what is documented', () => {
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

const peers = await startPeers();
afterAll(() => {
  for (const peer of peers.values()) if (typeof peer !== 'string') peer.stop();
});

describe('a peer still says what is recorded:', () => {
  for (const implementation of implementations) {
    const peer = peers.get(implementation.peer) as Peer | string;
    const name =
      typeof peer === 'string' ? undefined : implementation.name(findVersion(peer.about));
    const title = `${name ?? implementation.peer} on ${implementation.variant}`;
    if (!name) console.log(`skipped: ${title}: ${peer}`);
    else if (!committed.implementations[name]) {
      console.log(`skipped: ${title}: another version than the one that was asked`);
    }
    it.skipIf(!name || !committed.implementations[name])(title, async () => {
      const said = await confirm(implementation, peer as Peer, cases);
      const spoke = said.filter(({ confirms, differs }) => confirms.length + differs.length > 0);
      const before = recorded.filter(
        ({ by, variant }) => by === name && variant === implementation.variant,
      );
      expect(
        spoke.map(({ confirms, ...rest }) => ({ ...rest, confirms: [...confirms].sort() })),
      ).toEqual(
        before.map(({ confirms, ...rest }) => ({ ...rest, confirms: [...confirms].sort() })),
      );
    });
  }
});

describe('cases', () => {
  it.each(Object.entries(variants))('have every edge of the rows of %s', (_, { grammar }) => {
    const known = new Set(cases.map(({ bytes }) => toHex(bytes)));
    const edges = edgeSequences(grammar).map(toHex);
    expect(edges.filter((bytes) => !known.has(bytes))).toEqual([]);
  });

  it('are refused where a line is none', () => {
    expect(() => group('any', 'name without bytes')).toThrow('No case: name without bytes');
  });

  it('are refused where two have the same bytes', () => {
    const twice = group('any', 'a | 41 | once\nb | 41 | twice');
    expect(() => makeFile(twice, {}, [])).toThrow('any/b has what any/a has');
  });
});
