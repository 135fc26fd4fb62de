/** What comes by Maven: see maven.txt. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const list = fileURLToPath(new URL('../maven.txt', import.meta.url));
const cache = fileURLToPath(
  new URL('../../../../node_modules/.cache/java/classes', import.meta.url),
);

/** By the artifact's name, the file; `group:name:version`, or with `:type:classifier`. */
const files: ReadonlyMap<string, string> = new Map(
  readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((artifact) => {
      const [, name, version, type = 'jar', classifier] = artifact.split(':') as string[];
      const base = [name, version, ...(classifier ? [classifier] : [])].join('-');
      return [name as string, path.join(cache, `${base}.${type}`)];
    }),
);

/** The file of an artifact; undefined where it is not here, with a line that says so. */
export function findArtifact(name: string): string | undefined {
  const file = files.get(name);
  if (file === undefined) throw new Error(`maven.txt has no artifact ${name}`);
  if (existsSync(file)) return file;
  console.log(`skipped: ${name} by Maven (.ci/run fetches it)`);
  return undefined;
}
