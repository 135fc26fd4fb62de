/** The index of the search: every page, generated or written, section by section. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { createMarkdownRenderer, type SiteConfig } from 'vitepress';
import { indexOptions } from './search-engine.js';

/** A part of a page below a heading. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

const INDEX = '@localSearchIndex';
const engine = fileURLToPath(new URL('search-engine.ts', import.meta.url));

/** Has the search box of the theme use this index and this engine; the theme's own index lacks generated pages. */
export function replaceSearch(): {
  name: string;
  enforce: 'pre';
  configResolved(config: object): void;
  resolveId(source: string, importer?: string): string | undefined;
  load(id: string): Promise<string | undefined>;
} {
  let site: SiteConfig | undefined;
  let index: Promise<string> | undefined;
  return {
    name: 'search-everything',
    enforce: 'pre',
    configResolved(config) {
      site = (config as { vitepress?: SiteConfig }).vitepress;
    },
    resolveId(source, importer) {
      if (source === 'minisearch' && importer?.includes('VPLocalSearchBox')) return engine;
      return source.startsWith(INDEX) ? `\0${source}` : undefined;
    },
    async load(id) {
      if (id === `\0${INDEX}`) return `export default { root: () => import('${INDEX}root') };`;
      if (id !== `\0${INDEX}root` || !site) return undefined;
      index ??= buildSearchIndex(site);
      return `export default ${JSON.stringify(await index)};`;
    },
  };
}

/** Returns the index in JSON. */
export async function buildSearchIndex(site: SiteConfig): Promise<string> {
  const index = new MiniSearch<Section>(indexOptions);
  // Colours are not part of the index.
  const md = await createMarkdownRenderer(site.srcDir, { ...site.markdown, highlight: () => '' });
  for (const [page, source] of listSources(site)) {
    const name = page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '');
    for (const section of split(md.parse(source, { relativePath: page }))) {
      if (/^vectors\/(?!index)/.test(page) && hidden.has(section.id)) continue;
      index.add({ ...section, id: `${site.site.base}${name}#${section.id}` });
    }
  }
  return JSON.stringify(index);
}

/** Tables of vectors whose words are the same on each page. */
const hidden: ReadonlySet<string> = new Set(['byte-by-byte', 'in-each-variant']);

/** Lists the pages with their Markdown. */
function listSources({
  srcDir,
  pages,
  dynamicRoutes,
}: SiteConfig): [page: string, source: string][] {
  const routes = 'routes' in dynamicRoutes ? dynamicRoutes.routes : dynamicRoutes;
  const generated = new Map(routes.map(({ path, content }) => [path, content ?? '']));
  return pages.map((page) => {
    const source = generated.get(page) ?? readFileSync(path.join(srcDir, page), 'utf8');
    return [page, source.replace(/^---\n.*?\n---\n/s, '').replace(/<script.*?<\/script>/gs, '')];
  });
}

type Token = ReturnType<Awaited<ReturnType<typeof createMarkdownRenderer>>['parse']>[number];

function* split(tokens: readonly Token[]): Generator<Section> {
  let titles: string[] = [];
  let section: { id: string; title: string; titles: string[]; text: string } | undefined;
  let isHeading = false;
  let option: Section | undefined;
  for (const token of tokens) {
    if (option && token.type === 'inline') {
      yield { ...option, text: textOf(token) };
      option = undefined;
    } else option ??= section && findOption(token, [...section.titles, section.title]);
    if (token.type === 'heading_open') {
      if (section) yield section;
      const level = Number(token.tag.slice(1)) - 1;
      titles = titles.slice(0, level);
      section = {
        id: token.attrGet('id') ?? '',
        title: '',
        titles: titles.filter(Boolean),
        text: '',
      };
      isHeading = true;
    } else if (token.type === 'heading_close') {
      isHeading = false;
      if (section) titles[Number(token.tag.slice(1)) - 1] = section.title;
    } else if (section && isHeading) section.title = textOf(token).trim();
    else if (section) section.text += `${textOf(token)}\n`;
  }
  if (section) yield section;
}

/** Finds the option that a cell of a table names. */
function findOption({ children }: Token, titles: readonly string[]): Section | undefined {
  const [, id] = /id="((?:option|values)-[^"]+)"/.exec(children?.at(-2)?.content ?? '') ?? [];
  return id ? { id, titles, title: children?.[0]?.content ?? '', text: '' } : undefined;
}

function textOf({ children, content }: Token): string {
  if (!children) return content.replace(/<[^>]*>/g, ' ');
  const parts = children.filter(({ type }) => type !== 'html_inline' && !type.startsWith('link_'));
  return parts.map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('');
}
