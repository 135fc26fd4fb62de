/** Pages from documents and measurements elsewhere in the repository. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundle } from '../../../tooling/checks/size/src/bundle.js';
import { root } from './root.js';
import { variantNames } from './variant-page.js';

/** A page below the root of the site. */
export interface DocumentPage {
  readonly name: string;
  readonly content: string;
}

const read = (name: string): string => readFileSync(fileURLToPath(new URL(name, root)), 'utf8');

export const loadDocumentPages = async (): Promise<DocumentPage[]> => [
  { name: 'security', content: toPage(read('SECURITY.md')) },
  { name: 'speed', content: writeSpeed() },
  { name: 'sizes', content: await writeSizes() },
  { name: 'changes', content: writeChanges() },
  { name: 'versions', content: writeVersions() },
];

/** Resolves the links of a document in the root of the repository. */
const toPage = (text: string): string =>
  text.replace(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, target) => `](../../../${target})`);

/** The table that `npm run bench -- --readme` writes. */
function writeSpeed(): string {
  const [, table] = /<!-- speed:[^>]*-->(.*?)<!-- \/speed -->/s.exec(read('README.md')) ?? [];
  if (!table) throw new Error('README.md has no table of speeds');
  return `# Speed

${table.trim()}

Each function uses the platform's codec where that is faster and gives the same answer. The remaining difference is mostly the cost of
checks: \`TextDecoder\` never says where a fault is.

[The benchmark](../../../apps/bench#readme) compares every operation with the platform and with other packages:

\`\`\`sh
npm run bench -- --quick
\`\`\`
`;
}

/** Measures the bytes that an import adds to a program. */
async function measure(specifier: string): Promise<number> {
  const { code } = await bundle(`export { decode, encode } from '${specifier}';`);
  return gzipSync(code).length;
}

const format = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;

async function writeSizes(): Promise<string> {
  const rows: string[] = [];
  for (const name of variantNames()) {
    const specifier = `@utf8/${name}`;
    const [whole, lite] = await Promise.all([measure(specifier), measure(`${specifier}/lite`)]);
    rows.push(`| \`${specifier}\` | ${format(whole)} | ${format(lite)} |`);
  }
  return `# Sizes

The table shows how much \`decode\` and \`encode\` add to a bundle, minified and compressed with gzip. Several variants in one
bundle share most of it.

| Module | With WebAssembly | \`/lite\` |
| --- | --- | --- |
${rows.join('\n')}

\`/lite\` has the same functions with the same results. It is as fast on short texts; see [Speed](./speed) for long ones.
`;
}

/** The changelogs of all packages, and the changes of the next release. */
function writeChanges(): string {
  const folder = fileURLToPath(new URL('.changeset/', root));
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(folder + name, 'utf8')))
    .flatMap((match) => {
      const names = Array.from(match?.[1]?.matchAll(/'([^']+)':/g) ?? [], ([, each]) => each);
      return names.length > 0 ? [`## ${names.join(', ')}\n\n${match?.[2]?.trim()}`] : [];
    });
  const { version } = JSON.parse(read('packages/cli/package.json')) as { version: string };
  return `# Changes

All packages have the same version, ${version}, and follow [semantic versioning](https://semver.org). The interface consists of
the names and the behaviour in the reference, but not of the wording of messages. The next release contains:

${entries.join('\n\n')}
`;
}

const runtimeNames: Readonly<Record<string, string>> = {
  node: 'Node',
  deno: 'Deno',
  bun: 'Bun',
  workerd: "workerd (Cloudflare's runtime)",
  'edge-runtime': "edge-runtime (Next.js's sandbox)",
  jest: 'jest, with jsdom',
};

/** The runtimes that the suite runs in, from the list by which they are installed. */
function writeVersions(): string {
  const versions = JSON.parse(read('tooling/conformance/runtimes/versions.json')) as Readonly<
    Record<string, { readonly packages: Readonly<Record<string, string>> }>
  >;
  const rows = Object.entries(versions).map(([name, { packages }]) => {
    const [version = ''] = Object.values(packages);
    const title = runtimeNames[name] ?? runtimeNames[name.replace(/-\d+$/, '')] ?? name;
    return `| ${title} | ${version.replace(/^.*@/, '')} |`;
  });
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  return `# Versions

The packages support Node ${engines.node}. Before each release, the conformance suite runs in these runtimes, and in Chromium and
Firefox of Debian stable:

| Runtime | Version |
| --- | --- |
${rows.join('\n')}

[Runtimes](./guide/runtimes) says which module to import in each runtime.
[\`@utf8/vectors\`](../../../packages/vectors#how-the-vectors-were-made) lists the programs that confirm the test vectors, with their
versions.
`;
}
