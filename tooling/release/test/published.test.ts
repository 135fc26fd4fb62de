/** The tarballs to publish: their content, and the findings of publint and Are The Types Wrong. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, describe, expect, it } from 'vitest';
import { packAll } from '../src/pack.mjs';
import { root } from '../src/program.mjs';

interface Problem {
  readonly kind: string;
  readonly resolutionKind?: string;
}

/** Path of the library that the command of Are The Types Wrong uses. */
const wrongTypes: string = createRequire(
  createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json'),
).resolve('@arethetypeswrong/core');

const folder = mkdtempSync(path.join(tmpdir(), 'contents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads a tarball: files by their path. */
function readTarball(tarball: Buffer): Map<string, Buffer> {
  const bytes = gunzipSync(tarball);
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

const packages = packAll(root, folder).map((each) => {
  const tarball = readFileSync(each.file);
  return { ...each, tarball, files: readTarball(tarball) };
});

/** Chunks have a hash of their content in their names, and vectors, sources and their declarations are many. */
const simplify = (file: string): string =>
  file
    .replace(/^(src|dist\/types)\/.*/, '$1/*')
    .replace(/(?:-[\w-]{8})+(\.(?:d\.)?c?[tj]s(?:\.map)?)$/, '-*$1')
    .replace(/^((?:generated|runners)\/.*?)[^/]*$/, '$1*');

it('every file that packages contain is in the snapshot', async () => {
  const sorted = packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const lines = sorted.flatMap(({ name, files }) => [
    name,
    ...[...new Set([...files.keys()].map(simplify))].sort().map((file) => `  ${file}`),
    '',
  ]);
  await expect(lines.join('\n')).toMatchFileSnapshot('contents.txt');
});

describe.each(packages.map((each) => [each.name, each] as const))('%s', (name, pkg) => {
  const { files, tarball } = pkg;
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

  it('does not stop at points that tests name', () => {
    for (const [file, content] of files)
      expect(content.includes('UTF8_TEST_STOP'), file).toBe(false);
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

  it('has a map for the declarations of each source', () => {
    for (const [file, content] of files) {
      if (!/^dist\/types\/.*\.d\.c?ts$/.test(file)) continue;
      const { mappings } = JSON.parse(files.get(`${file}.map`)?.toString() ?? '{}');
      // A module that only exports what others declare has nothing to map.
      const declares = /^(?:export )?declare /m.test(content.toString());
      if (declares) expect(mappings, file).toBeTruthy();
    }
  });

  it('has nothing that publint finds', async () => {
    const data = new Uint8Array(tarball).buffer;
    const { messages } = await publint({ pack: { tarball: data }, strict: true });
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([]);
  });

  // A command has none.
  if (pkg.modules.length > 0) {
    it('has types that each way to resolve modules finds', async () => {
      const { checkPackage, createPackageFromTarballData } = await import(wrongTypes);
      const { types, problems } = await checkPackage(
        createPackageFromTarballData(new Uint8Array(tarball)),
      );
      expect(types).toBeTruthy();
      const found = (problems as Problem[]).filter(
        ({ kind, resolutionKind }) =>
          // Node 20.19 and later require ECMAScript modules; node10 does not, nor does it read the exports of data.
          !(pkg.isModuleOnly && kind === 'CJSResolvesToESM') &&
          !((pkg.isModuleOnly || name === '@utf8/vectors') && resolutionKind === 'node10'),
      );
      expect(found).toEqual([]);
    });
  }

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

/** Licences of code that may be shipped with programs under the MIT licence. */
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
