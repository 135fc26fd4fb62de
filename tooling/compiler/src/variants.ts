/**
 * Writes the lists of `@utf8/detect` from `packages/variants.json`, the one list of variants: labels, full
 * codecs and `/lite` functions, each in its own module so that bundlers can drop it, and the dependencies.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { File } from './files.js';
import { readGrammar } from './read-grammar.js';

interface Variant {
  readonly specifier: string;
  readonly label: string;
  readonly aliases: readonly string[];
  /** The folder of its package. */
  readonly folder: string;
}

const SCOPE = '@utf8/';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
const manifest = path.join(packages, 'detect/package.json');
const generated = path.join(packages, 'detect/src/generated');

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
    const [label, ...aliases] = labels;
    if (label === undefined) throw new Error(`${specifier}: its grammar exports no label`);
    for (const name of labels.map((label) => label.toLowerCase())) {
      const owner = owners.get(name);
      if (owner) throw new Error(`${specifier}: the label ${name} belongs to ${owner}`);
      owners.set(name, specifier);
    }
    variants.push({ specifier, label, aliases, folder });
  }
  return variants;
}

const HEADER =
  '// Generated from packages/variants.json by `npm run generate`; a test fails if the two differ.';

const quote = (text: string): string => `'${text}'`;

/** A property name of an object; quoted only if it must be, as Biome formats it. */
const toKey = (label: string): string => (/^[a-z]\w*$/.test(label) ? label : quote(label));

/** Labels and aliases, as data: reading them loads no codec. */
function writeLabels(variants: readonly Variant[]): string {
  return [
    HEADER,
    '',
    '/** The label of an encoding, as this package writes it. */',
    'export type Label =',
    `${variants.map(({ label }) => `  | ${quote(label)}`).join('\n')};`,
    '',
    '/**',
    ' * The other names of each label: those that IANA registers, and common ones. Labels are in order of',
    ' * preference: if two encodings accept the same bytes, the first is the verdict.',
    ' *',
    ' * @see https://www.iana.org/assignments/character-sets, MIBenum 106 and 1016',
    ' */',
    'export const aliases: Readonly<Record<Label, readonly string[]>> = {',
    ...variants.map(
      ({ label, aliases }) => `  ${toKey(label)}: [${aliases.map(quote).join(', ')}],`,
    ),
    '};',
    '',
  ].join('\n');
}

/** Imports modules of variants, and types of core, in the order that Biome wants. */
const writeImports = (
  variants: readonly Variant[],
  subpath: string,
  types: readonly (readonly [string, string])[],
): string[] =>
  variants
    .map(({ specifier }): readonly [string, string] => [
      specifier + subpath,
      `import * as ${nameImport(specifier)} from '${specifier}${subpath}';`,
    ])
    .concat(types)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line);

/** The full codecs, which \`codecFor\` returns. */
function writeCodecs(variants: readonly Variant[]): string {
  return [
    HEADER,
    ...writeImports(variants, '', [['@utf8/core', "import type { Codec } from '@utf8/core';"]]),
    "import type { Label } from './labels.js';",
    '',
    '/** The full codecs, by label. */',
    'export const codecs: Readonly<Record<Label, Codec>> = {',
    ...variants.map(({ specifier, label }) => `  ${toKey(label)}: ${nameImport(specifier)},`),
    '};',
    '',
  ].join('\n');
}

const MEMBERS = ['name', 'isValid', 'findFault', 'faults'];

/** The functions that detection reads with: those of \`/lite\`, which contain no WebAssembly. */
function writeReaders(variants: readonly Variant[]): string {
  return [
    HEADER,
    ...writeImports(variants, '/lite', [
      ['@utf8/core', "import type { Codec } from '@utf8/core';"],
    ]),
    "import type { Label } from './labels.js';",
    '',
    '/** The functions of an encoding that detection and explanations use, without WebAssembly. */',
    `export interface Variant extends Pick<Codec, ${MEMBERS.map(quote).join(' | ')}> {`,
    '  /** The label of the encoding. */',
    '  readonly label: Label;',
    '}',
    '',
    '/** All variants, in order of preference. */',
    'export const variants: readonly Variant[] = [',
    ...variants.flatMap(({ specifier, label }) => [
      '  {',
      `    label: ${quote(label)},`,
      ...MEMBERS.map((member) => `    ${member}: ${nameImport(specifier)}.${member},`),
      '  },',
    ]),
    '];',
    '',
  ].join('\n');
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
    [path.join(generated, 'labels.ts'), writeLabels(variants)],
    [path.join(generated, 'codecs.ts'), writeCodecs(variants)],
    [path.join(generated, 'variants.ts'), writeReaders(variants)],
    [manifest, writeManifest(variants)],
  ];
}
