/** The tables of a grammar in a form that people can check against the standard. */
import { formatRow, type Grammar } from '@utf8/core';
import { type Automaton, type ByteRole, deriveAutomaton, deriveByteMap } from '@utf8/core/internal';

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

/** Rows, byte classes and transitions. A state is numbered; `·` is rejection, `0` start and acceptance. */
export function printTables(name: string, grammar: Grammar): string {
  const automaton = deriveAutomaton(grammar);
  return [
    `${name}: ${grammar.domain}`,
    '',
    ...[...grammar.rows, ...grammar.refused].map((row) => `  ${formatRow(row)}`),
    '',
    ...printClasses(automaton),
    '',
    ...printTransitions(automaton),
    '',
  ].join('\n');
}

/** Rows by letter, and what each of the 256 bytes is: the high digit goes down, the low one across. */
export function printByteMap(name: string, grammar: Grammar): string {
  const letter = (row: number): string => String.fromCodePoint(0x41 + row);
  const cell = ({ leads, isTrail }: ByteRole): string =>
    (leads.map(letter).join('') + (isTrail ? '~' : '') || '·').padStart(3);
  const map = deriveByteMap(grammar);
  const digits = Array.from({ length: 16 }, (_, digit) => digit.toString(16).toUpperCase());
  return [
    `${name}: ${grammar.domain}`,
    '',
    ...grammar.rows.map((row, i) => `  ${letter(i)}  ${formatRow(row)}`),
    ...grammar.refused.map((row) => `     ${formatRow(row)}`),
    '',
    '  a letter: leads that row; ~: stands after a lead; ·: never occurs',
    '',
    `     ${digits.map((digit) => `_${digit}`.padStart(3)).join('')}`,
    ...digits.map(
      (digit, i) =>
        `  ${digit}_ ${map
          .slice(i * 16, (i + 1) * 16)
          .map(cell)
          .join('')}`,
    ),
    '',
  ].join('\n');
}

function printClasses({ classes, width }: Automaton): string[] {
  return Array.from({ length: width }, (_, column) => {
    const ranges: string[] = [];
    for (let byte = 0; byte < 256; byte++) {
      if (classes[byte] !== column) continue;
      const first = byte;
      while (byte < 255 && classes[byte + 1] === column) byte++;
      ranges.push(first === byte ? hex(first) : `${hex(first)}-${hex(byte)}`);
    }
    return `  class ${String(column).padStart(2)}: ${ranges.join(' ')}`;
  });
}

function printTransitions({ transitions, width, reject }: Automaton): string[] {
  const cell = (value: number): string =>
    (value === reject ? '·' : String(value / width)).padStart(3);
  const columns = Array.from({ length: width }, (_, column) => String(column).padStart(3)).join('');
  const rows = Array.from({ length: transitions.length / width }, (_, state) => {
    const cells = Array.from(transitions.subarray(state * width, (state + 1) * width), cell);
    return state * width === reject ? '' : `  state ${String(state).padStart(2)}:${cells.join('')}`;
  });
  return [`           ${columns}`, ...rows.filter(Boolean)];
}
