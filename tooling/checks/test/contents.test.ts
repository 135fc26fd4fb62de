/** What each published package contains: what it needs and nothing else, by the tarballs that would be published. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readPackages, root } from '../src/packages.js';

const folder = mkdtempSync(path.join(tmpdir(), 'contents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packs all packages as a release does. */
function packAll(): void {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [pnpm] = packageManager.split('+');
  const words = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder];
  const { status, stderr } = spawnSync('npx', ['--yes', '--prefer-offline', pnpm, ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  });
  expect(status, stderr).toBe(0);
}

/** Reads a tarball: files by their path. */
function readTarball(file: string): Map<string, Buffer> {
  const bytes = gunzipSync(readFileSync(file));
  const files = new Map<string, Buffer>();
  let longName: string | undefined;
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const text = (from: number, length: number): string =>
      bytes.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8);
    const content = bytes.subarray(at + 512, at + 512 + size);
    const type = text(156, 1);
    if (type === 'x') longName = /\d+ path=(.*)\n/.exec(content.toString())?.[1];
    else {
      const name = longName ?? path.posix.join(text(345, 155), text(0, 100));
      longName = undefined;
      files.set(name.replace(/^package\//, ''), Buffer.from(content));
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

packAll();

const packages = readPackages('packages').filter(({ manifest }) => !manifest.private);
const tarballs = new Map(
  packages.map(({ name }) => {
    const prefix = name.replace('@', '').replace('/', '-');
    const file = readdirSync(folder).find((each) => each.replace(/-\d.*$/, '') === prefix);
    expect(file, name).toBeDefined();
    return [name, readTarball(path.join(folder, file as string))] as const;
  }),
);

/** Chunks have a hash of their content in their names, and vectors and sources are many. */
const simplify = (file: string): string =>
  file
    .replace(/^src\/.*/, 'src/*')
    .replace(/(?:-[\w-]{8})+(\.(?:d\.)?c?[tj]s(?:\.map)?)$/, '-*$1')
    .replace(/^((?:generated|runners)\/.*?)[^/]*$/, '$1*');

it('every file that packages contain is in the snapshot', async () => {
  const lines = [...tarballs].flatMap(([name, files]) => [
    name,
    ...[...new Set([...files.keys()].map(simplify))].sort().map((file) => `  ${file}`),
    '',
  ]);
  await expect(lines.join('\n')).toMatchFileSnapshot('../snapshots/contents.txt');
});

describe.each([...tarballs])('%s', (_, files) => {
  const manifest = JSON.parse(files.get('package.json')?.toString() ?? '{}');

  it('has a licence and a README', () => {
    expect(files.get('LICENSE')?.toString()).toMatch(/^MIT License/);
    expect(files.get('README.md')?.length).toBeGreaterThan(200);
    expect(manifest.license).toBe('MIT');
  });

  it('has no tests, no configuration, and sources in one folder', () => {
    const others = [...files.keys()].filter(
      (file) =>
        /(^|\/)(test|tests|node_modules)\/|\.test\.|tsconfig|tsup|\.log$|(^|\/)\./.test(file) ||
        /^src\/.*\.ts$/.test(file) !== /(?<!\.d)\.(ts|cts)$/.test(file) ||
        /\/src\//.test(file),
    );
    expect(others).toEqual([]);
  });

  it('runs nothing when it is installed, and depends on released versions', () => {
    for (const name of Object.keys(manifest.scripts ?? {})) {
      expect(name).not.toMatch(/^(pre|post)?(install|prepare)$|^prepublish$/);
    }
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      expect(range, name).toMatch(/^\^?\d+\.\d+\.\d+$/);
    }
    expect(manifest.sideEffects).toBe(false);
  });

  it('names no folder of the machine that built it', () => {
    for (const [file, content] of files) {
      const text = content.toString('latin1');
      for (const place of [root.replace(/\/$/, ''), '/home/', '/Users/', 'C:\\\\Users']) {
        expect(text.includes(place), `${file} contains ${place}`).toBe(false);
      }
    }
  });

  it('has source maps whose sources it contains, which are of this repository', () => {
    for (const [file, content] of files) {
      if (!file.endsWith('.map')) continue;
      const { sources, sourcesContent = [] } = JSON.parse(content.toString());
      for (const [i, source] of sources.entries()) {
        const own = path.posix.join(path.posix.dirname(file), source);
        const hasContent = (sourcesContent[i] ?? null) !== null;
        expect(hasContent || files.has(own), `${file}: ${source}`).toBe(true);
        // The package has its sources once.
        if (own.startsWith('src/')) expect(hasContent, `${file}: ${source}`).toBe(!files.has(own));
        const place = path.posix.join('packages/any', own);
        const [, thirdParty] = /node_modules\/(?!\.pnpm)((?:@[^/]+\/)?[^/]+)\//.exec(place) ?? [];
        if (thirdParty === undefined) {
          expect(place).toMatch(/^packages\/[\w-]+\/(src\/|dist\/|package\.json$)/);
        } else {
          const notices = files.get('dist/THIRD-PARTY.txt')?.toString() ?? '';
          expect(notices, file).toMatch(new RegExp(`^${thirdParty} \\d`, 'm'));
        }
      }
    }
  });

  it.runIf(manifest.types)('has a map for the declarations of each module', () => {
    for (const file of files.keys()) {
      if (!/^dist\/(?!.*-[\w-]{8}\.).*\.d\.c?ts$/.test(file)) continue;
      const names = JSON.parse(files.get(`${file}.map`)?.toString() ?? '{}').mappings;
      // A module that only exports what others declare has nothing to map.
      const declares = /^(?:export )?declare /m.test(files.get(file)?.toString() ?? '');
      expect(Boolean(names), file).toBe(declares);
    }
  });

  it('has every file that its manifest names', () => {
    const named: string[] =
      JSON.stringify([manifest.exports, manifest.main, manifest.types, manifest.bin, manifest.man])
        .match(/"\.\/[^"*]+\.[^"*]+"/g)
        ?.map((each) => path.posix.normalize(JSON.parse(each))) ?? [];
    expect(
      named.filter(
        (file) =>
          /\./.test(path.posix.basename(file)) && /^(dist|package)/.test(file) && !files.has(file),
      ),
    ).toEqual([]);
  });
});

/** What may be shipped with programs under the MIT licence. */
const allowed: ReadonlySet<string> = new Set([
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense', 'CC0-1.0'],
]);

it('every dependency of a published package, however far, has a licence of the list', () => {
  const seen = new Map<string, string>();
  const visit = (folder: string): void => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys(dependencies)) {
      const found = [path.join(folder, 'node_modules', name), path.join(folder, '..', name)]
        .concat(path.join(folder, '..', '..', name))
        .find((each) => existsSync(path.join(each, 'package.json')));
      expect(found, `${name} of ${folder}`).toBeDefined();
      const real = realpathSync(found as string);
      if (seen.has(real)) continue;
      const { license } = JSON.parse(readFileSync(path.join(real, 'package.json'), 'utf8'));
      seen.set(real, license);
      expect(allowed.has(license), `${name}: ${license}`).toBe(true);
      visit(real);
    }
  };
  for (const { folder } of packages) visit(folder);
  expect(seen.size).toBeGreaterThan(packages.length - 2);
});
