/**
 * Writes what resolvers that ignore `exports` read (TypeScript's node10, Parcel, webpack 4, Browserify):
 * `main`, `module` and `types` of each package, and for each subpath a folder whose package.json points
 * to the built module. All is derived from `exports`.
 *
 *     node tooling/checks/types/generate.mjs [--check]
 *
 * With --check, it writes nothing, names what differs and exits with 1.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));

/** The fields for one target of `exports`; none if it has no types, such as data. */
export function deriveFields(target) {
  const esm = target?.import ?? target;
  if (!esm?.types) return {};
  const { require } = target;
  return {
    main: (require ?? esm).default,
    ...(require ? { module: esm.default } : {}),
    types: esm.types,
  };
}

/** The folders of a package's subpaths, each with its fields. */
export function deriveFolders({ exports }) {
  const folders = Object.entries(exports ?? {})
    .filter(([subpath]) => subpath !== '.')
    .map(([subpath, target]) => [subpath.slice('./'.length), deriveFields(target)])
    .filter(([, fields]) => fields.main);
  return folders.map(([folder, fields]) => {
    const up = '../'.repeat(folder.split('/').length);
    const relative = Object.entries(fields).map(([key, file]) => [key, file.replace('./', up)]);
    return [folder, Object.fromEntries(relative)];
  });
}

/** A manifest with its derived fields, which precede `exports`. */
export function deriveManifest(manifest, stale = []) {
  const { main, module, types, exports, files, ...others } = manifest;
  const tops = new Set(deriveFolders(manifest).map(([folder]) => folder.split('/')[0]));
  const kept = files.filter((file) => !tops.has(file) && !stale.includes(file));
  const derived = { ...deriveFields(exports['.']), exports, files: [...kept, ...[...tops].sort()] };
  const entries = Object.entries(others);
  // npm's order of fields: those for the content of a package precede its scripts.
  const at = entries.findIndex(([key]) => key === 'scripts');
  entries.splice(at, 0, ...Object.entries(derived));
  return Object.fromEntries(entries);
}

const print = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The files that there should be, by path, with their texts; undefined for those that should not. */
export function* listFiles() {
  for (const name of readdirSync(packages)) {
    const folder = path.join(packages, name);
    if (!existsSync(path.join(folder, 'package.json'))) continue;
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    if (manifest.private) continue;
    const wanted = new Map(deriveFolders(manifest));
    const stale = [...listFolders(folder)].filter((each) => !wanted.has(each));
    for (const each of stale) yield [path.join(folder, each, 'package.json'), undefined];
    yield [path.join(folder, 'package.json'), print(deriveManifest(manifest, stale))];
    for (const [each, fields] of wanted) {
      yield [path.join(folder, each, 'package.json'), print(fields)];
    }
  }
}

/** The folders of a package that this script has written: those with a manifest without a name. */
function* listFolders(root, folder = '') {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'node_modules') continue;
    const name = path.posix.join(folder, entry.name);
    yield* listFolders(root, name);
    const file = path.join(root, name, 'package.json');
    if (existsSync(file) && !('name' in JSON.parse(readFileSync(file, 'utf8')))) yield name;
  }
}

function remove(file) {
  rmSync(file);
  // Folders that contain other subpaths stay.
  for (let folder = path.dirname(file); readdirSync(folder).length === 0; ) {
    rmdirSync(folder);
    folder = path.dirname(folder);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check');
  for (const [file, text] of listFiles()) {
    const present = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (present === text) continue;
    if (check) process.exitCode = 1;
    else if (text === undefined) remove(file);
    else {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    console.log(`${check ? 'differs' : 'written'}: ${path.relative(process.cwd(), file)}`);
  }
}
