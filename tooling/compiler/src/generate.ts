import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileGrammar, compileList, compileTuples, type File, listGrammars } from './files.js';
import { writeVariants } from './variants.js';

/**
 * Writes all generated files.
 *
 * A variant is a folder with a `grammar.ts`. Everything else about it is compiled into `src/generated` of its
 * package. Lists of the codecs are written from `packages/variants.json`.
 *
 * @param check - True to print the files that differ instead, and to end this process with 1 if any does.
 */
export async function generate(check: boolean): Promise<void> {
  const write = ([file, text]: File): void => {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    if (check) {
      process.exitCode = 1;
    } else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    console.log(`${check ? 'differs' : 'written'}: ${path.relative(process.cwd(), file)}`);
  };
  for (const file of await writeVariants()) write(file);
  for (const grammar of listGrammars()) {
    for (const file of await compileGrammar(grammar)) write(file);
  }
  write(compileList());
  write(await compileTuples());
}
