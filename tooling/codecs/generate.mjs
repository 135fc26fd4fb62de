/**
 * Compiles the grammar of every variant: `npm run generate`, or `npm run generate -- --check` to be told
 * which files differ from what this would write.
 *
 * A variant is a folder with a `grammar.ts`. Everything else about it is compiled into `src/generated` of
 * its package: the grammar as plain data, loops, a kernel with its WebAssembly, and two modules with the
 * same list of names, one export each so that bundlers can drop what is not used. Lists of the codecs
 * are written from `packages/variants.json`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCodec } from './compile.mjs';
import { readGrammar } from './grammar.mjs';
import { writeCodecs } from './lists.mjs';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
const conformance = fileURLToPath(new URL('../conformance', import.meta.url));

/** Lists the folders with a grammar, by the package that they are in. */
function* listGrammars() {
  for (const folder of readdirSync(packages)) {
    const source = path.join(packages, folder, 'src');
    // The language of grammars has no variant.
    if (folder === 'core' || !existsSync(source)) continue;
    const { name, exports } = JSON.parse(
      readFileSync(path.join(packages, folder, 'package.json'), 'utf8'),
    );
    for (const file of readdirSync(source, { recursive: true }).sort()) {
      if (path.basename(file) !== 'grammar.ts') continue;
      const profile = path.dirname(file);
      const subpath = profile === '.' ? '.' : `./${profile}`;
      yield {
        source,
        profile,
        // What no user can import works by its rows alone.
        specifier: Object.hasOwn(exports, subpath) ? path.posix.join(name, profile) : undefined,
      };
    }
  }
}

/** Yields every file that there should be, by path, with its text. */
export async function* listFiles() {
  for (const { source, profile, specifier } of listGrammars()) {
    const subject = { ...(await readGrammar(path.join(source, profile, 'grammar.ts'))), specifier };
    const target = path.join(source, 'generated', profile);
    const grammar = path.posix.join(
      path.relative(target, path.join(source, profile)),
      'grammar.js',
    );
    for (const [name, text] of await compileCodec(subject, grammar)) {
      yield [path.join(target, name), text];
    }
  }
  yield [path.join(conformance, 'src/generated/codecs.ts'), writeCodecs()];
}

const check = process.argv.includes('--check');
for await (const [file, text] of listFiles()) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) {
    process.exitCode = 1;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${check ? 'differs' : 'written'}: ${path.relative(process.cwd(), file)}`);
}
