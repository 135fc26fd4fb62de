/** Inputs for the peers: byte strings and texts that codecs are likely to get wrong. */
import { Random } from './random.js';

/** Makes the bytes of one character, or of something that looks like one. */
type Form = (random: Random) => number[];

/**
 * A number in the scheme of RFC 2279 with the requested number of bytes, even more than it needs,
 * and beyond its six bytes as Perl goes on: 11111110 and six trails, 11111111 and twelve.
 */
function spell(codePoint: number, length: number): number[] {
  if (length === 1) return [codePoint];
  const trails = Array.from({ length: length - 1 }, (_, i) => {
    return 0x80 | (Math.floor(codePoint / 64 ** (length - 2 - i)) % 64);
  });
  const lead = (0xff00 >> Math.min(length, 8)) & 0xff;
  return [lead | Math.floor(codePoint / 64 ** (length - 1)), ...trails];
}

/** A number of a range, its ends more often than the rest. */
function near(random: Random, first: number, last: number): number {
  const distance = random.below(Math.min(4, last - first + 1));
  const kind = random.below(4);
  if (kind === 0) return first + distance;
  if (kind === 1) return last - distance;
  return first + Math.floor((random.below(2 ** 32) / 2 ** 32) * (last - first + 1));
}

const form =
  (first: number, last: number, length: number): Form =>
  (random) =>
    spell(near(random, first, last), length);

const ascii = form(0x01, 0x7f, 1);
const nul = form(0, 0, 1);
const two = form(0x80, 0x7ff, 2);
const three = form(0x800, 0xffff, 3);
const scalar: Form = (random) =>
  spell(random.below(2) ? near(random, 0x800, 0xd7ff) : near(random, 0xe000, 0xffff), 3);
/** Characters whose first byte is that of surrogates. */
const hangul = form(0xd000, 0xd7ff, 3);
const four = form(0x10000, 0x10ffff, 4);
const high = form(0xd800, 0xdbff, 3);
const low = form(0xdc00, 0xdfff, 3);
const pair: Form = (random) => [...high(random), ...low(random)];
const noncharacter: Form = (random) => {
  const plane = random.below(17);
  const codePoint = plane * 0x10000 + random.between(0xfffe, 0xffff);
  return random.below(4) === 0
    ? spell(random.between(0xfdd0, 0xfdef), 3)
    : spell(codePoint, plane ? 4 : 3);
};
const nulInTwo = form(0, 0, 2);
const overlong: Form = (random) => {
  const length = random.between(2, 6);
  const limit = length === 2 ? 0x7f : 2 ** (5 * length - 4) - 1;
  return spell(near(random, 0, limit), length);
};
const beyondUnicode: Form = (random) =>
  random.pick([
    form(0x110000, 0x1fffff, 4),
    form(0x200000, 0x3ffffff, 5),
    form(0x4000000, 0x7fffffff, 6),
  ])(random);
const beyond31Bits: Form = (random) =>
  random.pick([form(2 ** 31, 2 ** 36 - 1, 7), form(2 ** 36, 2 ** 52, 13)])(random);

/** Sets of characters for the texts of the encodings. */
const kinds: readonly (readonly Form[])[] = [
  [ascii, two, scalar, hangul, four],
  [ascii, two, scalar, hangul, pair, pair],
  [ascii, two, three, hangul, pair, high, low, nulInTwo],
  [ascii, two, scalar, hangul, four, high, high, low],
  [ascii, nulInTwo, three, four, high, low, overlong],
  [ascii, nul, two, scalar, four, beyondUnicode, beyondUnicode],
  [ascii, nul, nulInTwo, two, three, overlong, pair],
  [scalar, four, noncharacter],
  [
    ascii,
    nul,
    nulInTwo,
    two,
    three,
    four,
    high,
    low,
    pair,
    noncharacter,
    overlong,
    beyondUnicode,
    beyond31Bits,
  ],
];

/** The bytes at which some encoding of the family draws a line, and those beside them. */
const edges = [
  0x00, 0x01, 0x41, 0x7f, 0x80, 0x81, 0x83, 0x84, 0x87, 0x88, 0x8f, 0x90, 0x9f, 0xa0, 0xaf, 0xb0,
  0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4,
  0xf5, 0xf7, 0xf8, 0xf9, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
];

/** Changes some bytes: writes over, leaves out, puts in, cuts off, says again. */
function mutate(random: Random, bytes: number[]): void {
  for (let count = random.between(1, 3); count > 0; count--) {
    const at = random.below(bytes.length + 1);
    const byte = random.below(2) ? random.pick(edges) : random.below(256);
    const kind = random.below(7);
    if (kind === 0) bytes.splice(at, 0, byte);
    else if (kind === 1) bytes.splice(at, 1);
    else if (kind === 2) bytes.length = at;
    else if (kind === 3) bytes.splice(at, 0, ...bytes.slice(at, at + random.between(1, 4)));
    else if (kind === 4 && at < bytes.length)
      bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
    else bytes.splice(at, 1, byte);
  }
}

/** Byte strings: sound ones of each encoding, mutated ones, and soup. */
export function* generateBytes(seed: number, count: number): Generator<Uint8Array> {
  const random = new Random(seed);
  for (let i = 0; i < count; i++) {
    const kind = random.below(10);
    const bytes: number[] = [];
    if (kind < 2) {
      const choose = kind ? () => random.pick(edges) : () => random.below(256);
      for (let length = random.below(10); length > 0; length--) bytes.push(choose());
    } else {
      const forms = random.pick(kinds);
      for (let length = random.below(6); length > 0; length--) {
        bytes.push(...random.pick(forms)(random));
      }
      if (kind >= 4) mutate(random, bytes);
    }
    // Fast paths read ASCII in blocks, so each sequence must occur at every place in a block, too.
    if (random.below(8) === 0) bytes.unshift(...padding(random));
    if (random.below(8) === 0) bytes.push(...padding(random));
    yield Uint8Array.from(bytes);
  }
}

const padding = (random: Random): number[] =>
  Array.from({ length: random.below(70) }, () => random.between(0x20, 0x7e));

/** Texts as UTF-16BE, lone surrogates included. */
export function* generateTexts(seed: number, count: number): Generator<Uint8Array> {
  const random = new Random(seed);
  for (let i = 0; i < count; i++) {
    const isWhole = random.below(2) === 0;
    const units: number[] = [];
    for (let length = random.below(8); length > 0; length--) {
      const kind = random.below(isWhole ? 5 : 7);
      if (kind === 0) units.push(random.below(0x80));
      else if (kind === 1) units.push(near(random, 0x80, 0x7ff));
      else if (kind === 2) units.push(near(random, 0x800, 0xd7ff));
      else if (kind === 3) units.push(near(random, 0xe000, 0xffff));
      else if (kind === 4) units.push(near(random, 0xd800, 0xdbff), near(random, 0xdc00, 0xdfff));
      else units.push(near(random, 0xd800, 0xdfff));
    }
    yield Uint8Array.from(units.flatMap((unit) => [unit >> 8, unit & 0xff]));
  }
}

/** All byte strings of one and of two bytes. */
export function* shortBytes(): Generator<Uint8Array> {
  for (let first = 0; first < 256; first++) {
    yield Uint8Array.of(first);
    for (let second = 0; second < 256; second++) yield Uint8Array.of(first, second);
  }
}
