/** Android's files as we read them, as lines of text in the form in which others print them. */
import type { DexFile, DexMember } from '@utf8/classfile/dex';
import type { ResourceFile } from '@utf8/classfile/resources';

/** Strings and uses of a DEX file, in the form of `askDexlib2`. */
export function printDex(file: DexFile): string[] {
  return [...printStrings(file), ...printUses(file)].sort();
}

function* printStrings({ strings }: DexFile): Generator<string> {
  for (const { index, string } of strings) yield `string\t${index}\t${toHex(string)}`;
}

/** @param isWhole - True to print identifiers and the callers of call sites, too. */
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

/** Values of a table that are strings, in the form of `listValues` of aapt.ts. */
export function printValues(file: ResourceFile): string[] {
  const values: string[] = [];
  for (const { kind, resource, string } of file.uses()) {
    if (kind !== 'value' || !resource) continue;
    const { id, type, name, configuration, item } = resource;
    const shown = `${formatId(id)} ${resource.package}:${type}/${name}`;
    // The output of aapt for a text ends at U+0000.
    const [text = ''] = string.string.split('\0');
    const key = item === undefined ? '' : formatId(item);
    values.push([shown, configuration, key, JSON.stringify(text)].join(' '));
  }
  return values.sort();
}

const formatId = (id: number): string => id.toString(16).padStart(8, '0');

/** Elements and attributes of a document, in the form of `listTree` of aapt.ts. */
export function printTree(file: ResourceFile): string[] {
  const found: string[] = [];
  let last = -1;
  for (const { kind, xml, string, offset } of file.uses()) {
    if (kind === 'element' && xml?.element !== undefined)
      found.push(`E: ${string.string} ${xml.line}`);
    // An attribute that is a string has it twice: as it was written, and as its value.
    const isTwice = kind === 'value' && last === offset - 8;
    if (kind === 'value') last = isTwice ? -1 : offset;
    if (isTwice) found.push(`A: ${xml?.attribute} ${string.string}`);
  }
  return found;
}

/** Returns a few of the lines that two sorted lists do not share: enough to see the problem. */
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
