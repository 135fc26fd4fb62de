/** Inputs that the repository keeps: a corpus as one file of text, findings as files of bytes. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { corpusOf, findingsOf } from './place.js';

export const nameOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** The corpus of a target; empty if it has none yet. */
export function readCorpus(name: string): Buffer[] {
  const file = corpusOf(name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'latin1').split('\n');
  return lines.slice(0, -1).map((line) => Buffer.from(line, 'base64'));
}

export function writeCorpus(name: string, inputs: readonly Uint8Array[]): void {
  const lines = inputs.map((bytes) => `${Buffer.from(bytes).toString('base64')}\n`);
  writeFileSync(
    corpusOf(name),
    lines.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).join(''),
  );
}

/** The findings of a target by their paths. */
export function readFindings(name: string): Map<string, Buffer> {
  const folder = findingsOf(name);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    files.sort().map((file) => {
      const at = path.join(folder, file);
      return [at, readFileSync(at)];
    }),
  );
}

export function writeFinding(name: string, bytes: Uint8Array): string {
  const file = path.join(findingsOf(name), nameOf(bytes));
  mkdirSync(findingsOf(name), { recursive: true });
  writeFileSync(file, bytes);
  return file;
}
