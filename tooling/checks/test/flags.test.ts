/** Only the command knows flags: libraries name options by the names of their properties. */
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { readPackages } from '../src/packages.js';

/** A flag, such as `--fix-header`, and the short one of the output. */
const FLAG = /(?<![\w-])(?:--[a-z][\w-]*|-o\b)/g;

/** Flags of other programs: mysqldump, zstd and ps. */
const others = ['--hex-blob', '--long', '--tab', '-o'];

/** Lists the texts of a source in which a reader may find a flag: strings, and comments. */
function listTexts(source: string): string[] {
  const texts = source.split('\n').filter((line) => /^\s*(?:\/?\*|\/\/)/.test(line));
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return texts;
}

const libraries = ['dump', 'database', 'files', 'repair'].map((name) => `@utf8/${name}`);

describe('no flag is in a string or a comment of', () => {
  it.each(readPackages('packages').filter(({ name }) => libraries.includes(name)))(
    '$name',
    ({ sources }) => {
      const texts = [...sources.values()].flatMap(listTexts);
      expect(texts.length).toBeGreaterThan(0);
      const found = texts.flatMap((text) => text.match(FLAG) ?? []);
      expect(found.filter((flag) => !others.includes(flag))).toEqual([]);
    },
  );
});
