/** The modules of the packages under test, as their `exports` name them and as they were built. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../../../..', import.meta.url));

type Condition = 'import' | 'require';

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, Partial<Record<Condition, { default: string }>>>>;
}

function* readManifests(): Generator<{ folder: string; manifest: Manifest }> {
  for (const name of readdirSync(path.join(root, 'packages')).sort()) {
    const folder = `packages/${name}`;
    const file = path.join(root, folder, 'package.json');
    if (existsSync(file)) yield { folder, manifest: JSON.parse(readFileSync(file, 'utf8')) };
  }
}

/** Lists every ES module, by its specifier: the path of its file in this repository. */
export function listModules(): Map<string, string> {
  const modules = new Map<string, string>();
  for (const { folder, manifest } of readManifests()) {
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      const file = target.import?.default;
      if (file) modules.set(path.posix.join(manifest.name, subpath), path.posix.join(folder, file));
    }
  }
  return modules;
}

/** Lists the specifiers that load anywhere: every module of every codec, and what serves them all. */
export function listEntries(): string[] {
  const entries = ['@utf8/core', '@utf8/detect'];
  for (const { manifest } of readManifests()) {
    // Every codec has a lite module, and nothing else has.
    if (!manifest.exports?.['./lite']) continue;
    for (const [subpath, target] of Object.entries(manifest.exports)) {
      if (target.import) entries.push(path.posix.join(manifest.name, subpath));
    }
  }
  return entries;
}
