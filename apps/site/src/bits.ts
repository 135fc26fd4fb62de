/** The bits of a sequence, drawn: from its bytes to the code point, and on to the bytes of UTF-8. */
import type { Explanation } from '@utf8/explain';

/** A byte, a code unit or a number, and the part that each of its bits has. */
interface Word {
  readonly name: string;
  readonly bits: readonly (readonly [bit: string, part: Part])[];
}

/** Bits of a marker, or bits of the code point by the byte of UTF-8 that they go to. */
type Part = 'marker' | 'surrogate' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f';

const parts = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** Lengths of markers by the number of bytes of a sequence. */
const leadMarkers = [0, 1, 3, 4, 5, 6, 7];

const toBits = (value: number, length: number): string[] =>
  value.toString(2).padStart(length, '0').split('');

const hex = (value: number, length: number): string =>
  value.toString(16).toUpperCase().padStart(length, '0');

/** Names the part of a bit of the code point by the distance from its last bit. */
const partOf = (distance: number, length: number): Part =>
  parts[Math.max(0, length - 1 - Math.floor(distance / 6))] as Part;

/** Number of bytes of UTF-8 as RFC 2279 has it. */
const lengthOf = (codePoint: number): number => {
  const limits = [0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];
  return 1 + limits.filter((limit) => codePoint >= limit).length;
};

/** Cuts a number into the bytes of a sequence of a given length. */
function spell(codePoint: number, length: number): Word[] {
  return Array.from({ length }, (_, i) => {
    const distance = 6 * (length - 1 - i);
    const marker = i > 0 ? 2 : (leadMarkers[length] as number);
    const payload = Math.floor(codePoint / 2 ** distance) % 2 ** (8 - marker);
    const prefix = i > 0 ? '10' : length === 1 ? '0' : `${'1'.repeat(length)}0`;
    const bits = toBits(payload, 8 - marker);
    const byte = Number.parseInt(prefix + bits.join(''), 2);
    return {
      name: hex(byte, 2),
      bits: [
        ...prefix.split('').map((bit) => [bit, 'marker'] as const),
        ...bits.map(
          (bit, j) => [bit, partOf(distance + bits.length - 1 - j, lengthOf(codePoint))] as const,
        ),
      ],
    };
  });
}

/** The parts of the ten bits of a surrogate. */
function partsOfSurrogate(isHigh: boolean): Part[] {
  return Array.from({ length: 10 }, (_, i) => partOf((isHigh ? 19 : 9) - i, 4));
}

function drawUnits(codePoint: number): Word[] {
  return [0, 1].map((i) => {
    const unit = String.fromCodePoint(codePoint).charCodeAt(i);
    const places = partsOfSurrogate(i === 0);
    return {
      name: hex(unit, 4),
      bits: toBits(unit, 16).map(
        (bit, j) => [bit, j < 6 ? 'surrogate' : (places[j - 6] as Part)] as const,
      ),
    };
  });
}

/** The six bytes of a pair: each surrogate in three bytes. */
function drawPair(codePoint: number): Word[] {
  return drawUnits(codePoint).flatMap(({ name, bits }) => {
    const bytes = spell(Number.parseInt(name, 16), 3);
    let at = 0;
    return bytes.map((byte) => ({
      name: byte.name,
      bits: byte.bits.map(([bit, part]) =>
        part === 'marker' ? ([bit, part] as const) : (bits[at++] as Word['bits'][number]),
      ),
    }));
  });
}

function drawNumber(codePoint: number): Word {
  const length = lengthOf(codePoint);
  const bits = toBits(codePoint, Math.max(7, codePoint.toString(2).length));
  return {
    // The first page has it too, without the codecs.
    name: `U+${hex(codePoint, 4)}`,
    bits: bits.map((bit, i) => [bit, partOf(bits.length - 1 - i, length)] as const),
  };
}

/** One line of a drawing. */
type Line = readonly [title: string, words: readonly Word[]];

/**
 * Draws a sequence as HTML.
 *
 * @param input - Name of the line with the bytes of the sequence.
 * @returns Undefined for a sequence without a code point.
 */
export function drawBits(
  { kind, codePoint, length }: Pick<Explanation, 'kind' | 'codePoint' | 'length'>,
  input = 'Input',
): string | undefined {
  if (codePoint === null) return undefined;
  const number: Line = ['Code point', [drawNumber(codePoint)]];
  const shortest: Line = ['UTF-8', spell(codePoint, lengthOf(codePoint))];
  const isScalar = codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
  const lines: Line[] =
    kind === 'pair'
      ? [[input, drawPair(codePoint)], ['UTF-16', drawUnits(codePoint)], number, shortest]
      : kind === 'overlong' || kind === 'modifiedNul'
        ? [[input, spell(codePoint, length)], number, shortest]
        : codePoint > 0xffff && isScalar
          ? [['UTF-16', drawUnits(codePoint)], number, shortest]
          : [number, [isScalar ? 'UTF-8' : input, spell(codePoint, length)]];
  const rows = lines.map(
    ([title, words]) =>
      `<div class="bits-line"><span class="bits-title">${title}</span> ${words.map(writeWord).join(' ')}</div>`,
  );
  const label = lines
    .map(([title, words]) => `${title} ${words.map(({ name }) => name).join(' ')}`)
    .join(', ');
  return `<div class="bits-drawn" role="img" aria-label="${label}">${rows.join('')}</div>`;
}

/** Neighbouring bits of one part are one element. */
function writeWord({ name, bits }: Word): string {
  const runs: [string, Part][] = [];
  for (const [bit, part] of bits) {
    const last = runs.at(-1);
    if (last?.[1] === part) last[0] += bit;
    else runs.push([bit, part]);
  }
  const spans = runs.map(([text, part]) => `<i class="bit-${part}">${text}</i>`);
  return `<span class="bits-word"><b>${name}</b><span>${spans.join('')}</span></span>`;
}
