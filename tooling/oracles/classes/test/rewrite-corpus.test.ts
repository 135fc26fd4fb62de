/**
 * Classes that people run, with other strings in them: what ASM makes of the original ones, and what a JVM
 * links under `-Xverify:all`.
 *
 * @module-tag night
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../../src/program.js';
import { useAsm } from '../src/compare.js';
import { libraries } from '../src/corpus.js';
import { modes, rewriteFolder } from '../src/rewrite.js';

const { program } = useAsm();

describe.each(libraries)('$name', (library) => {
  let folder = '';
  beforeAll(() => {
    folder = makeFolder();
  });
  afterAll(() => removeFolder(folder));

  it.each(modes)('with %s changed is what ASM makes of it', (_, mode) => {
    const { changed, different } = rewriteFolder(program, mode, library.extract(program), folder);
    expect(changed).toBeGreaterThan(0);
    expect(different).toEqual([]);
  });

  if (!library.archive) return;
  it('is linked by a JVM that verifies all', () => {
    const options = ['-Xverify:all', '-XX:-PrintWarnings'];
    // Of Scala 3, much extends what is of Scala 2.
    const archives = [library, ...libraries.filter(({ name }) => name === 'scala-library')].map(
      ({ archive }) => archive as string,
    );
    const lines = program.run('Link', [folder, library.extract(program), ...archives], '', options);
    expect(lines.slice(0, -1)).toEqual([]);
    const [, linked, of] = /^(\d+) of (\d+)$/.exec(lines.at(-1) ?? '') ?? [];
    // Optional dependencies are missing here.
    expect(Number(linked)).toBeGreaterThan(Number(of) / 2);
  });
});
