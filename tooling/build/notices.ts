import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The folder of a package in a path that ends within it. */
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/**
 * Writes the licences of all packages of third parties whose code a build has put into its files, as the source
 * maps of these name them.
 *
 * @param dist - The folder of the build.
 */
export function writeNotices(dist: string): void {
  const folders = new Map<string, string>();
  for (const file of readdirSync(dist).filter((each) => each.endsWith('.map'))) {
    const { sources } = JSON.parse(readFileSync(join(dist, file), 'utf8'));
    for (const source of sources as string[]) {
      const folder = PACKAGE.exec(resolve(dist, source))?.[1];
      if (!folder) continue;
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      folders.set(`${name} ${version}`, folder);
    }
  }
  const notices = [...folders].sort().map(([name, folder]) => {
    const licence = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
      .map((each) => join(folder, each))
      .find((each) => existsSync(each));
    if (!licence) throw new Error(`${name} has no licence in ${dirname(folder)}`);
    return `${name}\n\n${readFileSync(licence, 'utf8').trim()}\n`;
  });
  const head = 'These files contain code of the following packages, under their licences.\n';
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), [head, ...notices].join(`\n${'-'.repeat(72)}\n\n`));
}
