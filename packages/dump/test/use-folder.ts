import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Creates a temporary folder for the tests of a file. Returns a function that makes a path in it. */
export function useFolder(): (name: string) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'utf8-dump-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Bytes from hex digits, with spaces anywhere. */
export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
