/** Tests of the steps before a release is published, and of the reasons to refuse it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { readNotes } from '../src/changelog.mjs';
import { type Packed, packAll } from '../src/pack.mjs';
import { bundleProgram } from '../src/program.mjs';
import { findRefusal, publishAll } from '../src/publish.mjs';
import { tryPackages } from '../src/try.mjs';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'utf8-release-')));
afterAll(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));

function makeFolder(name: string): string {
  const folder = path.join(temporary, name);
  mkdirSync(folder);
  return folder;
}

const packages = packAll(repository, makeFolder('packed'));
const find = (name: string): Packed => packages.find((each) => each.name === name) as Packed;

/** Tells whether npm needs no network for a package. */
const isAlone = ({ dependencies }: Packed): boolean =>
  dependencies.every((name) => {
    const other = packages.find((each) => each.name === name);
    return other !== undefined && isAlone(other);
  });

it('each package comes after those that it depends on', () => {
  const names = packages.map(({ name }) => name);
  expect(names).toContain('@utf8/cli');
  for (const { name, dependencies } of packages) {
    for (const other of dependencies.filter((each) => names.includes(each))) {
      expect(names.indexOf(other), name).toBeLessThan(names.indexOf(name));
    }
  }
});

it('sizes are those of tarballs, and of what is in them', () => {
  for (const { name, packed, unpacked } of packages) {
    expect(packed, name).toBeGreaterThan(1000);
    expect(unpacked, name).toBeGreaterThan(packed);
  }
});

it('tarballs are installed and run', { timeout: 0 }, () => {
  const alone = packages.filter(isAlone);
  const codecs = ['@utf8/cesu8', '@utf8/core', '@utf8/mutf8', '@utf8/strict', '@utf8/wtf8'];
  expect(alone.map(({ name }) => name)).toEqual(expect.arrayContaining(codecs));
  const lines = [...tryPackages(alone, makeFolder('project'), ['--offline'])];
  for (const { name } of alone.filter(({ modules }) => modules.length > 0)) {
    for (const format of ['esm', 'commonjs']) {
      expect(lines).toContainEqual(
        expect.stringMatching(`^${name}, ${format}: modules imported: [1-9]`),
      );
    }
  }
  const checks = lines.filter((line) => /checks of the README: [1-9]/.test(line));
  expect(checks.length).toBeGreaterThanOrEqual(2 * codecs.length);
});

it('a module that is missing ends the attempt', () => {
  const broken = { ...find('@utf8/core'), modules: ['@utf8/core', '@utf8/core/missing'] };
  const lines = tryPackages([broken], makeFolder('broken'), ['--offline']);
  expect(lines.next().value).toBe('packages installed: 1');
  expect(() => lines.next()).toThrow(/@utf8\/core\/missing|\.\/missing/);
});

it('the command as one file runs, with threads of its own, and names the licences in it', async () => {
  const folder = makeFolder('program');
  const { files, licences } = await bundleProgram();
  expect([...licences.keys()].sort()).toEqual(['fzstd', 'get-east-asian-width', 'xxhash-wasm']);
  expect([...files.keys()].sort()).toEqual(['thread.js', 'utf8.js']);
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, bytes] of files) writeFileSync(path.join(folder, name), bytes);
  const rows = Array.from({ length: 100_000 }, (_, i) => `${i},\xed\xa0\xbd\xed\xb8\x80\n`);
  writeFileSync(path.join(folder, 'rows.csv'), Buffer.from(rows.join(''), 'latin1'));
  const words = 'utf8.js convert --from cesu-8 --format csv --jobs 2 rows.csv -o out.csv'.split(
    ' ',
  );
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const expected = rows.join('').replaceAll('\xed\xa0\xbd\xed\xb8\x80', '😀');
  expect(readFileSync(path.join(folder, 'out.csv'), 'utf8') === expected).toBe(true);
});

it('notes are what changelogs say about the version of each package', () => {
  const folder = makeFolder('notes');
  const write = (name: string, version: string, changelog: string): void => {
    const place = path.join(folder, 'packages', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name, version }));
    if (changelog) writeFileSync(path.join(place, 'CHANGELOG.md'), changelog);
  };
  const older = '## 0.2.0\n\n### Minor Changes\n\n- Old.\n';
  write('one', '0.2.1', `# one\n\n## 0.2.1\n\n### Patch Changes\n\n- New.\n\n  More.\n\n${older}`);
  write('two', '0.2.1', '# two\n\n## 0.2.1\n');
  write('three', '0.2.1', '');
  write('four', '0.2.0', `# four\n\n${older}`);
  expect(readNotes(folder)).toBe(
    '## four\n\n### Minor Changes\n\n- Old.\n\n## one\n\n### Patch Changes\n\n- New.\n\n  More.\n',
  );
});

describe.skipIf(process.platform === 'win32')('what npm does not have is published', () => {
  const core = find('@utf8/core');
  const cesu8 = find('@utf8/cesu8');

  /** Publishes with a program for npm that has `@utf8/core` alone, and returns the calls of it. */
  function publish(name: string, token: string, code: string): string[] {
    const folder = makeFolder(name);
    const log = path.join(folder, 'log');
    const program = `#!${process.execPath}
      const { appendFileSync, readFileSync } = require('node:fs');
      const [command, ...words] = process.argv.slice(2);
      const { npm_config_userconfig: file } = process.env;
      const settings = command === 'publish' && file ? [readFileSync(file, 'utf8').trim()] : [];
      appendFileSync(${JSON.stringify(log)}, [command, ...words, ...settings].join(' ') + '\\n');
      if (command === 'config') console.log('https://npm.example/all/');
      if (command !== 'view') process.exit();
      if (words[0].startsWith('@utf8/core@')) console.log(${JSON.stringify(core.version)});
      else process.exitCode = (console.error('npm error code ${code}'), 1);
    `;
    writeFileSync(path.join(folder, 'npm'), program, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env.PATH}`);
    vi.stubEnv('NPM_TOKEN', token);
    vi.stubEnv('npm_config_userconfig', '');
    const print = vi.spyOn(console, 'log').mockReturnValue();
    try {
      publishAll([core, cesu8], folder);
    } finally {
      print.mockRestore();
      vi.unstubAllEnvs();
    }
    return readFileSync(log, 'utf8').trim().split('\n');
  }

  const view = ({ name, version }: Packed): string => `view ${name}@${version} version`;
  const published = `publish ${cesu8.file} --provenance --access public`;

  it('with provenance', () => {
    expect(publish('trusted', '', 'E404')).toEqual([view(core), view(cesu8), published]);
  });

  it('with a token for the first release, which no file contains', () => {
    expect(publish('first', 'a-secret', 'E404')).toEqual([
      'config get registry',
      view(core),
      view(cesu8),
      `${published} //npm.example/all/:_authToken=\${NPM_TOKEN}`,
    ]);
  });

  it('unless npm cannot say what it has', () => {
    expect(() => publish('unknown', '', 'E500')).toThrow(/code E500/);
  });
});

describe('a release is refused', () => {
  const workflow = {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKFLOW_REF: 'utf8-codecs/utf8/.github/workflows/release.yml@refs/heads/main',
    ACTIONS_ID_TOKEN_REQUEST_URL: 'https://example.com',
  };

  it('anywhere except in the workflow, on main', () => {
    const elsewhere = [
      {},
      { ...workflow, GITHUB_ACTIONS: '' },
      { ...workflow, GITHUB_WORKFLOW_REF: workflow.GITHUB_WORKFLOW_REF.replace('main', 'other') },
      { ...workflow, GITHUB_WORKFLOW_REF: workflow.GITHUB_WORKFLOW_REF.replace('release', 'ci') },
      {
        ...workflow,
        GITHUB_WORKFLOW_REF: workflow.GITHUB_WORKFLOW_REF.replace('utf8-codecs', 'a-fork'),
      },
    ];
    for (const environment of elsewhere) {
      expect(findRefusal(environment)).toMatch(/^only \.github\/workflows\/release\.yml on main/);
    }
  });

  it('without provenance', () => {
    const { ACTIONS_ID_TOKEN_REQUEST_URL, ...environment } = workflow;
    expect(findRefusal(environment)).toMatch(/id-token: write/);
  });

  it('of the command line, with its usage where a word is unknown', () => {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, ['tooling/release/release.mjs', ...words], {
        cwd: repository,
        encoding: 'utf8',
        env: { ...process.env, GITHUB_ACTIONS: '' },
      });
    const refused = run();
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^npm run release: only .*; try a release with --dry-run\n$/);
    const unknown = run('--dry');
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toBe('usage: npm run release [-- --dry-run]\n');
  });
});
