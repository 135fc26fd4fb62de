/** Checks that each listed equivalent is still a mutant of the source, with a reason why nothing differs. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import list from '../equivalent.json';
import { listAssemblyMutants } from '../src/assembly.mjs';
import { isSame } from '../src/equivalent.mjs';
import { listMutants } from '../src/instrument.mjs';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

const equivalents: readonly Equivalent[] = list;

interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

it('each belongs to the source', async () => {
  const stale: Equivalent[] = [];
  for (const equivalent of equivalents) {
    const part = { file: path.join(root, equivalent.file), tier: '' };
    const find = equivalent.file.includes('/assembly/') ? listAssemblyMutants : listMutants;
    const mutants = await find([part]);
    if (!mutants.some((mutant) => isSame(equivalent, mutant, root))) stale.push(equivalent);
    expect(equivalent.why).not.toBe('');
  }
  expect(stale).toEqual([]);
});
