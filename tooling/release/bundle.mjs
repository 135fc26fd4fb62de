// Makes dist/utf8-linux-x64.tgz: node tooling/release/bundle.mjs [FILE]
//
// The command with a Node of its own, for machines that have none. Downloads its parts on first use.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { strip } from './src/elf.mjs';
import { removeLocales } from './src/icu.mjs';
import { DebianFiles, fetchNode, readNode, versionOf } from './src/parts.mjs';
import { bundleProgram, root } from './src/program.mjs';
import { archive } from './src/tar.mjs';

/** Libraries that Node is linked with, and the loader that binds it, by Debian's package. */
const libraries = {
  libc6: ['ld-linux-x86-64.so.2', 'libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'],
  'libgcc-s1': ['libgcc_s.so.1'],
  'libstdc++6': ['libstdc++.so.6'],
};

/** Folders of libraries in Debian's packages. */
const folders = { 'libstdc++6': 'usr/lib/x86_64-linux-gnu', default: 'lib/x86_64-linux-gnu' };

/** Licences that the licences of these libraries refer to. */
const licences = ['GPL-2', 'GPL-3', 'LGPL-2.1', 'LGPL-3'];

/** @param {string} name */
const debian = (name) => {
  const files = new DebianFiles(name);
  files.fetch();
  return files;
};

const ours = (/** @type {string} */ name) =>
  readFileSync(new URL(`files/${name}`, import.meta.url), 'utf8');

const { version } = JSON.parse(readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8'));
const nodeFolder = fetchNode();
const nodeManifest = JSON.parse(readFileSync(path.join(nodeFolder, 'package.json'), 'utf8'));
const node = strip(readNode(nodeFolder));
removeLocales(node);
const program = await bundleProgram();

const readme = ours('README.md')
  .replaceAll('{utf8}', version)
  .replaceAll('{node}', nodeManifest.version)
  .replaceAll('{libc6}', versionOf('libc6'))
  .replaceAll('{gcc}', versionOf('libstdc++6'));

/** @type {Record<string, string | Uint8Array>} */
const files = {
  LICENSE: readFileSync(path.join(root, 'LICENSE')),
  'README.md': readme,
  ...Object.fromEntries(program.files),
  'lib/': '',
  'licenses/': '',
  'licenses/node': readFileSync(path.join(nodeFolder, 'LICENSE')),
  'licenses/glibc': debian('libc6').read('usr/share/doc/libc6/copyright'),
  'licenses/gcc': debian('gcc-12-base').read('usr/share/doc/gcc-12-base/copyright'),
};
for (const [name, text] of program.licences) files[`licenses/${name.replace('/', '-')}`] = text;
for (const name of licences) {
  files[`licenses/${name}`] = debian('base-files').read(`usr/share/common-licenses/${name}`);
}

/** @type {Record<string, string | Uint8Array>} */
const programs = { utf8: ours('utf8'), node };
for (const [name, names] of Object.entries(libraries)) {
  const folder = folders[/** @type {'default'} */ (name)] ?? folders.default;
  for (const file of names) programs[`lib/${file}`] = debian(name).read(`${folder}/${file}`);
}

const entries = [
  ...Object.entries(files).map(([name, content]) => ({ name, content, isProgram: false })),
  ...Object.entries(programs).map(([name, content]) => ({ name, content, isProgram: true })),
]
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ content, ...entry }) => ({ ...entry, bytes: Buffer.from(content) }));
const bytes = archive(entries);

const out = path.resolve(process.argv[2] ?? path.join(root, 'dist/utf8-linux-x64.tgz'));
mkdirSync(path.dirname(out), { recursive: true });
writeFileSync(out, bytes);
const hash = createHash('sha256').update(bytes).digest('hex');
console.log(`${hash}  ${out} (${(bytes.length / 1e6).toFixed(1)} MB)`);
