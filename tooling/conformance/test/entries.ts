/** Every codec that a package exports, with the /lite entries, as the manifests list them. */
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Codec } from '@utf8/core';

export interface Entry {
  /** What a user imports, such as `@utf8/cesu8/lite`. */
  readonly entry: string;
  readonly codec: Codec;
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, { readonly import?: { readonly default: string } }>>;
}

// A CommonJS bundle of the suite has no import.meta.url. It lies as deep in the repository.
const here = typeof __filename === 'string' ? pathToFileURL(__filename).href : import.meta.url;

/** The folder of all packages. */
export const packages: URL = new URL('../../../packages/', here);

let entries: Promise<readonly Entry[]> | undefined;

/** Loads the codecs, once. */
export function loadCodecs(): Promise<readonly Entry[]> {
  entries ??= findCodecs();
  return entries;
}

async function findCodecs(): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for (const folder of readdirSync(packages)) {
    const manifest = readManifest(folder);
    // Each variant has a /lite, and no other package has one.
    if (!manifest?.exports?.['./lite']) continue;
    for (const [subpath, conditions] of Object.entries(manifest.exports)) {
      const file = conditions.import?.default;
      if (!file) continue;
      const url = new URL(`${folder}/${file}`, packages);
      const module: Partial<Codec> = await import(/* @vite-ignore */ url.href);
      if (typeof module.decode === 'function' && module.grammar) {
        found.push({ entry: `${manifest.name}${subpath.slice(1)}`, codec: module as Codec });
      }
    }
  }
  return found;
}

function readManifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`${folder}/package.json`, packages), 'utf8'));
  } catch {
    return undefined;
  }
}

/** A text of one character that `encode` refuses under `strict`; undefined where it refuses none. */
export function findRefused(codec: Codec): string | undefined {
  return ['\ud800', '\u{1f600}'].find((text) => {
    try {
      codec.encode(text);
      return false;
    } catch {
      return true;
    }
  });
}
