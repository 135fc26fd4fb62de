/**
 * Writes what `@utf8/detect` knows of `packages/variants.json`, the one list of variants: its imports and
 * labels, and its dependencies. With --check, it only names the files that differ.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGrammar } from './grammar.mjs';

const SCOPE = '@utf8/';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
const manifest = path.join(packages, 'detect/package.json');

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Splits `@utf8/cesu8/lenient` into its package and the profile within. */
function splitSpecifier(specifier) {
  const [folder, ...profile] = specifier.slice(SCOPE.length).split('/');
  return { folder, profile: profile.join('/') };
}

/** `@utf8/cesu8/lenient` is imported as `cesu8Lenient`. */
const nameImport = (specifier) =>
  specifier.slice(SCOPE.length).replace(/\W+(.)/g, (_, letter) => letter.toUpperCase());

/** Lists the variants in order of preference. */
async function listVariants() {
  const variants = [];
  const owners = new Map();
  for (const specifier of readJson(path.join(packages, 'variants.json'))) {
    const { folder, profile } = splitSpecifier(specifier);
    const { labels } = await readGrammar(path.join(packages, folder, 'src', profile, 'grammar.ts'));
    if (labels.length === 0) throw new Error(`${specifier}: its grammar exports no label`);
    for (const label of labels.map((label) => label.toLowerCase())) {
      const owner = owners.get(label);
      if (owner) throw new Error(`${specifier}: the label ${label} belongs to ${owner}`);
      owners.set(label, specifier);
    }
    variants.push({ specifier, label: labels[0], folder });
  }
  return variants;
}

function writeModule(variants) {
  const imports = variants
    .map(({ specifier }) => [
      specifier,
      `import * as ${nameImport(specifier)} from '${specifier}';`,
    ])
    .concat([['@utf8/core', "import type { Codec } from '@utf8/core';"]])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line);
  return [
    '// Generated from packages/variants.json by `node tooling/build/codecs/variants.mjs`; a test fails if the two differ.',
    ...imports,
    '',
    '/** The label of a codec, as this package writes it. */',
    'export type Label =',
    ...variants.map(({ label }) => `  | '${label}'`),
  ]
    .join('\n')
    .concat(
      ';\n\n',
      '/** Every variant in order of preference: of two that accept the same bytes, the first wins. */\n',
      'export const codecs: readonly (Codec & { readonly labels: readonly string[] })[] = [\n',
      ...variants.map(({ specifier }) => `  ${nameImport(specifier)},\n`),
      '];\n',
    );
}

/** The manifest of `@utf8/detect`, with a dependency on the package of every variant. */
function writeManifest(variants) {
  const { dependencies, ...rest } = readJson(manifest);
  const names = ['core', ...variants.map(({ folder }) => folder)].map((name) => SCOPE + name);
  const wanted = [...new Set(names)].sort().map((name) => [name, 'workspace:^']);
  return `${JSON.stringify({ ...rest, dependencies: Object.fromEntries(wanted) }, null, 2)}\n`;
}

const variants = await listVariants();
const check = process.argv.includes('--check');
for (const [file, text] of [
  [path.join(packages, 'detect/src/generated/variants.ts'), writeModule(variants)],
  [manifest, writeManifest(variants)],
]) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) {
    process.exitCode = 1;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${check ? 'differs' : 'written'}: ${path.relative(process.cwd(), file)}`);
}
