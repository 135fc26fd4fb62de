/** The API reference, from docstrings: a page for each module that programs can import. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Entry, listEntries, readReference } from '../../../tooling/checks/src/reference.js';
import { shareCodecPage } from './codec-page.js';
import { root } from './root.js';

/** The page of a module. */
export interface ApiPage {
  /** The end of its address. */
  readonly name: string;
  readonly content: string;
}

/** Lists the modules of the reference. */
export const listModules = (): Entry[] => listEntries().filter(({ isInternal }) => !isInternal);

/** Such as `cesu8-mixed` for `@utf8/cesu8/mixed`. */
export const nameOf = (specifier: string): string =>
  specifier.replace('@utf8/', '').replaceAll('/', '-');

/** Writes all pages, the first of which lists the others. */
export async function loadApiPages(): Promise<ApiPage[]> {
  const entries = listModules();
  const { write } = await readReference(entries);
  const folder = mkdtempSync(path.join(tmpdir(), 'utf8-reference-'));
  try {
    await write(folder);
    const names = new Map(entries.map((entry) => [placeOf(entry), nameOf(entry.specifier)]));
    const pages = entries.map((entry) => {
      const place = placeOf(entry);
      const text = readFileSync(path.join(folder, `${place}.md`), 'utf8');
      return { name: nameOf(entry.specifier), content: adapt(text, place, entry, names) };
    });
    return [{ name: 'index', content: writeIndex(entries, pages) }, ...shareCodecPage(pages)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the path at which the plugin puts the page of a module, without extension. */
const placeOf = ({ source }: Entry): string =>
  path
    .relative(fileURLToPath(root), source)
    .replaceAll(path.sep, '/')
    .replace(/(?:\/index)?\.ts$/, '');

/** Gives a page its title, and leads its links to the pages of other modules. */
function adapt(
  text: string,
  place: string,
  { specifier }: Entry,
  names: ReadonlyMap<string, string>,
): string {
  const links = text.replace(/\]\(([^)#:]+)\.md(#[^)]*)?\)/g, (_, target, anchor = '') => {
    const other = path.posix.join(path.posix.dirname(place), target);
    const name = names.get(other);
    if (!name) throw new Error(`${specifier} links to ${other}, which has no page`);
    return `](./${name}${anchor})`;
  });
  // The ids of headings are those of VitePress; those of table rows are the plugin's own.
  const anchored = links.replace(/(\]\([^)#\s]*#)(?!property-)([^)]*)/g, (_, before, anchor) => {
    return before + anchor.replaceAll('_', '-');
  });
  const coded = anchored.replace(/\(`(ERR_UTF8_\w+)`\)/g, '([`$1`](../guide/errors#$1))');
  return foldHeadings(coded.replace(/^# .*$/m, `# ${specifier}`));
}

/** Parts that most functions have: as headings, they would fill the outline, and each error would have its own. */
function foldHeadings(text: string): string {
  const parts =
    'Parameters|Returns|Throws|Example|Examples|See|Type Parameters|Inherited from|Overrides';
  return text
    .replace(
      /^## References\n\n((?:(?!^## )[\s\S])*)/m,
      (_, list: string) => `## Re-exports\n\n${listLinks(list)}\n\n`,
    )
    .replace(/^#{4,} Inherited from\n\n.*\n\n?/gm, '')
    .replace(/^#{3,} Throws\n\n((?:.+\n)+)(?:\n#{3,} Throws\n\n(?:.+\n)+)*/gm, (all) => {
      const errors = all.split(/^#{3,} Throws\n\n/m).flatMap((each) => each.trim() || []);
      const list = errors.map((each) => `- ${each.replaceAll('\n', ' ')}`).join('\n');
      return `**Throws**\n\n${list}\n`;
    })
    .replace(new RegExp(`^#{4,} (${parts})$`, 'gm'), '**$1**');
}

/** Lists in one line what a module exports from another one. */
const listLinks = (text: string): string =>
  [...text.matchAll(/^(?:Re-exports|Renames and re-exports) (.*)$/gm)]
    .map(([, link]) => link)
    .join(', ');

function writeIndex(entries: readonly Entry[], pages: readonly ApiPage[]): string {
  const rows = entries.map(({ specifier }, i) => {
    const [, summary = ''] = /^# .*\n\n((?:.+\n)+)/.exec(pages[i]?.content ?? '') ?? [];
    const line = summary.replaceAll('\n', ' ').trim().replaceAll('|', '\\|');
    return `| [\`${specifier}\`](./${nameOf(specifier)}) | ${line} |`;
  });
  return `# API reference

These are the modules that a program can import. [All codecs export the same names](./codec). \`/lite\` of a
codec, such as \`@utf8/cesu8/lite\`, has the same exports without WebAssembly.

| Module | Contents |
| --- | --- |
${rows.join('\n')}
`;
}
