/** The packages of this repository as npm publishes them: their manifests and their declarations. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../packages', import.meta.url));

export interface Package {
  readonly name: string;
  /** The subpaths with types, as `.` or `./lite`. */
  readonly subpaths: readonly string[];
  /** Names of this repository's packages that this one depends on. */
  readonly dependencies: readonly string[];
  /** The published files that a type checker reads, by their path in the package. */
  readonly files: ReadonlyMap<string, string>;
  /** True if the package has an encoding of its own, which always has a lite module. */
  readonly isVariant: boolean;
  /** True if the package has only an ESM module. */
  readonly isModuleOnly: boolean;
}

export const packages: readonly Package[] = readdirSync(root)
  .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
  .filter((folder) => !isPrivate(path.join(root, folder)))
  .map((folder) => readPackage(path.join(root, folder)));

function isPrivate(folder: string): boolean {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).private === true;
}

function readPackage(folder: string): Package {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  const manifest = JSON.parse(text);
  const files = new Map([['package.json', text]]);
  for (const published of manifest.files) {
    for (const file of listFiles(path.join(folder, published))) {
      if (!/\.d\.[cm]?ts$|\.json$/.test(file)) continue;
      const name = path.relative(folder, file).replaceAll(path.sep, '/');
      files.set(name, readFileSync(file, 'utf8'));
    }
  }
  const targets = Object.entries<object | string>(manifest.exports);
  const typed = targets.filter(([, target]) => typeof target === 'object');
  return {
    name: manifest.name,
    subpaths: typed.map(([subpath]) => subpath),
    dependencies: Object.keys(manifest.dependencies ?? {}).filter((name) => /^@utf8\//.test(name)),
    files,
    isVariant: './lite' in manifest.exports,
    isModuleOnly: typed.every(([, target]) => !Object.hasOwn(target as object, 'require')),
  };
}

function listFiles(file: string): string[] {
  if (!existsSync(file)) return [];
  if (path.extname(file) !== '') return [file];
  return readdirSync(file, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Subpaths of variants that are not codecs. Every other subpath is one. */
const others = ['framing', 'jni', 'compat', 'protodef', 'iconv-lite'];

/** Every module that satisfies `Codec`, as a program imports it. */
export const codecs: readonly string[] = packages
  .filter(({ isVariant }) => isVariant)
  .flatMap(({ name, subpaths }) => subpaths.map((subpath) => path.posix.join(name, subpath)))
  .filter((specifier) => !others.some((other) => specifier.endsWith(`/${other}`)));

/** The package that a module belongs to. */
export function packageOf(specifier: string): Package {
  const name = specifier.split('/').slice(0, 2).join('/');
  const found = packages.find((each) => each.name === name);
  if (!found) throw new Error(`${specifier} belongs to no package of this repository`);
  return found;
}
