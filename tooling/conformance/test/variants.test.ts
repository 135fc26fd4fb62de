/** Every variant passes the suite: in its package, in files that this finds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { variants } from '../src/generated/codecs.js';

it.each(Object.keys(variants))('%s has the tests that every variant inherits', (name) => {
  const [folder = ''] = name.split('/');
  const read = (file: string): string =>
    readFileSync(path.join('packages', folder, 'test', `${file}.test.ts`), 'utf8');
  const base = path.posix.basename(name);
  expect(read(base)).toContain(`testCodec('${name}', full)`);
  expect(read(base)).toContain(`testCodec('${name}/lite', lite`);
  for (const third of [1, 2, 3]) {
    expect(read(`${base}-short-inputs-${third}`)).toContain(
      `testShortInputs('${name}', full, { third: ${third}`,
    );
  }
  expect(read(`${base}-short-inputs-3`)).toContain(`testShortInputs('${name}/lite', lite`);
  expect(read('kernels')).toContain(`testKernels('${name}'`);
});
