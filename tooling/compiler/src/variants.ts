/** Lists of variants in `@utf8/detect`, from `packages/variants.json`: imports, labels and dependencies. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { File } from './files.js';
import { readGrammar } from './read-grammar.js';

interface Variant {
  readonly specifier: string;
  readonly label: string;
  /** The folder of its package. */
  readonly folder: string;
}

const SCOPE = '@utf8/';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
const manifest = path.join(packages, 'detect/package.json');

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** Splits `@utf8/cesu8/lenient` into its package and the profile within. */
function splitSpecifier(specifier: string): { folder: string; profile: string } {
  const [folder = '', ...profile] = specifier.slice(SCOPE.length).split('/');
  return { folder, profile: profile.join('/') };
}

/** `@utf8/cesu8/lenient` is imported as `cesu8Lenient`. */
const nameImport = (specifier: string): string =>
  specifier.slice(SCOPE.length).replace(/\W+(.)/g, (_, letter: string) => letter.toUpperCase());

/** Lists the variants in order of preference. */
async function listVariants(): Promise<Variant[]> {
  const variants: Variant[] = [];
  const owners = new Map<string, string>();
  for (const specifier of readJson(path.join(packages, 'variants.json'))) {
    const { folder, profile } = splitSpecifier(specifier);
    const { labels } = await readGrammar(path.join(packages, folder, 'src', profile, 'grammar.ts'));
    const [label] = labels;
    if (label === undefined) throw new Error(`${specifier}: its grammar exports no label`);
    for (const name of labels.map((label) => label.toLowerCase())) {
      const owner = owners.get(name);
      if (owner) throw new Error(`${specifier}: the label ${name} belongs to ${owner}`);
      owners.set(name, specifier);
    }
    variants.push({ specifier, label, folder });
  }
  return variants;
}

function writeModule(variants: readonly Variant[]): string {
  const imports = variants
    .map(({ specifier }) => [
      specifier,
      `import * as ${nameImport(specifier)} from '${specifier}';`,
    ])
    .concat([['@utf8/core', "import type { Codec } from '@utf8/core';"]])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([, line]) => line);
  return [
    '// Generated from packages/variants.json by `npm run generate`; a test fails if the two differ.',
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
function writeManifest(variants: readonly Variant[]): string {
  const { dependencies, ...rest } = readJson(manifest);
  const names = ['core', ...variants.map(({ folder }) => folder)].map((name) => SCOPE + name);
  const wanted = [...new Set(names)].sort().map((name) => [name, 'workspace:^']);
  return `${JSON.stringify({ ...rest, dependencies: Object.fromEntries(wanted) }, null, 2)}\n`;
}

/** Writes the lists. */
export async function writeVariants(): Promise<File[]> {
  const variants = await listVariants();
  return [
    [path.join(packages, 'detect/src/generated/variants.ts'), writeModule(variants)],
    [manifest, writeManifest(variants)],
  ];
}
