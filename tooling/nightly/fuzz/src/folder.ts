/** Files for targets that read nothing else. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

let folder: string | undefined;

/** The path of a file of this process, which removes it when it ends. */
export function pathOf(name: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'utf8-fuzz-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return path.join(folder, name);
}
