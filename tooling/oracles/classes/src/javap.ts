/** Constant pools in the output of `javap -v`. */
import path from 'node:path';
import type { ClassFile, Constant } from '@utf8/classfile';
import type { Jdk } from '../../src/jdk.js';

/** A constant as javap prints it. */
export interface Printed {
  readonly tag: string;
  /** The text after the tag, without the comment; escaped for strings. */
  readonly value: string;
}

/** The constants of a class by index. */
export type PrintedPool = ReadonlyMap<number, Printed>;

/** Runs javap on some classes, and returns its output for each. */
export function printClasses(jdk: Jdk, folder: string, files: readonly string[]): string[] {
  // The encoding of the output has one name up to JDK 17, and another one from 18 on.
  const encoding = ['-J-Dfile.encoding=UTF-8', '-J-Dstdout.encoding=UTF-8'];
  const texts: string[] = [];
  // As many as surely fit on a command line.
  for (let i = 0; i < files.length; i += 200) {
    const block = files.slice(i, i + 200).map((file) => path.join(folder, file));
    const text = jdk.run('javap', [...encoding, '-v', '-p', ...block]).toString('utf8');
    texts.push(...text.split(/^Classfile .*\n/m).slice(1));
  }
  return texts;
}

/** Finds the constants in what javap prints of a class. */
export function parsePool(text: string): PrintedPool {
  const pool = new Map<number, Printed>();
  const [, rest = ''] = text.split(/^Constant pool:\n/m);
  for (const line of rest.split('\n')) {
    const match = /^ *#(\d+) = (\w+)(?: +|$)/.exec(line);
    if (!match) break;
    const [head, index, tag = ''] = match;
    // The tag has 18 columns, and a space after it.
    const start = head.indexOf('= ') + 2 + 19;
    const value = line.slice(start);
    pool.set(Number(index), { tag, value: tag === 'Utf8' ? value : value.replace(/ +\/\/.*/, '') });
  }
  return pool;
}

/** Our constants as javap would print them. */
export function printPool({ constants }: ClassFile): PrintedPool {
  const pool = new Map<number, Printed>();
  for (const constant of constants) {
    if (constant) pool.set(constant.index, { tag: constant.tag, value: printValue(constant) });
  }
  return pool;
}

function printValue(constant: Constant): string {
  switch (constant.tag) {
    case 'Utf8':
      return escapeText(constant.string.string);
    case 'Integer':
      return String(constant.value);
    case 'Long':
      return `${constant.value}l`;
    case 'Float':
    case 'Double':
      return `${printReal(constant.value)}${constant.tag === 'Float' ? 'f' : 'd'}`;
    case 'Class':
    case 'Module':
    case 'Package':
      return `#${constant.nameIndex}`;
    case 'String':
      return `#${constant.stringIndex}`;
    case 'Fieldref':
    case 'Methodref':
    case 'InterfaceMethodref':
      return `#${constant.classIndex}.#${constant.nameAndTypeIndex}`;
    case 'NameAndType':
      return `#${constant.nameIndex}:#${constant.descriptorIndex}`;
    case 'MethodHandle':
      return `${constant.referenceKind}:#${constant.referenceIndex}`;
    case 'MethodType':
      return `#${constant.descriptorIndex}`;
    case 'Dynamic':
    case 'InvokeDynamic':
      return `#${constant.bootstrapMethodAttrIndex}:#${constant.nameAndTypeIndex}`;
  }
}

/** Formats a number as Java does, if it is not a power of ten. */
const printReal = (value: number): string =>
  Number.isInteger(value) ? value.toFixed(1) : String(value);

const escapes: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/** A string as javap prints it: spaces at the end are lost, and lone surrogates in the encoding of its output. */
export function escapeText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what javap escapes
      .replace(/[\u0000-\u001f\u007f-\u009f"'\\]/g, (character) => {
        const code = character.charCodeAt(0).toString(16).padStart(4, '0');
        return escapes[character] ?? `\\u${code}`;
      })
      .replace(/[\ud800-\udfff]/gu, '?')
      .replace(/ +$/, '')
  );
}
