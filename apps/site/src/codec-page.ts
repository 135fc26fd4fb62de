/** One page for the exports that all codecs share. The pages of the codecs link to it. */
import type { ApiPage } from './api-page.js';

interface Export {
  /** The heading, as `encode()`. */
  readonly name: string;
  readonly text: string;
}

/** A heading of the second level, the text below it, and exports. */
interface Section {
  readonly title: string;
  readonly intro: string;
  readonly entries: readonly Export[];
}

/** The codec whose page becomes that of all codecs. */
const MODEL = 'cesu8';

/** The heading of the exports that all codecs have, each with a value of its own. */
const OWN = 'Variables';

/** The heading of the exports that are the same in all codecs. */
const SHARED = 'As in all codecs';

/** Moves the exports that all codecs share to one page, and replaces them with links. */
export function shareCodecPage(pages: readonly ApiPage[]): ApiPage[] {
  const model = pages.find(({ name }) => name === MODEL);
  if (!model) throw new Error(`no module ${MODEL}`);
  const sections = splitPage(model.content).sections.filter(({ title }) => title !== OWN);
  const shared = sections.flatMap(({ entries }) => entries.map(({ name }) => anchorOf(name)));
  const short = pages.map((page) => {
    const { head, sections: own } = splitPage(page.content);
    const names = own.flatMap(({ entries }) => entries.map(({ name }) => anchorOf(name)));
    const isCodec = shared.every((name) => names.includes(name));
    return isCodec ? { ...page, content: shorten(head, own, shared) } : page;
  });
  const head = `# What all codecs export

Each module of a codec has these exports, so bundlers keep only those in use. The examples are of \`@utf8/cesu8\`; with
another codec, only the bytes are different.`;
  const all = [...short, { name: 'codec', content: joinPage(head, sections) }];
  const anchors = new Map(all.map(({ name, content }) => [name, listAnchors(content)]));
  // The target of a link to the page of a codec may have moved.
  const lead = (link: string, name: string, anchor: string): string => {
    const isMoved = anchors.get(name)?.has(anchor) === false && anchors.get('codec')?.has(anchor);
    return isMoved ? `](./codec#${anchor})` : link;
  };
  return all.map(({ name, content }) => ({
    name,
    content: content.replace(/\]\(\.\/([\w-]+)#([\w-]+)\)/g, lead),
  }));
}

/** Lists the anchors of a page. */
const listAnchors = (content: string): ReadonlySet<string> =>
  new Set(
    [...content.matchAll(/^#{2,} (.*)$|<a id="([^"]*)">/gm)].map(
      ([, heading, id]) => id ?? anchorOf(heading as string),
    ),
  );

/** Replaces the shared exports with a table of links. */
function shorten(head: string, sections: readonly Section[], shared: readonly string[]): string {
  const isShared = ({ name }: Export): boolean => shared.includes(anchorOf(name));
  const rows = sections
    .flatMap(({ entries }) => entries.filter(isShared))
    .map(({ name, text }) => `| [\`${name}\`](./codec#${anchorOf(name)}) | ${summaryOf(text)} |`);
  const table = `| Export | Purpose |\n| --- | --- |\n${rows.join('\n')}`;
  const own = sections
    .map((section) => ({ ...section, entries: section.entries.filter((each) => !isShared(each)) }))
    .filter(({ intro, entries }) => intro !== '' || entries.length > 0);
  const at = own.findIndex(({ title }) => title === OWN);
  return joinPage(head, own.toSpliced(at, 0, { title: SHARED, intro: table, entries: [] }));
}

const joinPage = (head: string, sections: readonly Section[]): string =>
  `${[head, ...sections.map(joinSection)].join('\n\n')}\n`;

function joinSection({ title, intro, entries }: Section): string {
  const texts = entries.map(({ name, text }) => `### ${name}\n\n${text}`).join('\n\n***\n\n');
  return [`## ${title}`, intro, texts].filter((part) => part !== '').join('\n\n');
}

/** The first sentence of an export. */
function summaryOf(text: string): string {
  const prose = text.replace(/^```[\s\S]*?^```/m, '').trim();
  const [paragraph = ''] = prose.split('\n\n');
  const [sentence] = paragraph.replaceAll('\n', ' ').split(/(?<=\.) /);
  return (sentence ?? '').replaceAll('|', '\\|');
}

const anchorOf = (name: string): string => name.toLowerCase().replaceAll(/\W/g, '');

/** Splits a page into what precedes its exports, and these. */
function splitPage(content: string): { readonly head: string; readonly sections: Section[] } {
  const [head = '', ...parts] = content.split(/^## (?!Example)/m);
  const sections = parts.map((part) => {
    const [start = '', ...entries] = part.split(/^### /m);
    const [title = '', ...intro] = start.split('\n');
    return { title, intro: intro.join('\n').trim(), entries: entries.map(splitExport) };
  });
  return { head: head.trim(), sections };
}

function splitExport(entry: string): Export {
  const [name = '', ...lines] = entry.split('\n');
  return {
    name,
    text: lines
      .join('\n')
      .replace(/\n\*\*\*\s*$/, '')
      .trim(),
  };
}
