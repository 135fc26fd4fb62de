/** A temporary folder for the tests of a file: a function that makes a path in it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** @returns A function that writes a file, where it is given bytes, and tells its path. */
export function useFolder(): (name: string, bytes?: Uint8Array) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'utf8-classfile-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name, bytes) => {
    const path = join(folder, name);
    if (bytes) writeFileSync(path, bytes);
    return path;
  };
}
