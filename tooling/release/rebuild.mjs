// Builds the packages twice, in ways that must not matter, and compares: node tooling/release/rebuild.mjs [REVISION]
//
// Each build has its own folder, Node, time zone, locale, umask and home. What grammars are compiled to, WebAssembly
// included, must be what is committed, and the files of the packages must be the same, byte for byte. Ends with 1 if
// anything differs. Takes ten minutes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../runtimes/programs.mjs';
import { root } from './src/program.mjs';

const [revision = 'HEAD', ...rest] = process.argv.slice(2);
if (rest.length > 0 || revision.startsWith('-')) {
  console.error('usage: node tooling/release/rebuild.mjs [REVISION]');
  process.exit(2);
}

const builds = [
  { folder: 'a', node: 'node-20', TZ: 'UTC', LC_ALL: 'C', umask: '022' },
  {
    folder: 'another folder/which is ünlike',
    node: 'node-26',
    TZ: 'Pacific/Kiritimati',
    LC_ALL: 'tr_TR.UTF-8',
    umask: '077',
  },
];

const temporary = mkdtempSync(path.join(tmpdir(), 'utf8-rebuild-'));
try {
  const [first, second] = builds.map(build);
  const names = new Set([...first.keys(), ...second.keys()]);
  let differences = 0;
  for (const name of [...names].sort()) {
    const digest = first.get(name);
    const isSame = digest === second.get(name);
    console.log(`${isSame ? digest : 'differs'.padEnd(64)}  ${name}`);
    if (isSame) continue;
    differences++;
    console.log(compare(name));
  }
  if (names.size === 0) throw new Error('no package was built');
  console.log(`${names.size} packages, ${differences} of them differ`);
  process.exitCode = differences > 0 ? 1 : 0;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** Builds a revision, and returns the SHA-256 of each package by its name. */
function build({ folder, node, umask, ...locale }) {
  const program = findProgram(node);
  if (!program)
    throw new Error(`${node} is not installed: node tooling/runtimes/install.mjs ${node}`);
  const clone = path.join(temporary, folder);
  const packed = path.join(temporary, `${node}-packed`);
  const home = path.join(temporary, `${node}-home`);
  for (const each of [clone, packed, home]) mkdirSync(each, { recursive: true });
  const env = {
    ...process.env,
    ...locale,
    CI: 'true',
    HOME: home,
    // The folder of npm's downloads is the one thing that the two share.
    npm_config_cache: run('npm', ['config', 'get', 'cache']).trim(),
    PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH}`,
  };
  const within = (command, ...words) =>
    run('sh', ['-c', `umask ${umask} && exec "$0" "$@"`, command, ...words], { cwd: clone, env });
  run('sh', ['-c', `git archive ${revision} | tar -x -C "$0"`, clone], { cwd: root });
  console.error(`Building with ${node} …`);
  within('node', 'tooling/task.mjs', 'build');
  within('node', 'tooling/codecs/generate.mjs', '--check');
  const { packageManager } = JSON.parse(readFileSync(path.join(clone, 'package.json'), 'utf8'));
  const [pnpm] = packageManager.split('+');
  const filter = ['--recursive', '--filter', './packages/*'];
  within('npx', '--yes', '--prefer-offline', pnpm, ...filter, 'pack', '--pack-destination', packed);
  return new Map(
    readdirSync(packed).map((name) => {
      const bytes = readFileSync(path.join(packed, name));
      return [name, createHash('sha256').update(bytes).digest('hex')];
    }),
  );
}

/** Says which files of a package differ, and how they begin to. */
function compare(name) {
  const folders = builds.map(({ node }) => {
    const folder = path.join(temporary, `${node}-unpacked`, name);
    mkdirSync(folder, { recursive: true });
    run('tar', ['-xzf', path.join(temporary, `${node}-packed`, name), '-C', folder]);
    return folder;
  });
  const { stdout } = spawnSync('diff', ['-r', ...folders], {
    encoding: 'utf8',
    maxBuffer: Infinity,
  });
  return stdout.slice(0, 2000) || 'the same files in another order, or with other modes';
}

function run(command, words, options) {
  const { status, error, stdout, stderr } = spawnSync(command, words, {
    encoding: 'utf8',
    maxBuffer: Infinity,
    ...options,
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`${command} ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`);
  return stdout;
}
