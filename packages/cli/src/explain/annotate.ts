/** Sequences as `utf8 explain` prints them: in columns, or as JSON. */
import { formatBytes, formatCodePoint } from '@utf8/core';
import { labels, markerLength, type Sequence } from '@utf8/detect';
import { formatJson } from '../terminal/escape.js';
import type { Style } from '../terminal/style.js';
import { padText, wrap } from '../terminal/wrap.js';
import { showCharacter } from './character.js';
import { listAccepting, type Opinion } from './opinion.js';
import { isBroken, rules } from './rules.js';

/** How many bytes a line has, so that each surrogate of a pair has its own. */
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

/** The lines of a sequence: its columns, and below them what there is to say about it. */
export function formatSequence(
  { form, bytes, offset, codePoint }: Sequence,
  opinions: readonly Opinion[],
  style: Style,
): string[] {
  const { name, sections, says } = rules[form];
  const mark = isBroken(form) ? style.bad : style.good;
  const [section = ''] = sections;
  // After a million bytes there is no room for the section of a well-known rule.
  const isWide = String(offset).length > columns.offset;
  const names = [says || isWide ? mark(name) : `${mark(name)} ${style.weak(section)}`];
  if (form === 'pair') names.push(style.weak(formatUnits(codePoint as number)));
  const lines: string[] = [];
  for (let i = 0; i < bytes.length; i += BYTES) {
    const some = bytes.subarray(i, i + BYTES);
    const character = i === 0 && codePoint !== undefined ? formatCharacter(codePoint) : '';
    const cells = [
      (i === 0 ? String(offset) : '').padStart(columns.offset),
      formatBytes(some).padEnd(columns.bytes),
      padText(formatBits(some, style), columns.bits),
      `${padText(character, columns.character)} ${names[i / BYTES] ?? ''}`,
    ];
    lines.push(cells.join('  ').trimEnd());
  }
  const rule = `${mark(isBroken(form) ? 'breaks' : 'follows')} ${section}: ${says}`;
  if (says) lines.push(...wrap(rule, INDENT, `${INDENT}  `));
  return [...lines, ...formatOpinions(opinions, style)];
}

const formatCharacter = (codePoint: number): string =>
  `${formatCodePoint(codePoint).padEnd(8)} ${showCharacter(codePoint)}`;

/** The two surrogates of a code point above U+FFFF. */
export const formatUnits = (codePoint: number): string =>
  Array.from(String.fromCodePoint(codePoint).split(''), (unit) =>
    unit.charCodeAt(0).toString(16).toUpperCase(),
  ).join(' ');

/** Bytes as bits; the payload is set off from the marker. */
function formatBits(bytes: Uint8Array, style: Style): string {
  return Array.from(bytes, (byte) => {
    const [marker = '', payload = ''] = splitBits(byte);
    if (!style.hasColor) return payload ? `${marker}|${payload}` : marker;
    return style.weak(marker) + (payload ? style.payload(payload) : '');
  }).join(' ');
}

function splitBits(byte: number): string[] {
  const bits = byte.toString(2).padStart(8, '0');
  const length = markerLength(byte);
  return [bits.slice(0, length), bits.slice(length)];
}

/** The variants that accept a sequence, and those that do not; nothing if all accept it. */
function formatOpinions(opinions: readonly Opinion[], style: Style): string[] {
  const accepting = listAccepting(opinions);
  if (accepting.length === opinions.length) return [];
  const refusing = new Map<string, string[]>();
  for (const { label, faults } of opinions) {
    if (faults.length === 0) continue;
    const what = `${listFaults(faults)}; ${faults.length} U+FFFD`;
    refusing.set(what, [...(refusing.get(what) ?? []), label]);
  }
  const format = (sign: string, text: string): string[] =>
    wrap(text, `${INDENT}${sign} `, `${INDENT}  `);
  const lines = Array.from(refusing).flatMap(([what, some]) => {
    const isRest = accepting.length > 0 && refusing.size === 1 && some.length > 2;
    const isAll = opinions.length > 1 && some.length === opinions.length;
    const names = isAll ? 'every variant' : isRest ? 'the others' : some.join(', ');
    return format(style.bad('✗'), `${names}: ${what}`);
  });
  return accepting.length > 0
    ? [...format(style.good('✓'), accepting.join(', ')), ...lines]
    : lines;
}

/** Such as `overlong at 1, unexpected-continuation at 2`. */
function listFaults(faults: Opinion['faults']): string {
  const places = new Map<string, number[]>();
  for (const { reason, offset } of faults) {
    places.set(reason, [...(places.get(reason) ?? []), offset]);
  }
  return Array.from(places, ([reason, at]) => `${reason} at ${formatOffsets(at)}`).join(', ');
}

/** Numbers in order; consecutive ones as a range: `1 3-6`. */
export function formatOffsets(offsets: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const offset of offsets) {
    const range = ranges.at(-1);
    if (range && range[1] === offset - 1) range[1] = offset;
    else ranges.push([offset, offset]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(' ');
}

/** What is below all sequences. */
export function formatFoot(as: string | undefined, style: Style): string[] {
  const rest = as ? `it is well-formed ${as}` : `all variants accept it: ${labels.join(', ')}`;
  return wrap(`If there is no ✓ and no ✗ below a sequence, ${rest}.`, '').map(style.weak);
}

/** A sequence as JSON in one line. */
export function formatObject(sequence: Sequence, opinions: readonly Opinion[]): string {
  const { form, offset, bytes, codePoint } = sequence;
  const { name, sections, says } = rules[form];
  const variants = opinions.map(({ label, faults }) => {
    return [label, { isWellFormed: faults.length === 0, faults }] as const;
  });
  return formatJson({
    offset,
    length: bytes.length,
    bytes: formatBytes(bytes),
    bits: Array.from(bytes, (byte) => splitBits(byte).filter(Boolean).join('|')).join(' '),
    codePoint: codePoint ?? null,
    character: codePoint === undefined ? null : showCharacter(codePoint) || null,
    form,
    rule: name,
    isBroken: isBroken(form),
    sections,
    says: says ?? null,
    variants: Object.fromEntries(variants),
  });
}
