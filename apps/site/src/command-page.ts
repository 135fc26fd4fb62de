/** The reference of the command: the declarations of its options, and additional text. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { directory } from '../../../packages/cli/src/command/directory.js';
import type { Command } from '../../../packages/cli/src/option/option.js';
import { describeCommand, type Section } from '../../../packages/cli/src/reference/describe.js';

export const commandNames = (): string[] => directory.map(([name]) => name);

export const loadCommandPages = (): Promise<{ name: string; content: string }[]> =>
  Promise.all(
    directory.map(async ([name, summary, load]) => {
      const { command } = await load();
      return { name, content: writeCommandPage(summary, command) };
    }),
  );

function writeCommandPage(summary: string, command: Command): string {
  const { usage, paragraphs, sections } = describeCommand(command);
  return [
    `# utf8 ${command.name}`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    `\`\`\`text\nUsage: ${usage}\n\`\`\``,
    ...paragraphs.map(writeParagraph),
    ...sections.flatMap(writeSection),
    '## Details',
    readNotes(command.name),
  ].join('\n\n');
}

/** Writes a paragraph, or a table if it is a list of terms with their meanings. */
function writeParagraph(text: string): string {
  const [title = '', ...lines] = text.split('\n');
  const rows = lines.map((line) => /^ {2}(\S+) +(.+)$/.exec(line));
  if (lines.length === 0 || rows.includes(null)) return escapeMarkdown(text);
  const cells = rows.map((row) => `| \`${row?.[1]}\` | ${escapeMarkdown(row?.[2] ?? '')} |`);
  return `| ${title.replace(/:$/, '')} | Meaning |\n| --- | --- |\n${cells.join('\n')}`;
}

/** Reads the text of a page in addition to the declarations. */
const readNotes = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`command/${name}.md`, import.meta.url)), 'utf8');

/** The page that lists all commands. */
export function writeCommandIndex(): string {
  const rows = directory.map(
    ([name, summary, , heading], i) =>
      `| ${heading === directory[i - 1]?.[3] ? '' : heading} | [\`utf8 ${name}\`](./${name}) | ${summary} |`,
  );
  return `# utf8

\`\`\`sh
npm install --global @utf8/cli
\`\`\`

Every command reads stdin and writes stdout if you name no file, and reads \`.gz\` and \`.zst\` files.

| | Command | What it does |
| --- | --- | --- |
${rows.join('\n')}

| Exit code | Meaning |
| --- | --- |
| 0 | success, including repairs |
| 1 | malformed input, rejected records, or something found |
| 2 | invalid command line |
| 3 | input or output failed |
| 75 | another run is writing the same output; try again later |

${readNotes('index')}`;
}

/** Column titles of sections that contain no options. */
const columnTitles: Readonly<Record<string, readonly [string, string]>> = {
  Values: ['Options', 'Values'],
  Examples: ['Command line', 'What it does'],
  'Exit codes': ['Exit code', 'Meaning'],
};

function writeSection([heading, rows]: Section): string[] {
  const lines = rows.map(
    ([term, text]) =>
      `| \`${term.replaceAll('|', '\\|')}\`${anchor(heading, term)} | ${escapeMarkdown(text)} |`,
  );
  const titles = columnTitles[heading] ?? ['Option', 'Meaning'];
  return [`## ${heading}`, `| ${titles.join(' | ')} |\n| --- | --- |\n${lines.join('\n')}`];
}

/** Gives a row of an option a place of its own, which the search leads to. */
function anchor(heading: string, term: string): string {
  const [, name] = /^(?:-\w, +)?--([\w-]+)/.exec(term.trim()) ?? [];
  if (name === undefined || heading === 'Examples') return '';
  return `<span id="${heading === 'Values' ? 'values' : 'option'}-${name}"></span>`;
}

/** Text that Markdown and Vue leave as it is. */
const escapeMarkdown = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/([|*_`[\]\\])/g, '\\$1')
    .replaceAll('\n', '<br>');
