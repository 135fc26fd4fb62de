/** Archives from Maven: see maven.txt. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { requireJar } from '../../src/program.js';

const list = fileURLToPath(new URL('../maven.txt', import.meta.url));

/** By the artifact's name, the file; `group:name:version`, or with `:type:classifier`. */
const files: ReadonlyMap<string, string> = new Map(
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((artifact) => {
      const [, name, version, type = 'jar', classifier] = artifact.split(':') as string[];
      const base = [name, version, ...(classifier ? [classifier] : [])].join('-');
      return [name as string, `classes/${base}.${type}`];
    }),
);

/** The file of an artifact. */
export function findArtifact(name: string): string {
  const file = files.get(name);
  if (file === undefined) throw new Error(`maven.txt has no artifact ${name}`);
  return requireJar(file);
}
