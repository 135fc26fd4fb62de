/** Uses of strings as lines of text, in the form of peers/Uses.java. */
import { createHash } from 'node:crypto';
import { readUses, type StringKind, type StringUse } from '@utf8/classfile';

/** Lines to compare: everything that the JDK reports about a class, or that ASM reports. */
export type View = (file: Uint8Array) => string[];

/** Kinds of strings in code and of values in annotations, which ASM reports in addition to names of members. */
export const textKinds: readonly StringKind[] = [
  'literal',
  'recipe',
  'switch-label',
  'record-components',
  'lambda',
  'enum-constant',
  'bootstrap-argument',
  'annotation',
  'kotlin-metadata',
  'scala-signature',
];

/** All uses. */
export const viewAll: View = (file) => {
  const lines: string[] = [];
  for (const use of readUses(file)) lines.push(formatUse(use, sortCallers(use)));
  return lines.sort();
};

/**
 * Strings that are loaded, given to bootstrap methods by each of their callers, or in annotations; and what members are
 * called.
 */
export const viewByAsm: View = (file) => {
  const lines: string[] = [];
  const calls = new Set<string>();
  const names = new Set<string>();
  for (const use of readUses(file)) {
    if (textKinds.includes(use.kind)) {
      // ASM passes over constants to which nothing refers, and over bootstrap methods without a caller.
      if (use.constant !== undefined) continue;
      if (use.bootstrap) for (const caller of sortCallers(use)) calls.add(formatUse(use, [caller]));
      else lines.push(formatUse(use, []));
    } else if (isDeclared(use)) {
      names.add(formatUse(use, []));
    }
  }
  return [...lines, ...calls, ...names].sort();
};

/** Tells whether it is the name or the descriptor of a member; variables may have the same one. */
const isDeclared = ({ kind, member, annotation, string }: StringUse): boolean =>
  member !== undefined &&
  annotation === undefined &&
  ((kind === 'name' && member.name === string.string) ||
    (kind === 'descriptor' && member.descriptor === string.string));

export function digestLines(lines: readonly string[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`, 'latin1');
  return hash.digest('hex');
}

const sortCallers = ({ bootstrap }: StringUse): string[] => [
  ...new Set(
    (bootstrap?.callers ?? [])
      .map(({ member, line }) => `${formatMember(member)}:${line ?? ''}`)
      .sort(),
  ),
];

export const formatMember = (member: StringUse['member']): string =>
  member ? `${member.type} ${member.name} ${member.descriptor}` : '';

/** A use as one line. */
function formatUse(use: StringUse, callers: readonly string[]): string {
  const { className, member, kind, line, annotation, bootstrap, constant, string } = use;
  return [
    className,
    formatMember(member),
    kind,
    line ?? '',
    annotation?.type ?? '',
    annotation?.path ?? '',
    bootstrap?.method ?? '',
    bootstrap?.argument ?? '',
    callers.join(','),
    constant ?? '',
    string.string,
  ]
    .map((field) => escapeField(String(field)))
    .join('\t');
}

const escapeField = (text: string): string =>
  text.replace(/[^ -[\]-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
