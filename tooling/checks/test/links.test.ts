/** Links of documents lead to files of the repository, and to headings as GitHub names them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { explained, seeReasons } from '../../../packages/cli/src/words/see.js';
import { root } from '../src/packages.js';

const pages = 'apps/site/pages/';
const documents = listDocuments('');

/** Lists the documents of a folder and of those below it, without dependencies and build results. */
function listDocuments(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory())
      return /^(?:\..*|node_modules|dist)$/.test(entry.name) ? [] : listDocuments(name);
    return name.endsWith('.md') ? [name] : [];
  });
}

const withoutCode = (text: string): string => text.replace(/^ *```.*?^ *```/gms, '');

const read = (name: string): string => withoutCode(readFileSync(path.join(root, name), 'utf8'));

/** Lists the anchors that GitHub gives to the headings of a document. */
const anchorsOf = (name: string): string[] =>
  Array.from(read(name).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The folder from which links of a document are relative: parts of pages are included in `command/`. */
const folderOf = (name: string): string =>
  name.startsWith('apps/site/src/command/') ? `${pages}command` : path.posix.dirname(name);

function findProblem(document: string, link: string): string | undefined {
  const [given = '', anchor] = link.split('#');
  const place = path.posix.join(folderOf(document), given);
  const isPage = folderOf(document).startsWith(pages.slice(0, -1));
  // VitePress checks links between its pages, whose anchors and paths are its own.
  if (isPage && (given === '' || place.startsWith(pages))) return undefined;
  const target = path.join(root, given === '' ? document : place);
  if (!existsSync(target)) return `${document}: ${link}: no such file`;
  if (anchor === undefined) return undefined;
  const file = statSync(target).isDirectory() ? path.join(target, 'README.md') : target;
  const isThere =
    anchor === 'readme' ? existsSync(file) : anchorsOf(path.relative(root, file)).includes(anchor);
  return isThere ? undefined : `${document}: ${link}: no such heading`;
}

it('links that the command prints lead to headings of the site that a release publishes', () => {
  const workflow = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
  const [, base = ''] = /^ *SITE_BASE: (\S+)$/m.exec(workflow) ?? [];
  const links = [...Object.keys(explained).map((reason) => [reason]), Object.keys(explained)].map(
    (reasons) => new URL(seeReasons(reasons)[0]?.slice('See '.length) ?? ''),
  );
  for (const { href, hostname, pathname, hash } of links) {
    expect([hostname, pathname.startsWith(base)], href).toEqual(['utf8-codecs.github.io', true]);
    const page = `${pages}${pathname.slice(base.length)}.md`;
    expect(anchorsOf(page), href).toContain(hash.slice(1));
    // Of the lines that the command prints, none has more than 80 columns.
    expect(href.length).toBeLessThan(75);
  }
});

it('links of documents lead to files and headings of the repository', () => {
  const links = documents.flatMap((document) =>
    Array.from(read(document).matchAll(/\]\((?![a-z]+:|\/)([^)\s]+)\)/g), ([, link = '']) => ({
      document,
      link,
    })),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(links.flatMap(({ document, link }) => findProblem(document, link) ?? [])).toEqual([]);
});
