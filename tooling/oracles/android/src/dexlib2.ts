/** DEX files as lines of text, by dexlib2 and by ours. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DexFile, DexMember } from '@utf8/classfile/dex';
import { inFolder, runJava } from './tools.js';

/** Strings and uses as dexlib2 finds them, sorted. */
export function askDexlib2(file: Uint8Array): string[] {
  return inFolder((folder) => {
    const input = path.join(folder, 'classes.dex');
    writeFileSync(input, file);
    return runJava('Uses.java', input).toString('utf8').trimEnd().split('\n').sort();
  });
}

/** Ours, in the same form. */
export function printDex(file: DexFile): string[] {
  return [...printStrings(file), ...printUses(file)].sort();
}

function* printStrings({ strings }: DexFile): Generator<string> {
  for (const { index, string } of strings) yield `string\t${index}\t${toHex(string)}`;
}

/** @param isWhole - Whether to print identifiers, and who calls call sites, too. */
export function* printUses(file: DexFile, isWhole = true): Generator<string> {
  for (const use of file.uses()) {
    const { kind, className, member, line, annotation, bootstrap, id, string } = use;
    if (!isWhole && className === undefined) continue;
    const callers = bootstrap?.callers.map(
      (caller) => `${caller.className} ${printMember(caller.member)} ${caller.line ?? ''}`,
    );
    const fields = [
      className ?? '',
      printMember(member),
      line ?? '',
      annotation?.type ?? '',
      annotation?.path ?? '',
      bootstrap?.method ?? '',
      bootstrap?.argument ?? '',
      callers?.join(',') ?? '',
      id ? `${id.section} ${id.index}` : '',
      toHex(string.string),
    ];
    yield ['use', kind, ...fields].join('\t');
  }
}

const printMember = (member: DexMember | undefined): string =>
  member ? `${member.type} ${member.name} ${member.descriptor}` : '';

function toHex(text: string): string {
  let digits = '';
  for (let i = 0; i < text.length; i++) {
    digits += text.charCodeAt(i).toString(16).padStart(4, '0');
  }
  return digits;
}

/** The lines that two sorted lists do not share, a few of each: enough to see what is wrong. */
export function compareLines(ours: readonly string[], theirs: readonly string[]): string[] {
  const differences: string[] = [];
  for (let i = 0, j = 0; (i < ours.length || j < theirs.length) && differences.length < 10; ) {
    const [a, b] = [ours[i], theirs[j]];
    if (a === b) {
      i++;
      j++;
    } else if (b === undefined || (a !== undefined && a < b)) {
      differences.push(`ours: ${a}`);
      i++;
    } else {
      differences.push(`theirs: ${b}`);
      j++;
    }
  }
  return differences;
}
