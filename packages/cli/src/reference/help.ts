/** Help, from declarations. */

import type { Command } from '../option/option.js';
import { wrap } from '../terminal/wrap.js';
import { describeCommand, type Section } from './describe.js';

/** The width of help, and the most that a column of terms may have of it. */
const COLUMNS = 99;
const TERMS = 36;

/** Help for a command. */
export function formatHelp(command: Command): string {
  const { usage, paragraphs, sections } = describeCommand(command);
  const [description = '', ...notes] = paragraphs;
  // Options of all headings are aligned.
  const options = sections.filter(isOptions).flatMap(([, rows]) => rows);
  const lines = sections.flatMap(([heading, rows]) => {
    const width = isOptions([heading, rows]) ? measure(options.filter(isShort)) : measure(rows);
    return ['', `${heading}:`, ...rows.flatMap(([term, text]) => formatRow(term, text, width))];
  });
  const closing = notes.flatMap((note) => ['', ...note.split('\n').flatMap((line) => fill(line))]);
  return [`Usage: ${usage}`, '', ...fill(description), ...lines, ...closing, ''].join('\n');
}

/** Help that fits on a screen of 30 lines: the options that are used most. */
export function formatSummary(command: Command): string {
  const { usage, paragraphs, sections } = describeCommand(command);
  const [description = ''] = paragraphs;
  const { name, common } = command;
  const isShown = ([term]: Section[1][number]): boolean => !common || common.includes(flagOf(term));
  const options = sections
    .filter(([heading, rows]) => heading !== 'Values' && isOptions([heading, rows]))
    .flatMap(([, rows]) => rows.filter(isShown));
  const width = measure(options);
  const examples = sections.find(([heading]) => heading === 'Examples')?.[1] ?? [];
  const lines = [
    `Usage: ${usage}`,
    '',
    ...fill(description),
    '',
    'Options:',
    ...options.flatMap(([term, text]) => formatRow(term, text, width)),
    '',
    'Examples:',
    ...examples.map(([line]) => `  ${line}`),
    '',
    `All options, values and exit codes: utf8 ${name} --help`,
    '',
  ];
  return lines.join('\n');
}

/** The name of an option, as in `-o, --output FILE`. */
const flagOf = (term: string): string => /--([\w-]+)/.exec(term)?.[1] ?? '';

/** A term and its description side by side; a long term has a line of its own, as do all of such a section. */
function formatRow(term: string, text: string, width: number): string[] {
  if (width > TERMS || measure([[term, text]]) > width)
    return [`  ${term}`, ...fill(text, ' '.repeat(6))];
  return fill(text, `  ${indent(term).padEnd(width)}  `, ' '.repeat(width + 4));
}

const isOptions = ([, rows]: Section): boolean => rows[0]?.[0].startsWith('-') ?? false;

const isShort = (row: Section[1][number]): boolean => measure([row]) <= TERMS;

/** Long options stand below each other, whether there is a short one or not. */
const indent = (term: string): string => (term.startsWith('--') ? `    ${term}` : term);

const measure = (rows: Section[1]): number =>
  Math.max(0, ...rows.map(([term]) => indent(term).length));

const fill = (text: string, first = '', rest: string = first): string[] =>
  wrap(text, first, rest, COLUMNS);
