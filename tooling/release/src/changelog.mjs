/** The changes of a version in the changelogs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The text of a release: what the changelog of each package says about the package's own version.
 *
 * @param {string} repository
 */
export function readNotes(repository) {
  const folders = readdirSync(path.join(repository, 'packages')).sort();
  return folders
    .map((name) => path.join(repository, 'packages', name))
    .filter((folder) => existsSync(path.join(folder, 'CHANGELOG.md')))
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
      const text = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');
      const section = text.split(/^## /m).find((each) => each.startsWith(`${version}\n`));
      const notes = section?.slice(version.length).trim();
      return notes ? `## ${name}\n\n${notes}\n` : '';
    })
    .filter((notes) => notes !== '')
    .join('\n');
}
