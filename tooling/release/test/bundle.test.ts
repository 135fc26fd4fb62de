/**
 * The archive for machines without Node: the same bytes each time, and it runs where nothing else is.
 *
 * @module-tag night
 */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  demand,
  demandProgram,
  findProgram,
  type Outcome,
  run,
} from '@utf8/systems/databases/program';
import { utf8 } from '@utf8/systems/databases/utf8';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DebianFiles, debianPackages, findNode } from '../src/parts.mjs';
import { Root } from '../src/root.js';

/** Fails unless the tests can change the root, for which they must run as root. */
function demandAll(): void {
  for (const name of ['tar', 'zstd', 'unshare', 'chroot']) demandProgram(name);
  if (process.getuid?.() !== 0) throw new Error('missing: root');
  const isFetched = findNode() && debianPackages.every((name) => new DebianFiles(name).isFetched);
  if (!isFetched)
    throw new Error('missing: parts of the bundle; run node tooling/release/install.mjs');
}

const repository = fileURLToPath(new URL('../../../', import.meta.url));
// Links among the parents would be resolved in some messages and not in others.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'utf8-release-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const archive = join(folder, 'utf8-linux-x64.tgz');
const bundle = join(folder, 'bundle');
let version: string;

/** Time limit of the steps before tests: none. */
const PATIENCE = 0;

/** Runs a program without any environment. */
const runBare = (words: readonly string[], cwd = '/', input: Uint8Array | string = ''): Outcome =>
  run('/usr/bin/env', ['-i', ...words], input, { cwd });

describe('the bundle', () => {
  beforeAll(() => {
    demandAll();
    version = utf8(['--version']).stdout.toString();
    demand(process.execPath, [join(repository, 'tooling/release/bundle.mjs'), archive]);
    mkdirSync(bundle);
    demand('tar', ['-xzf', archive, '-C', bundle]);
  }, PATIENCE);

  it('is under 40 MB, and has nothing that it does not need', () => {
    expect(statSync(archive).size).toBeLessThan(40e6);
    const list = demand('tar', ['--numeric-owner', '-tvzf', archive]).toString();
    const entries = list
      .trim()
      .split('\n')
      .map((line) => line.split(/ +/));
    expect(new Set(entries.map(([, owner, , date]) => `${owner} ${date}`))).toEqual(
      new Set(['0/0 1985-10-26']),
    );
    expect(entries.map(([mode, , , , , name]) => `${mode} ${name}`)).toMatchInlineSnapshot(`
      [
        "-rw-r--r-- LICENSE",
        "-rw-r--r-- README.md",
        "drwxr-xr-x lib/",
        "-rwxr-xr-x lib/ld-linux-x86-64.so.2",
        "-rwxr-xr-x lib/libc.so.6",
        "-rwxr-xr-x lib/libdl.so.2",
        "-rwxr-xr-x lib/libgcc_s.so.1",
        "-rwxr-xr-x lib/libm.so.6",
        "-rwxr-xr-x lib/libpthread.so.0",
        "-rwxr-xr-x lib/libstdc++.so.6",
        "drwxr-xr-x licenses/",
        "-rw-r--r-- licenses/GPL-2",
        "-rw-r--r-- licenses/GPL-3",
        "-rw-r--r-- licenses/LGPL-2.1",
        "-rw-r--r-- licenses/LGPL-3",
        "-rw-r--r-- licenses/fzstd",
        "-rw-r--r-- licenses/gcc",
        "-rw-r--r-- licenses/get-east-asian-width",
        "-rw-r--r-- licenses/glibc",
        "-rw-r--r-- licenses/node",
        "-rw-r--r-- licenses/xxhash-wasm",
        "-rwxr-xr-x node",
        "-rw-r--r-- thread.js",
        "-rwxr-xr-x utf8",
        "-rw-r--r-- utf8.js",
      ]
    `);
  });

  it('has the same bytes when it is made in another folder, at another time', () => {
    const second = join(folder, 'second.tgz');
    // Not below a node_modules, as folders of tests may be: bundlers treat code there as that of other packages.
    const script = 'mount --bind "$1" /mnt && umask 077 && cd / && exec "$2" "/mnt/$3" "$4"';
    const words = [repository, process.execPath, 'tooling/release/bundle.mjs', second];
    demand('unshare', ['--mount', 'sh', '-c', script, 'sh', ...words], '', {
      env: { PATH: process.env.PATH, TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8' },
    });
    const hash = (file: string): string =>
      createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(hash(second)).toBe(hash(archive));
  });

  it('names the licence of every file', () => {
    const readme = readFileSync(join(bundle, 'README.md'), 'utf8');
    expect(readme).not.toMatch(/[{}]/);
    expect(readme).toContain(`utf8 ${version.trim()} for Linux`);
    const node = demand(join(bundle, 'node'), ['--version']).toString().trim();
    expect(readme).toContain(`Node ${node.slice(1)} `);
    for (const [, name = ''] of readme.matchAll(/`(licenses\/\w+)`/g)) {
      expect(statSync(join(bundle, name)).size).toBeGreaterThan(1000);
    }
    // Whatever the program's files say that they were made of.
    const code = readFileSync(join(bundle, 'utf8.js'), 'latin1');
    const packages = code.matchAll(
      /node_modules\/\.pnpm\/[^/]+\/node_modules\/((?:@[\w-]+\/)?[\w.-]+)/g,
    );
    const names = new Set(Array.from(packages, ([, name = '']) => name.replace('/', '-')));
    expect(names.size).toBeGreaterThan(2);
    for (const name of names) expect(readdirSync(join(bundle, 'licenses'))).toContain(name);
  });

  describe('starts', () => {
    const place = (name: string): string => {
      const path = join(folder, 'start', name);
      mkdirSync(join(path, '..'), { recursive: true });
      return path;
    };

    it('from any folder, with an empty environment', () => {
      for (const cwd of ['/', folder, bundle, join(bundle, 'lib')]) {
        for (const path of [join(bundle, 'utf8'), `./${relative(cwd, join(bundle, 'utf8'))}`]) {
          const { status, stdout, stderr } = runBare([path, '--version'], cwd);
          expect([cwd, path, status, stdout.toString(), stderr]).toEqual([
            cwd,
            path,
            0,
            version,
            '',
          ]);
        }
      }
    });

    it('through symbolic links', () => {
      symlinkSync(join(bundle, 'utf8'), place('absolute'));
      symlinkSync(relative(place('.'), join(bundle, 'utf8')), place('relative'));
      symlinkSync('../relative', place('deeper/link\nof link'));
      symlinkSync(bundle, place('folder'));
      symlinkSync('folder/utf8', place('-'));
      for (const name of ['absolute', 'relative', 'deeper/link\nof link', 'folder/utf8', '-']) {
        expect(runBare([place(name), '--version']).stdout.toString()).toBe(version);
      }
      // As a shell finds it on the PATH, and as a word of its own.
      const env = { PATH: place('folder') };
      expect(run('utf8', ['--version'], '', { env }).stdout.toString()).toBe(version);
      expect(runBare(['/bin/sh', '-', '--version'], place('.')).stdout.toString()).toBe('');
      expect(runBare(['/bin/sh', './-', '--version'], place('.')).stdout.toString()).toBe(version);
    });

    it('from a read-only folder with spaces in its name, for another user', () => {
      const path = place(' two  "words" and \n $(more)/');
      demand('cp', ['-al', bundle, path]);
      demand('chmod', ['755', folder, place('.')]);
      demand('chmod', ['-R', 'a-w', path]);
      const words = ['convert', '--from', 'cesu-8', '--jobs', '2'];
      const options = { cwd: '/', env: {}, uid: 65_534, gid: 65_534 };
      const input = Buffer.from('EDA0BDEDB880', 'hex');
      const { status, stdout, stderr } = run(join(path, 'utf8'), words, input, options);
      expect([status, stdout.toString(), stderr]).toEqual([0, '😀', '']);
      demand('chmod', ['-R', 'u+w', path]);
    });

    it.each(['dash', 'bash', 'busybox'])('with %s as the shell', (name) => {
      const shell =
        findProgram(name) ?? join(new DebianFiles('busybox-static').folder, 'bin', name);
      const words = name === 'busybox' ? [shell, 'sh'] : [shell];
      for (const path of [join(bundle, 'utf8'), place('deeper/link\nof link')]) {
        const { stdout, stderr } = runBare([...words, path, '--version']);
        expect([stdout.toString(), stderr]).toEqual([version, '']);
      }
    });

    it('in whatever language', () => {
      for (const locale of ['de_DE.UTF-8', 'zh_CN.UTF-8', 'tr_TR', 'no such', 'C']) {
        const env = { LC_ALL: locale, TZ: 'Europe/Istanbul' };
        const { stderr } = run(join(bundle, 'utf8'), ['convert', '--no'], '', { env });
        expect(stderr).toBe(utf8(['convert', '--no']).stderr);
      }
    });

    it('or says that files are missing', () => {
      const path = place('incomplete/utf8');
      demand('cp', [join(bundle, 'utf8'), path]);
      const { status, stderr } = runBare([path, '--version']);
      expect([status, stderr]).toEqual([
        2,
        `utf8: ${path.slice(0, -1)}8.js does not exist; unpack the whole archive into one folder\n`,
      ]);
    });
  });

  /** Command lines by the features that they cover. Their results are compared. */
  const commands: Readonly<Record<string, readonly string[]>> = {
    'four threads': [
      ...['convert', '--format', 'csv', '--from', 'cesu-8+utf-8', '--jobs', '4', 'work/big.csv'],
      ...['--stats', 'work/stats', '--undo', 'work/undo', '--rejects', 'work/bad'],
      ...['--resume', '-o', 'work/out'],
    ],
    'an undo log': ['revert', 'work/out', '--undo', 'work/undo', '-o', 'work/old'],
    gzip: ['convert', '--from', 'cesu-8', 'work/small.csv.gz'],
    zstd: ['convert', '--from', 'cesu-8', 'work/small.csv.zst'],
    'a scan': ['scan', '--format', 'csv', '--key', 'id', 'work/small.csv'],
    'a comparison': [
      'verify',
      '--format',
      'csv',
      '--key',
      'id',
      'work/small.csv',
      'work/other.csv',
    ],
    'a check': ['check', '--json', 'work/small.csv'],
    'a guess': ['detect', 'work/small.csv'],
    'an explanation': ['explain', '--hex', 'ED A0 BD C0 80 61'],
    'strings of a jar': ['strings', 'work/app.jar'],
    completions: ['--generate', 'complete-bash'],
    'the man page': ['--generate', 'man'],
    help: ['convert', '--help'],
    'an error': ['convert', '--from', 'cesu-8', 'work/small.csv', '-o', 'work/small.csv'],
    'no driver': ['scan', 'postgres:///nothing'],
  };

  const lines = (count: number): string[] => [
    'id,name,note\n',
    ...Array.from({ length: count }, (_, i) => `${i},a\xed\xa0\xbd\xed\xb8\x80b,"x, ${i}"\n`),
  ];

  /** Makes the files that the commands read, in `work`. */
  const prepare = (cwd: string): void => {
    mkdirSync(join(cwd, 'work'));
    const write = (name: string, bytes: Uint8Array): void =>
      writeFileSync(join(cwd, 'work', name), bytes);
    const small = Buffer.from(lines(100).join(''), 'latin1');
    write('small.csv', small);
    write('small.csv.gz', gzipSync(small));
    write('small.csv.zst', demand('zstd', ['-c'], small));
    write('other.csv', Buffer.from(lines(99).join('').replaceAll('\xed\xa0\xbd', '?'), 'latin1'));
    write('big.csv', Buffer.from(`${lines(40_000).join('')}bad,\xff,\n`, 'latin1'));
    // A class without anything, whose pool has two strings.
    const hello = Buffer.from(
      'cafebabe0000003d0004 010001 41 070001 010005 48656c6c6f'.replaceAll(' ', ''),
      'hex',
    );
    const rest = Buffer.from('0021000200000000000000000000', 'hex');
    write('app.jar', zipSync({ 'A.class': Buffer.concat([hello, rest]) }));
  };

  const runAll = (cwd: string, start: (words: readonly string[]) => Outcome): object => {
    const outcomes = Object.entries(commands).map(([name, words]) => {
      const { status, stdout, stderr } = start(words);
      return [name, { status, stdout: stdout.toString('latin1'), stderr }] as const;
    });
    const hashes = ['stats', 'undo', 'bad', 'out', 'old'].map((name) => {
      const bytes = readFileSync(join(cwd, 'work', name));
      return [name, bytes.length, createHash('sha256').update(bytes).digest('hex')];
    });
    return { outcomes: Object.fromEntries(outcomes), hashes, left: readdirSync(join(cwd, 'work')) };
  };

  describe('does all that the command does', () => {
    let expected: object;
    beforeAll(() => {
      const cwd = join(folder, 'ordinary');
      mkdirSync(cwd);
      prepare(cwd);
      const program = join(repository, 'packages/cli/dist/utf8.js');
      expected = runAll(cwd, (words) => run(process.execPath, [program, ...words], '', { cwd }));
    }, PATIENCE);

    /** Compares with the ordinary command, and repairs a database, for which the ordinary Node may be too old. */
    const expectAll = (cwd: string, start: (words: readonly string[]) => Outcome): void => {
      prepare(cwd);
      expect(runAll(cwd, start)).toEqual(expected);
      const script =
        'new (require("node:sqlite").DatabaseSync)("work/app.db").exec(`CREATE TABLE t(a TEXT);' +
        "INSERT INTO t VALUES(CAST(X'EDA0BDEDB880' AS TEXT))`)";
      demand(join(bundle, 'node'), ['-e', script], '', { cwd });
      const words = [
        'repair',
        'sqlite:work/app.db',
        '--from',
        'cesu-8+utf-8',
        '--undo',
        'work/undo.jsonl',
      ];
      const { status, stdout, stderr } = start(words);
      expect([status, stderr, stdout.toString()]).toEqual([0, '', expect.stringMatching(/pair/)]);
      expect(readFileSync(join(cwd, 'work/app.db')).includes('😀')).toBe(true);
    };

    it('with the libraries of the system', () => {
      const cwd = join(folder, 'native');
      mkdirSync(cwd);
      expectAll(cwd, (words) => runBare([join(bundle, 'utf8'), ...words], cwd));
    });

    it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
      ['Debian', ['dash', 'libc6', 'libgcc-s1', 'libstdc++6'], {}],
      ['Debian without libstdc++', ['dash', 'libc6'], {}],
      ['Alpine, which has musl', ['busybox-static', 'musl'], { 'bin/sh': 'busybox' }],
      [
        'Alpine with the loader of libc6-compat',
        ['busybox-static', 'musl'],
        { 'bin/sh': 'busybox', 'lib64/ld-linux-x86-64.so.2': '/lib/ld-musl-x86_64.so.1' },
      ],
      ['a shell and no library at all', ['busybox-static'], { 'bin/sh': 'busybox' }],
    ])('on %s', (name, packages, links) => {
      const root = new Root(join(folder, name), packages);
      for (const [file, target] of Object.entries(links)) root.link(file, target);
      root.share(bundle, 'bundle');
      expectAll(root.folder, (words) => {
        const [program = '', ...args] = root.command(['/bundle/utf8', ...words]);
        return run(program, args);
      });
      root.link('link', 'bundle/utf8');
      const [program = '', ...args] = root.command(['/link', '--version']);
      const { status, stdout, stderr } = run(program, args);
      if (packages.includes('dash')) {
        // Debian's coreutils are not here, and the shell cannot read links itself.
        const words = 'cannot follow the link /link without readlink; start utf8 by its own path';
        expect([status, stderr]).toEqual([2, `utf8: ${words}\n`]);
      } else expect([status, stdout.toString(), stderr]).toEqual([0, version, '']);
    });

    it('with a glibc that is too old, as its loader says', () => {
      const root = new Root(join(folder, 'old'), ['busybox-static']);
      const loader =
        '#!/bin/sh\necho "$2: version \'GLIBC_2.28\' not found (required by $2)" >&2\nexit 1\n';
      root.link('bin/sh', 'busybox').share(bundle, 'bundle');
      mkdirSync(join(root.folder, 'lib64'));
      writeFileSync(join(root.folder, 'lib64/ld-linux-x86-64.so.2'), loader, { mode: 0o755 });
      const [program = '', ...args] = root.command(['/bundle/utf8', '--version']);
      const { stdout, stderr } = run(program, args);
      expect([stdout.toString(), stderr]).toEqual([version, '']);
    });

    it('without the environment that was meant for other libraries', () => {
      const root = new Root(join(folder, 'hostile'), ['busybox-static', 'musl']);
      root.link('bin/sh', 'busybox').share(bundle, 'bundle');
      const variables = ['LD_PRELOAD=/lib/ld-musl-x86_64.so.1', 'LD_LIBRARY_PATH=/lib'];
      const words = ['/bin/busybox', 'env', ...variables, '/bundle/utf8', '--version'];
      const [program = '', ...args] = root.command(words);
      const { stdout, stderr } = run(program, args);
      expect([stdout.toString(), stderr]).toEqual([version, '']);
    });
  });
});
