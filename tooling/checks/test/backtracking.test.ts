/**
 * Regular expressions that a long text makes slow. One that looks for a run of characters at the end of a text
 * tries each place in each run: a megabyte of spaces takes minutes. A lookbehind for another character
 * before it, `(?<! ) +$`, tries each run once.
 */
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { readPackages } from '../src/packages.js';

/** Expressions that only see short text in any file. */
const bounded: ReadonlySet<string> = new Set([
  // The last bytes before a string or a line, and the words of a line that was found.
  '/\\bunistr\\s*\\(\\s*$/i',
  '/[,:[{]\\s*$/',
  '/(?:^|[\\s;])-- due to errors\\s*$/',
]);

/** The regular expressions of a source. */
function listExpressions(source: string): string[] {
  const found: string[] = [];
  // Parsing takes a hundred times as long.
  if (!/[+*]\$/.test(source)) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return found;
}

/** A run at the end, which may begin anywhere. */
const isSlow = (expression: string): boolean =>
  splitAlternatives(expression.slice(1, expression.lastIndexOf('/'))).some(
    (part) => /[+*]\$$/.test(part) && !part.startsWith('^') && !part.startsWith('(?<!'),
  );

/** Splits at each `|` that is in no group and in no class. */
function splitAlternatives(pattern: string): string[] {
  const parts = [''];
  let depth = 0;
  let inClass = false;
  for (const [token] of pattern.matchAll(/\\.|[\s\S]/g)) {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (!inClass && token === '(') depth++;
    else if (!inClass && token === ')') depth--;
    if (token === '|' && depth === 0 && !inClass) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

it('knows what is slow', () => {
  for (const slow of ['/ +$/', '/^a|[\\s,]+$/g', '/;?\\s*$/', '/[\\s\'"]+$/']) {
    expect(isSlow(slow), slow).toBe(true);
  }
  for (const fast of ['/^ +$/', '/(?<! ) +$/', '/ +/', '/a|b$/'])
    expect(isSlow(fast), fast).toBe(false);
});

it('no regular expression of a package takes quadratic time at the end of a text', () => {
  const slow = readPackages('packages').flatMap(({ name, sources }) =>
    [...sources].flatMap(([file, source]) =>
      listExpressions(source)
        .filter((expression) => isSlow(expression) && !bounded.has(expression))
        .map((expression) => `${path.posix.join(name, file)}: ${expression}`),
    ),
  );
  expect(slow).toEqual([]);
});
