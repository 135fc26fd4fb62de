/**
 * Compiles the grammar of every variant: `npm run generate`, or `npm run generate -- --check` to be told
 * which files differ from what this would write.
 *
 * A variant is a folder with a `grammar.ts`. Everything else about it is compiled into `src/generated` of
 * its package: the grammar as plain data, loops, a kernel with its WebAssembly, and two modules with the
 * same list of names, one export each so that bundlers can drop what is not used. Lists of the codecs
 * are written from `packages/variants.json`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileGrammar, compileList, listGrammars } from './files.mjs';

const check = process.argv.includes('--check');

function write(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (check) {
    process.exitCode = 1;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${check ? 'differs' : 'written'}: ${path.relative(process.cwd(), file)}`);
}

for (const grammar of listGrammars()) {
  for (const [file, text] of await compileGrammar(grammar)) write(file, text);
}
write(...compileList());
