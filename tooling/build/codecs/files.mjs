/** What is compiled of the grammars of all variants. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCodec } from './compile.mjs';
import { readGrammar } from './grammar.mjs';
import { writeCodecs } from './lists.mjs';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
const conformance = fileURLToPath(new URL('../../conformance', import.meta.url));

/** Lists the folders with a grammar, by the package that they are in. */
export function* listGrammars() {
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

/**
 * Compiles what belongs to one grammar: every file that there should be, by path, with its text. `writeModules` in place of
 * `compileCodec` leaves out what takes seconds.
 */
export async function compileGrammar({ source, profile, specifier }, compile = compileCodec) {
  const subject = { ...(await readGrammar(path.join(source, profile, 'grammar.ts'))), specifier };
  const target = path.join(source, 'generated', profile);
  const grammar = path.posix.join(path.relative(target, path.join(source, profile)), 'grammar.js');
  const files = await compile(subject, grammar);
  return Array.from(files, ([name, text]) => [path.join(target, name), text]);
}

/** Writes the list of codecs that the suite runs on, as {@link compileGrammar} does. */
export const compileList = () => [path.join(conformance, 'src/generated/codecs.ts'), writeCodecs()];
