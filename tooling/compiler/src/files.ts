/** Compiles the files of all grammars. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCodec, writeWasm } from './compile.js';
import { writeCodecs } from './lists.js';
import { readGrammar } from './read-grammar.js';
import { writeHeader } from './write-module.js';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
const conformance = fileURLToPath(new URL('../../conformance', import.meta.url));

/** A grammar of a package. */
export interface Place {
  /** The package's folder of sources. */
  readonly source: string;
  /** The folder of the grammar in it; `.` for the package's own. */
  readonly profile: string;
  /** The specifier that users import. Without one, the codec works by its rows alone. */
  readonly specifier: string | undefined;
}

/** A file by its path, with its text. */
export type File = readonly [file: string, text: string];

/** Lists the grammars of all packages. */
export function* listGrammars(): Generator<Place> {
  for (const folder of readdirSync(packages)) {
    const source = path.join(packages, folder, 'src');
    // The language of grammars has no variant.
    if (folder === 'core' || !existsSync(source)) continue;
    const { name, exports } = JSON.parse(
      readFileSync(path.join(packages, folder, 'package.json'), 'utf8'),
    );
    for (const file of (readdirSync(source, { recursive: true }) as string[]).sort()) {
      if (path.basename(file) !== 'grammar.ts') continue;
      const profile = path.dirname(file);
      const subpath = profile === '.' ? '.' : `./${profile}`;
      const specifier = Object.hasOwn(exports, subpath)
        ? path.posix.join(name, profile)
        : undefined;
      yield { source, profile, specifier };
    }
  }
}

/**
 * Compiles the files of one grammar.
 *
 * @param compile - `writeModules` leaves out the WebAssembly, which takes seconds.
 */
export async function compileGrammar(
  { source, profile, specifier }: Place,
  compile: (...subject: Parameters<typeof compileCodec>) => unknown = compileCodec,
): Promise<File[]> {
  const subject = { ...(await readGrammar(path.join(source, profile, 'grammar.ts'))), specifier };
  const target = path.join(source, 'generated', profile);
  const grammar = path.posix.join(path.relative(target, path.join(source, profile)), 'grammar.js');
  const files = (await compile(subject, grammar)) as Awaited<ReturnType<typeof compileCodec>>;
  return Array.from(files, ([name, text]) => [path.join(target, name), text]);
}

/** Writes the list of codecs that the suite runs on. */
export const compileList = (): File => [
  path.join(conformance, 'src/generated/codecs.ts'),
  writeCodecs(),
];

/** Compiles the module of `@utf8/dump` that passes tuples of SQL. */
export async function compileTuples(): Promise<File> {
  // Loaded late: `npm test` runs without the compiler of AssemblyScript.
  const { assemble } = await import('./assemble.mjs');
  const wasm = await assemble(
    "export { BOUNDS, INPUT, INPUT_SIZE, passTuples, TOKENS } from './tuples';\n",
  );
  const file = path.join(packages, 'dump/src/generated/wasm.ts');
  return [file, writeWasm(wasm, writeHeader('tooling/compiler/assembly/tuples.ts'))];
}
