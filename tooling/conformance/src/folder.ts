/** Paths of vectors. For runtimes without files, the bundle contains the answers of this module. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Vector } from './vectors.js';

/** Folders by their names in the tests; undefined for a missing one. */
export const folders: Readonly<Record<string, string | undefined>> = {
  // The vectors of this project: first of all, every bug that there was.
  pinned: fileURLToPath(new URL('../vectors', import.meta.url)),
  // Vectors of public suites.
  UTF8_VECTORS: process.env.UTF8_VECTORS,
};

/** All vectors of a folder, by file. */
export function readVectors(folder: string): Map<string, Vector[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  return new Map(
    files.sort().map((file) => {
      const lines = readFileSync(path.join(folder, file), 'utf8').split('\n').filter(Boolean);
      return [file, lines.map((line) => JSON.parse(line) as Vector)];
    }),
  );
}
