/** The 256 byte values of an encoding, as a table in HTML. */
import { formatCodePoint, type Grammar } from '@utf8/core';
import { deriveByteMap } from '@utf8/core/internal';
import { grammar as utf8 } from '@utf8/strict';

const roles = {
  one: 'a character of one byte',
  trail: 'a trail byte',
  two: 'a lead of two bytes',
  three: 'a lead of three bytes',
  four: 'a lead of four bytes',
  more: 'a lead of five or six bytes',
  never: 'never occurs',
} as const;

type Role = keyof typeof roles;

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

type Row = Grammar['rows'][number];

const rowsOf = ({ rows }: Grammar, leads: readonly number[]): Row[] =>
  leads.map((i) => rows[i] as Row);

/** Writes the bytes that may follow a lead. */
const followers = (rows: readonly Row[]): string =>
  JSON.stringify(rows.map(({ units }) => units.map((unit) => unit.slice(1))));

export function drawByteMap(grammar: Grammar): string {
  const map = deriveByteMap(grammar);
  const strict = deriveByteMap(utf8);
  const special = map.map(({ leads }, byte) => {
    const [rows, others] = [rowsOf(grammar, leads), rowsOf(utf8, strict[byte]?.leads ?? [])];
    return rows.length > 0 && followers(rows) !== followers(others);
  });
  const cells = map.map(({ leads, isTrail }, byte): [Role, string] => {
    const rows = rowsOf(grammar, leads);
    const lengths = rows.map(({ units }) => units[0]?.length ?? 0);
    const role = roleOf(lengths, isTrail);
    const [first] = rows;
    const starts = first
      ? `, from ${formatCodePoint(Math.min(...rows.map((row) => row.first)))}`
      : '';
    const difference = special[byte] ? '; more or other bytes follow than in UTF-8' : '';
    return [role, `${hex(byte)}: ${roles[role]}${role === 'trail' ? '' : starts}${difference}`];
  });
  const lines = Array.from({ length: 16 }, (_, high) => {
    const line = cells.slice(16 * high, 16 * high + 16).map(([role, title], low) => {
      const byte = 16 * high + low;
      const mark = special[byte] ? ' special' : '';
      return `<td class="${role}${mark}" title="${title}">${hex(byte)}</td>`;
    });
    return `<tr><th scope="row">${hex(16 * high)}</th>${line.join('')}</tr>`;
  });
  const heads = Array.from(
    { length: 16 },
    (_, low) => `<th scope="col">${low.toString(16).toUpperCase()}</th>`,
  );
  const used = (Object.keys(roles) as Role[]).filter((role) =>
    cells.some(([each]) => each === role),
  );
  const key = [
    ...used.map((role) => `<span class="${role}">${roles[role]}</span>`),
    ...(special.includes(true) ? ['<span class="special">not as in UTF-8</span>'] : []),
  ].join('');
  return [
    `<div class="byte-key">${key}</div>`,
    '<table class="byte-map" tabindex="0" aria-label="Byte map">',
    `<thead><tr><td></td>${heads.join('')}</tr></thead>`,
    `<tbody>${lines.join('')}</tbody>`,
    '</table>',
  ].join('\n');
}

function roleOf(lengths: readonly number[], isTrail: boolean): Role {
  const length = Math.max(0, ...lengths);
  if (length === 0) return isTrail ? 'trail' : 'never';
  return (['one', 'two', 'three', 'four'] as const)[length - 1] ?? 'more';
}
