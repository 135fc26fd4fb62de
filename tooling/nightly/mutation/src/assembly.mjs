/**
 * Makes mutants of AssemblyScript, for which there is no tool. TypeScript's parser reads it: what it would
 * complain of, decorators of functions, stands in the tree all the same.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const { SyntaxKind } = ts;

const operators = new Map([
  [SyntaxKind.LessThanToken, ['<=', '>=']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [SyntaxKind.EqualsEqualsToken, ['!=']],
  [SyntaxKind.ExclamationEqualsToken, ['==']],
  [SyntaxKind.PlusToken, ['-']],
  [SyntaxKind.MinusToken, ['+']],
  [SyntaxKind.AsteriskToken, ['+']],
  [SyntaxKind.LessThanLessThanToken, ['>>']],
  [SyntaxKind.GreaterThanGreaterThanToken, ['<<']],
  [SyntaxKind.GreaterThanGreaterThanGreaterThanToken, ['<<']],
  [SyntaxKind.AmpersandToken, ['|']],
  [SyntaxKind.BarToken, ['&']],
  [SyntaxKind.CaretToken, ['|']],
  [SyntaxKind.AmpersandAmpersandToken, ['||']],
  [SyntaxKind.BarBarToken, ['&&']],
  [SyntaxKind.PlusEqualsToken, ['-=']],
  [SyntaxKind.MinusEqualsToken, ['+=']],
]);

/** By the name of an instruction without its lanes. */
const instructions = {
  eq: ['ne'],
  ne: ['eq'],
  lt_u: ['le_u', 'lt_s'],
  lt_s: ['le_s', 'lt_u'],
  le_u: ['lt_u', 'le_s'],
  le_s: ['lt_s', 'le_u'],
  gt_u: ['ge_u', 'gt_s'],
  gt_s: ['ge_s', 'gt_u'],
  ge_u: ['gt_u', 'ge_s'],
  ge_s: ['gt_s', 'ge_u'],
  and: ['or', 'andnot'],
  or: ['and', 'xor'],
  xor: ['or', 'and'],
  andnot: ['and'],
  shl: ['shr_u'],
  shr_u: ['shl', 'shr_s'],
  shr_s: ['shl', 'shr_u'],
  add: ['sub'],
  sub: ['add'],
  sub_sat_u: ['sub', 'sub_sat_s'],
  add_sat_u: ['add', 'add_sat_s'],
  narrow_i16x8_u: ['narrow_i16x8_s'],
  min_u: ['max_u', 'min_s'],
  max_u: ['min_u', 'max_s'],
  any_true: ['all_true'],
  all_true: ['any_true'],
  extend_low_i8x16_u: ['extend_high_i8x16_u', 'extend_low_i8x16_s'],
  extend_high_i8x16_u: ['extend_low_i8x16_u', 'extend_high_i8x16_s'],
};

/** Calls whose first two operands do not commute. */
const ordered = new Set([
  'andnot',
  'sub',
  'sub_sat_u',
  'bitselect',
  'swizzle',
  'shuffle',
  'select',
]);

/** @typedef {import('./instrument.mjs').Mutant & { from: number, to: number }} AssemblyMutant By places in the text too. */

/**
 * Lists the mutants of files.
 *
 * @param {readonly import('./parts.mjs').Part[]} parts
 * @returns {AssemblyMutant[]}
 */
export function listAssemblyMutants(parts) {
  return parts.flatMap(({ file, lines: [first, last] = [1, Infinity] }) =>
    mutate(readFileSync(file, 'utf8'))
      .map((mutant) => ({ file, ...mutant }))
      .filter(({ start, end }) => start.line >= first && end.line <= last),
  );
}

/**
 * Makes the mutants of a source.
 *
 * @param {string} text
 * @returns {Omit<AssemblyMutant, 'file'>[]}
 */
export function mutate(text) {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2022, true);
  const mutants = [];
  const place = (at) => {
    const { line, character } = source.getLineAndCharacterOfPosition(at);
    return { line: line + 1, column: character };
  };
  const replace = (node, replacement) => {
    const [from, to] = [node.getStart(source), node.end];
    mutants.push({ from, to, start: place(from), end: place(to), replacement });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      for (const word of operators.get(node.operatorToken.kind) ?? []) {
        replace(node.operatorToken, word);
      }
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText(source));
    } else if (ts.isNumericLiteral(node)) {
      for (const word of changeNumber(node.getText(source))) replace(node, word);
    } else if (node.kind === SyntaxKind.TrueKeyword) {
      replace(node, 'false');
    } else if (node.kind === SyntaxKind.FalseKeyword) {
      replace(node, 'true');
    } else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      replace(condition, 'true');
      replace(condition, 'false');
    } else if (ts.isWhileStatement(node)) {
      replace(node.expression, 'false');
    } else if (ts.isExpressionStatement(node)) {
      replace(node, '');
    } else if (ts.isCallExpression(node)) {
      changeCall(node);
    }
    ts.forEachChild(node, visit);
  };
  const changeCall = ({ expression, arguments: [first, second] }) => {
    if (!ts.isPropertyAccessExpression(expression)) return;
    const { name } = expression;
    for (const word of instructions[name.text] ?? []) replace(name, word);
    if (first && second && ordered.has(name.text)) {
      const [from, to] = [first.getStart(source), second.end];
      const between = text.slice(first.end, second.getStart(source));
      const replacement = second.getText(source) + between + first.getText(source);
      mutants.push({ from, to, start: place(from), end: place(to), replacement });
    }
  };
  visit(source);
  return mutants;
}

/** One more, one less, and another highest bit. */
function changeNumber(word) {
  const value = Number(word.replaceAll('_', ''));
  if (!Number.isSafeInteger(value) || value > 0x7fff_ffff) return [];
  const highest = value > 0 ? value ^ (1 << (31 - Math.clz32(value))) : 1;
  return [...new Set([value + 1, Math.abs(value - 1), highest])]
    .filter((other) => other !== value)
    .map(String);
}

/**
 * Changes a source.
 *
 * @param {string} text
 * @param {Pick<AssemblyMutant, 'from' | 'to' | 'replacement'>} mutant
 */
export const apply = (text, { from, to, replacement }) =>
  text.slice(0, from) + replacement + text.slice(to);
