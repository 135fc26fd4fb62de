/** Files of Android, and what others print of them: `recorded`, which `tooling/oracles/android` writes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of the folder with the recorded files. */
export const folder: string = fileURLToPath(new URL('recorded/', import.meta.url));

export const dexFiles: readonly string[] = ['everything.dex', 'rare.dex'];

/** Tables of resources, with what made them. */
export const tables = {
  'utf-8.arsc': 'aapt2, UTF-8',
  'utf-16.arsc': 'aapt, UTF-16',
} as const;

/** Documents, with their paths in an APK. */
export const documents: Readonly<Record<string, string>> = {
  'manifest.axml': 'AndroidManifest.xml',
  'layout.axml': 'res/layout/main.xml',
};

/** Reads the output of other tools for a file: lines of a DEX file, and two lists for resources. */
export const readPrinted = (name: string): unknown =>
  name.endsWith('.dex')
    ? readRecorded(`${name}.txt`).toString().trimEnd().split('\n')
    : readRecorded(`${name}.jsonl`)
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));

export const readRecorded = (name: string): Buffer => readFileSync(folder + name);
