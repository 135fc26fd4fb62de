/** Every promise of SECURITY.md names a test, and that test exists. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readPackages, root } from '../src/packages.js';

const text = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');

/** A file and a title: `packages/cli/test/output.test.ts`: *makes a file*. */
const references = [...text.matchAll(/`([\w./-]+\.ts)`: \*([^*]+)\*/g)];

it('names tests that exist', () => {
  expect(references.length).toBeGreaterThan(20);
  for (const [, file = '', title = ''] of references) {
    expect(existsSync(path.join(root, file)), file).toBe(true);
    expect(readFileSync(path.join(root, file), 'utf8'), file).toContain(title);
  }
});

it('has a test for every promise', () => {
  const [, table = ''] = /## What we promise([\s\S]*?)\n## /.exec(text) ?? [];
  const promises = table.split('\n').filter((line) => line.startsWith('| **'));
  expect(promises.length).toBeGreaterThan(10);
  for (const promise of promises) {
    expect(promise, 'names no test').toMatch(/`[\w./-]+\.ts`: \*/);
  }
});

it('is linked from the README of every published package, and of this repository', () => {
  const readmes = readPackages('packages')
    .filter(({ manifest }) => !manifest.private)
    .map(({ folder }) => path.join(folder, 'README.md'));
  for (const readme of [...readmes, path.join(root, 'README.md')]) {
    expect(readFileSync(readme, 'utf8'), readme).toMatch(/\]\((\.\.\/\.\.\/)?SECURITY\.md\)/);
  }
});
