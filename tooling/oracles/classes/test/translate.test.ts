/**
 * The example of the page about class files, on a program that depends on some of its strings: it runs as before, in
 * other words.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { kinds, readStrings, readUses, type StringUse } from '@utf8/classfile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Jdk, jdks } from '../../src/jdk.js';
import { inFolder } from '../../src/program.js';
import { readClasses } from '../src/folder.js';
import { peers } from '../src/java.js';

type Translate = (
  bytes: Uint8Array,
  lookUp: (text: string) => string,
  onKept?: (use: StringUse) => void,
) => Uint8Array;

const page = new URL('../../../../apps/site/pages/class-files.md', import.meta.url);

/** The example as a module below this package, so that its imports resolve. */
const file = fileURLToPath(
  new URL(`../node_modules/.cache/translate-${process.pid}.mjs`, import.meta.url),
);

let translate: Translate;
beforeAll(async () => {
  const blocks = Array.from(
    readFileSync(page, 'utf8').matchAll(/^```js\n([\s\S]*?)^```/gm),
    ([, code = '']) => code,
  ).filter((code) => code.includes('function translate'));
  expect(blocks.length).toBe(1);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, blocks[0] as string);
  ({ translate } = await import(/* @vite-ignore */ pathToFileURL(file).href));
});
afterAll(() => rmSync(file, { force: true }));

const inputs = ['main', 'Aa', 'BB', 'C'];

const before = `constant, field
main
the first
the second
the third
none
RED label RED
stop
body green GREEN
go
main label main
wait
Point[x=1, name=point]
lambdashape!
unequal
`;

// The parts outside of brackets are names, and arguments of concatenations; and one text that is also a
// label.
const after = `<constant, ><field>
main
<the first>
<the second>
<the third>
<none>
RED< ><label>< >RED
<stop>
<body>< ><green>< >GREEN
<go>
main< ><label>< >main
<wait>
Point[x=1, name=<point>]
<lambda><shape><!>
<unequal>
`;

/** Puts each text between the arguments of a concatenation in brackets. */
const mark = (text: string): string => text.replace(/\P{Cc}+/gu, (part) => `<${part}>`) || '<>';

type Classes = ReadonlyMap<string, Uint8Array>;

const compile = (jdk: Jdk): Classes =>
  inFolder((folder) => {
    jdk.compile([path.join(peers, 'fixture/translated/Program.java')], folder, '-g');
    return readClasses(folder);
  });

const change = (classes: Classes, translateClass: (bytes: Uint8Array) => Uint8Array): Classes =>
  new Map(Array.from(classes, ([name, bytes]) => [name, translateClass(bytes)]));

/** Returns the output of a program. */
const run = (jdk: Jdk, classes: Classes): string =>
  inFolder((folder) => {
    for (const [name, bytes] of classes) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), bytes);
    }
    const options = ['-Xverify:all', '-cp', folder, 'translated.Program', ...inputs];
    return jdk.run('java', options).toString('utf8');
  });

describe.each(jdks.map((jdk) => [jdk.version, jdk] as const))('JDK %s', (_, jdk) => {
  const classes = compile(jdk);

  it('runs the program as it is', () => {
    expect(run(jdk, classes)).toBe(before);
  });

  it('runs it with all of its texts translated', () => {
    const kept: string[] = [];
    const onKept = ({ string }: StringUse): void => void kept.push(string.string);
    const translated = change(classes, (bytes) => translate(bytes, mark, onKept));
    expect(run(jdk, translated)).toBe(after);
    expect(kept).toEqual(['main']);
    expect(() => change(classes, (bytes) => translate(bytes, mark))).toThrow(RangeError);
  });

  it('has each kind of string that is not to be translated in it', () => {
    const uses = [...classes.values()].flatMap((bytes) => [...readUses(bytes)]);
    const loads = kinds.slice(0, kinds.indexOf('bootstrap-argument'));
    expect(uses.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...loads]));
  });

  it('refuses a translation that loses an argument', () => {
    const lose = (text: string) => text.replace('\u0001', '');
    expect(() => change(classes, (bytes) => translate(bytes, lose))).toThrow(/loses an argument/);
  });

  it('leaves names of members as they are', () => {
    const countNames = (file: Uint8Array) =>
      Array.from(readStrings(file)).filter(({ kinds }) => kinds.includes('name')).length;
    for (const bytes of classes.values()) {
      expect(countNames(translate(bytes, mark, () => undefined))).toBe(countNames(bytes));
    }
  });
});
