/** Names of entries: what text they are, and that no two entries have one path. */
import { readFileSync } from 'node:fs';
import { readJar, rewriteJar } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { nameCases, toItem } from './names.js';
import { readAll } from './reading.js';
import { classOf, type Item, zip } from './zip.js';

const file = useFolder();

async function listPaths(items: readonly Item[]): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of readJar(file('names.jar', zip(items)))) paths.push(path);
  return paths;
}

describe('a name is the text that its bytes mean', () => {
  it.each(nameCases)('$text of $raw, flagged: $isFlagged, field: $field', async (name) => {
    expect(await listPaths([toItem(name)])).toEqual([`${name.text}.class`]);
  });
});

it('a name that only the directory has in Unicode is no damage', async () => {
  const items = nameCases.filter(({ field }) => field).map(toItem);
  const bare = items.map(({ claims, ...item }) => ({
    ...item,
    claims: { ...claims, localExtra: Buffer.alloc(0) },
  }));
  const errors: unknown[] = [];
  const lenient = (error: unknown) => errors.push(error);
  const { classes } = await readAll(file('bare.jar', zip(bare)), { lenient });
  expect([classes.size, errors]).toEqual([items.length, []]);
});

describe('no two entries have one path', () => {
  const twins = nameCases.filter(({ text }) => text === '😀').map(toItem);

  it('if one text is spelled in several ways', async () => {
    const paths = await listPaths(twins);
    expect(new Set(paths).size).toBe(3);
    expect(paths[0]).toBe('😀.class');
    expect(paths[1]).toMatch(/^😀\.class \(entry 2\)$/);
  });

  it('if names are malformed', async () => {
    const names = ['FF', 'FE', 'FDFC'].map((raw) => Buffer.from(raw, 'hex'));
    const items = names.map((name) => ({ name, bytes: classOf(), claims: { flags: 1 << 11 } }));
    expect(new Set(await listPaths(items)).size).toBe(3);
  });

  it('if they have one name, or that of an entry of an archive within', async () => {
    const inner = zip([{ name: 'A.class', bytes: classOf() }]);
    const paths = await listPaths([
      { name: 'A.class', bytes: classOf() },
      { name: 'A.class', bytes: classOf() },
      { name: 'a.jar!/A.class', bytes: classOf() },
      { name: 'a.jar', bytes: inner },
      { name: 'a.jar', bytes: inner },
    ]);
    expect(paths.length).toBe(5);
    expect(new Set(paths).size).toBe(5);
  });

  it('if another entry has the name that would tell them apart', async () => {
    const item = { name: 'A.class', bytes: classOf() };
    const other = { name: 'A.class (entry 3)', bytes: classOf() };
    const paths = await listPaths([item, other, item]);
    expect(new Set(paths).size).toBe(3);
  });

  it('when classes are rewritten, and the names stay as they are', async () => {
    const input = zip(twins);
    const seen: string[] = [];
    const output = file('out.jar');
    await rewriteJar(file('in.jar', input), output, ({ path, bytes }) => {
      seen.push(path);
      return Buffer.concat([bytes, Buffer.of(1)]);
    });
    expect(new Set(seen).size).toBe(3);
    expect((await readAll(output)).classes.size).toBe(3);
    for (const { name } of twins) expect(readFileSync(output).includes(name)).toBe(true);
  });
});
