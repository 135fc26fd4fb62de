/** Formats sequences in columns, each with its explanation below. */
import { formatCodePoint } from '@utf8/core';
import { type Label, labels } from '@utf8/detect';
import { type Explanation, formatCodeUnits, formatOffsets, type Note } from '@utf8/explain';
import type { Style } from '../terminal/style.js';
import { padText, wrap } from '../terminal/wrap.js';

/** Number of bytes in a line, so that each surrogate of a pair has its own line. */
const BYTES = 3;

/** The width of each column. */
const columns = { offset: 6, bytes: 3 * BYTES - 1, bits: 10 * BYTES - 1, character: 12 } as const;

/** Below the bytes. */
const INDENT = ' '.repeat(columns.offset + 2);

/** The headings of the columns. */
export function formatHead({ weak, payload, hasColor }: Style): string {
  const start = weak(`offset  ${'bytes'.padEnd(columns.bytes)}  bits, `);
  const bits = hasColor ? `${payload('payload')}${weak(' marked')}` : 'marker|payload';
  const rest = weak(`${'character'.padEnd(columns.character)} rule`);
  return `${start}${padText(bits, columns.bits - 'bits, '.length)}  ${rest}`;
}

/** Formats a sequence: its columns, and its explanation below them. */
export function formatSequence(explanation: Explanation, style: Style): string[] {
  const { kind, offset, codePoint, rule, isBroken, sections, summary } = explanation;
  const mark = isBroken ? style.bad : style.good;
  const [section = ''] = sections;
  // After a million bytes there is no room for the section of a well-known rule.
  const isWide = String(offset).length > columns.offset;
  const names = [summary || isWide ? mark(rule) : `${mark(rule)} ${style.weak(section)}`];
  if (kind === 'pair') names.push(style.weak(formatCodeUnits(codePoint as number)));
  const bytes = explanation.bytes.split(' ');
  const bits = explanation.bits.split(' ');
  const lines: string[] = [];
  for (let i = 0; i < bytes.length; i += BYTES) {
    const character = i === 0 && codePoint !== null ? formatCharacter(explanation) : '';
    const cells = [
      (i === 0 ? String(offset) : '').padStart(columns.offset),
      bytes
        .slice(i, i + BYTES)
        .join(' ')
        .padEnd(columns.bytes),
      padText(formatBits(bits.slice(i, i + BYTES), style), columns.bits),
      `${padText(character, columns.character)} ${names[i / BYTES] ?? ''}`,
    ];
    lines.push(cells.join('  ').trimEnd());
  }
  const sentence = `${mark(isBroken ? 'breaks' : 'follows')} ${section}: ${summary}`;
  if (summary) lines.push(...wrap(sentence, INDENT, `${INDENT}  `));
  return [...lines, ...formatVariants(explanation, style)];
}

const formatCharacter = ({ codePoint, character }: Explanation): string =>
  `${formatCodePoint(codePoint as number).padEnd(8)} ${character ?? ''}`;

/** Bytes as bits; the payload is set off from the marker. */
function formatBits(bits: readonly string[], style: Style): string {
  if (!style.hasColor) return bits.join(' ');
  return bits
    .map((byte) => {
      const [marker = '', payload = ''] = byte.split('|');
      return style.weak(marker) + (payload ? style.payload(payload) : '');
    })
    .join(' ');
}

/** The variants that accept a sequence, and those that do not; nothing if all accept it. */
function formatVariants({ variants }: Explanation, style: Style): string[] {
  const results = Object.entries(variants);
  const accepting = results.filter(([, { isWellFormed }]) => isWellFormed).map(([label]) => label);
  if (accepting.length === results.length) return [];
  const refusing = new Map<string, string[]>();
  for (const [label, { faults }] of results) {
    if (faults.length === 0) continue;
    const what = `${listFaults(faults)}; ${faults.length} U+FFFD`;
    refusing.set(what, [...(refusing.get(what) ?? []), label]);
  }
  const format = (sign: string, text: string): string[] =>
    wrap(text, `${INDENT}${sign} `, `${INDENT}  `);
  const lines = Array.from(refusing).flatMap(([what, some]) => {
    const isRest = accepting.length > 0 && refusing.size === 1 && some.length > 2;
    const isAll = results.length > 1 && some.length === results.length;
    const names = isAll ? 'every variant' : isRest ? 'the others' : some.join(', ');
    return format(style.bad('✗'), `${names}: ${what}`);
  });
  return accepting.length > 0
    ? [...format(style.good('✓'), accepting.join(', ')), ...lines]
    : lines;
}

/** Formats faults as `overlong at 1, unexpected-continuation at 2`. */
function listFaults(faults: Explanation['variants'][Label]['faults']): string {
  const places = new Map<string, number[]>();
  for (const { reason, offset } of faults) {
    places.set(reason, [...(places.get(reason) ?? []), offset]);
  }
  return Array.from(places, ([reason, at]) => `${reason} at ${formatOffsets(at)}`).join(', ');
}

/** The lines of a note. */
export function formatNote({ title, isBroken, paragraphs }: Note, style: Style): string[] {
  const mark = isBroken ? style.bad : style.title;
  return ['', mark(title), ...paragraphs.flatMap((paragraph) => wrap(paragraph, '  '))];
}

/** Formats the line below all sequences. */
export function formatFoot(as: string | undefined, style: Style): string[] {
  const rest = as ? `it is well-formed ${as}` : `all variants accept it: ${labels.join(', ')}`;
  return wrap(`If there is no ✓ and no ✗ below a sequence, ${rest}.`, '').map(style.weak);
}
