/** Tells whether the bundled command is older than its sources. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = path.join(root, 'packages/cli');

/** Tells whether the bundle contains the sources as they are now. */
export function isCommandCurrent() {
  const built = statSync(path.join(folder, 'dist/man/utf8.1'), { throwIfNoEntry: false });
  return (
    built !== undefined && listInputs().every((file) => statSync(file).mtimeMs <= built.mtimeMs)
  );
}

function listInputs() {
  const packages = readdirSync(path.join(root, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(root, 'packages', name));
  const folders = [
    ...packages.map((each) => path.join(each, 'src')).filter((each) => existsSync(each)),
    path.join(root, 'tooling/build'),
  ];
  return [
    ...packages.map((each) => path.join(each, 'package.json')),
    ...folders.flatMap((each) =>
      readdirSync(each, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:[cm]?[jt]s|json)$/.test(name) && !name.includes('node_modules'))
        .map((name) => path.join(each, name)),
    ),
  ];
}
