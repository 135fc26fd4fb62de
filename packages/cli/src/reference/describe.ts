/** Descriptions of a command for help and the man page, from its declaration. */
import { type Command, listOptions, type Options, spellOption } from '../option/option.js';

/** A heading, and rows of a term and its description. */
export type Section = readonly [heading: string, rows: readonly (readonly [string, string])[]];

export interface Reference {
  /** Such as `utf8 convert --from LABEL [OPTION]... [FILE]...`. */
  readonly usage: string;
  /** The description and the notes. */
  readonly paragraphs: readonly string[];
  readonly sections: readonly Section[];
}

export function describeCommand(command: Command): Reference {
  const { name, description, operands, commands = [], notes = [], examples, exitCodes } = command;
  const headings = new Map<string, [string, string][]>();
  for (const [name, summary, , heading] of commands) {
    headings.set(heading, [...(headings.get(heading) ?? []), [name, summary]]);
  }
  const groups = new Map<string, [string, string][]>();
  const values = new Map<string, string>();
  const required: string[] = [];
  for (const [flag, option] of listOptions(command)) {
    const { group = 'General', help, choices, examples = choices, isRequired } = option;
    const { shownValues = examples?.join(', ') } = option;
    const rows = groups.get(group) ?? [];
    groups.set(group, [...rows, [spellOption(flag, option), `${help}${spellDefault(option)}`]]);
    if (isRequired) required.push(`--${flag} ${option.value}`);
    // Options with the same values share a row.
    const key = shownValues;
    if (key) values.set(key, `${values.has(key) ? `${values.get(key)}, ` : ''}--${flag}`);
  }
  const general = { 2: 'invalid command line', 3: 'input or output failed' };
  const sections: Section[] = [
    ...headings,
    ...groups,
    ['Values', Array.from(values, ([list, flags]) => [flags, list])],
    ['Examples', examples.map(([args, purpose]) => [`utf8 ${name} ${args}`, purpose])],
    ['Exit codes', Object.entries({ ...general, ...exitCodes })],
  ];
  return {
    usage: ['utf8', name, ...required, '[OPTION]...', operands].filter(Boolean).join(' '),
    paragraphs: [description, ...notes],
    sections: sections.filter(([, rows]) => rows.length > 0),
  };
}

function spellDefault({
  default: usual,
  shownDefault = usual,
  isRequired,
}: Options[string]): string {
  if (isRequired) return ' [required]';
  return shownDefault === undefined ? '' : ` [default: ${shownDefault}]`;
}
