import { formatBytes, formatCodePoint } from '@utf8/core';
/** Sequences as `utf8 explain` prints them: in columns for people, or as JSON. */
import { labels } from '@utf8/detect';
import { padColumns, showCharacter } from './character.js';
import { type Opinion, takers } from './opinion.js';
import { rules } from './rules.js';
import { markerLength, type Sequence } from './sequence.js';
import type { Style } from './style.js';
import { wrap } from './wrap.js';

/** How many bytes stand in one line. So each half of a pair has a line of its own. */
const BYTES = 3;

/** The width of each column. */
const columns = { offset: 6, bytes: 3 * BYTES - 1, bits: 10 * BYTES - 1, character: 12 } as const;

/** Below the bytes. */
const INDENT = ' '.repeat(columns.offset + 2);

/** The line above all others. */
export function formatHead(style: Style): string {
  const bits = style.hasColor ? `bits, ${style.payload('payload')} marked` : 'bits, marker|payload';
  return `${[
    style.weak('offset'),
    style.weak(padColumns('bytes', columns.bytes)),
    padColumns(style.weak(bits), columns.bits),
    style.weak(`${padColumns('character', columns.character)} rule`),
  ].join('  ')}\n`;
}

/** A sequence in columns, and below what there is to say of it. */
export function formatSequence(
  sequence: Sequence,
  opinions: readonly Opinion[],
  style: Style,
): string {
  const { form, bytes, offset, codePoint } = sequence;
  const rule = rules[form];
  const mark = rule.isBroken ? style.bad : style.good;
  const [section] = rule.sections;
  const isWide = String(offset).length > columns.offset;
  // Behind a million bytes there is no room for the section of a rule that everybody knows.
  const known = isWide ? rule.name : `${rule.name} ${style.weak(section as string)}`;
  const names = [mark(rule.says ? rule.name : known)];
  if (form === 'pair') names.push(style.weak(formatUnits(codePoint as number)));
  let text = '';
  for (let i = 0; i < bytes.length; i += BYTES) {
    const some = bytes.subarray(i, i + BYTES);
    const cells = [
      (i === 0 ? String(offset) : '').padStart(columns.offset),
      formatBytes(some).padEnd(columns.bytes),
      padColumns(formatBits(some, style), columns.bits),
      `${padColumns(i === 0 ? formatCharacter(codePoint) : '', columns.character)} ${names[i / BYTES] ?? ''}`,
    ];
    text += `${cells.join('  ').trimEnd()}\n`;
  }
  if (rule.says) {
    const verb = rule.isBroken ? 'breaks' : 'follows';
    text += wrap(`${mark(verb)} ${section}: ${rule.says}`, INDENT, `${INDENT}  `);
  }
  return text + formatOpinions(opinions, style);
}

function formatCharacter(codePoint: number | undefined): string {
  if (codePoint === undefined) return '';
  return `${formatCodePoint(codePoint).padEnd(8)} ${showCharacter(codePoint)}`;
}

/** The two halves that UTF-16 has for a code point above U+FFFF. */
export function formatUnits(codePoint: number): string {
  const offset = codePoint - 0x10000;
  const halves = [0xd800 + Math.floor(offset / 0x400), 0xdc00 + (offset % 0x400)];
  return halves.map((half) => half.toString(16).toUpperCase()).join(' ');
}

/** Bytes as bits, with what is payload told from what says how to read it. */
function formatBits(bytes: Uint8Array, style: Style): string {
  return Array.from(bytes, (byte) => {
    const [marker, payload] = splitBits(byte);
    if (!style.hasColor) return payload ? `${marker}|${payload}` : marker;
    return style.weak(marker) + (payload ? style.payload(payload) : '');
  }).join(' ');
}

function splitBits(byte: number): readonly [marker: string, payload: string] {
  const bits = byte.toString(2).padStart(8, '0');
  const length = markerLength(byte);
  return [bits.slice(0, length), bits.slice(length)];
}

/** Who takes a sequence and who finds faults in it; nothing where all who are asked take it. */
function formatOpinions(opinions: readonly Opinion[], style: Style): string {
  const taking = takers(opinions);
  if (taking.length === opinions.length) return '';
  let text = '';
  if (taking.length > 0) {
    text += wrap(taking.join(', '), `${INDENT}${style.good('✓')} `, `${INDENT}  `);
  }
  const refusing = new Map<string, string[]>();
  for (const { label, faults } of opinions) {
    if (faults.length === 0) continue;
    const what = `${listFaults(faults)}; ${faults.length} U+FFFD`;
    refusing.set(what, [...(refusing.get(what) ?? []), label]);
  }
  for (const [what, some] of refusing) {
    const who = name(some, taking.length > 0, refusing.size === 1, opinions.length);
    text += wrap(`${who}: ${what}`, `${INDENT}${style.bad('✗')} `, `${INDENT}  `);
  }
  return text;
}

function name(
  some: readonly string[],
  isTaken: boolean,
  isOneGroup: boolean,
  asked: number,
): string {
  if (asked > 1 && some.length === asked) return 'every variant';
  return isTaken && isOneGroup && some.length > 2 ? 'the others' : some.join(', ');
}

/** Such as `overlong at 1, unexpected-continuation at 2`. */
function listFaults(faults: Opinion['faults']): string {
  const places = new Map<string, number[]>();
  for (const { reason, offset } of faults) {
    places.set(reason, [...(places.get(reason) ?? []), offset]);
  }
  const parts = Array.from(places, ([reason, at]) => `${reason} at ${formatOffsets(at)}`);
  return parts.join(', ');
}

/** Numbers in order, those that follow each other as a range: `1 3-6`. */
export function formatOffsets(offsets: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const offset of offsets) {
    const range = ranges.at(-1);
    if (range && range[1] === offset - 1) range[1] = offset;
    else ranges.push([offset, offset]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(' ');
}

/** What stands below all sequences. */
export function formatFoot(as: string | undefined, style: Style): string {
  const who = as ? `it is well-formed ${as}` : `all variants take it: ${labels.join(', ')}`;
  return style.weak(wrap(`Where there is no ✓ and no ✗ below a sequence, ${who}.`, '').trimEnd());
}

/** A sequence as an object, in a line. */
export function formatObject(sequence: Sequence, opinions: readonly Opinion[]): string {
  const { form, offset, bytes, codePoint } = sequence;
  const { name, isBroken, sections, says } = rules[form];
  return `${JSON.stringify({
    offset,
    length: bytes.length,
    bytes: formatBytes(bytes),
    bits: Array.from(bytes, (byte) => splitBits(byte).filter(Boolean).join('|')).join(' '),
    codePoint: codePoint ?? null,
    character: codePoint === undefined ? null : showCharacter(codePoint) || null,
    form,
    rule: name,
    isBroken,
    sections,
    says: says ?? null,
    variants: Object.fromEntries(
      opinions.map(({ label, faults }) => [label, { isWellFormed: faults.length === 0, faults }]),
    ),
  })}\n`;
}
