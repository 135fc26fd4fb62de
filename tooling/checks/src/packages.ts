/** The packages of this repository, as the checks read them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../../..', import.meta.url));

/** A built module, and its declarations. */
interface Built {
  readonly default: string;
  readonly types?: string;
}

type Target = string | Built | { readonly import: Built; readonly require: Built };

export interface Package {
  readonly name: string;
  readonly folder: string;
  readonly manifest: {
    readonly private?: boolean;
    readonly exports?: Readonly<Record<string, Target>>;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  /** The sources by their path below the folder. */
  readonly sources: ReadonlyMap<string, string>;
}

/** All packages below one of the top folders. */
export function readPackages(top: 'packages' | 'apps' | 'tooling'): Package[] {
  return readdirSync(path.join(root, top))
    .map((folder) => path.join(root, top, folder))
    .filter((folder) => existsSync(path.join(folder, 'package.json')))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
      return { name: manifest.name, folder, manifest, sources: readSources(folder) };
    });
}

function readSources(folder: string): Map<string, string> {
  const source = path.join(folder, 'src');
  if (!existsSync(source)) return new Map();
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .sort()
      .map((file) => [path.join('src', file), readFileSync(path.join(source, file), 'utf8')]),
  );
}

/** Tells whether a package is a variant: it has a grammar. Core has the language of grammars instead. */
export const isVariant = ({ name, sources }: Package): boolean =>
  name !== '@utf8/core' && sources.has(path.join('src', 'grammar.ts'));
