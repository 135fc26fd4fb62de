/** Creates bundles as applications do, and lists the sources that remain in them. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eachMapping, TraceMap } from '@jridgewell/trace-mapping';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

export interface Bundle {
  /** The code, minified except for names. */
  readonly code: string;
  /** The sources that the code comes from, by their path in this repository. */
  readonly sources: ReadonlySet<string>;
}

/** Bundles a program that imports the packages, as published, by their names. */
export async function bundle(program: string): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    // Without the paths of the repository's tsconfig.json, which lead to sources.
    tsconfigRaw: '{}',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'external',
    outdir: root,
    write: false,
    // Hides warnings about unused imports, which tests contain on purpose.
    logLevel: 'error',
  });
  const [map, code] = outputFiles.map(({ text }) => text).sort((a) => (a[0] === '{' ? -1 : 1));
  const sources = new Set<string>();
  // `sources` of the map includes unused ones; its mappings do not.
  eachMapping(new TraceMap(map as string), ({ source }) => {
    if (source && !source.startsWith('<')) sources.add(path.posix.normalize(source));
  });
  return { code: code as string, sources };
}
