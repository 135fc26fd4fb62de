/** The reference of the command, from the declarations of its options. */
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
    ...paragraphs.map(escapeMarkdown),
    ...sections.flatMap(writeSection),
    `The [README of @utf8/cli](../../../../packages/cli#utf8-${command.name}) has more details and examples.`,
    '',
  ].join('\n\n');
}

/** The page that lists all commands. */
export function writeCommandIndex(): string {
  const rows = directory.map(([name, summary]) => `| [\`utf8 ${name}\`](./${name}) | ${summary} |`);
  return `# utf8

\`\`\`sh
npm install --global @utf8/cli
\`\`\`

Every command reads stdin and writes stdout if you name no file, and reads \`.gz\` and \`.zst\` files.

| Command | What it does |
| --- | --- |
${rows.join('\n')}

| Exit code | Meaning |
| --- | --- |
| 0 | success, including repairs |
| 1 | malformed input, or something found |
| 2 | invalid command line |
| 3 | input or output failed |
| 75 | another run is writing the same output; try again later |
`;
}

/** What the columns of a section contain, if they do not contain options. */
const columnTitles: Readonly<Record<string, readonly [string, string]>> = {
  Commands: ['Command', 'What it does'],
  Values: ['Options', 'Values'],
  Examples: ['Command line', 'What it does'],
  'Exit codes': ['Exit code', 'Meaning'],
};

function writeSection([heading, rows]: Section): string[] {
  const lines = rows.map(
    ([term, text]) => `| \`${term.replaceAll('|', '\\|')}\` | ${escapeMarkdown(text)} |`,
  );
  const titles = columnTitles[heading] ?? ['Option', 'Meaning'];
  return [`## ${heading}`, `| ${titles.join(' | ')} |\n| --- | --- |\n${lines.join('\n')}`];
}

/** Text that Markdown and Vue leave as it is. */
const escapeMarkdown = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/([|*_`[\]\\])/g, '\\$1')
    .replaceAll('\n', '<br>');
