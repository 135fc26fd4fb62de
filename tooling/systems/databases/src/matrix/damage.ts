/** The texts and blobs that are planted. Bytes are the characters of a string here. */
import { Random } from '@utf8/oracles/interop/random';
import { spellPair } from '../planted.js';
import type { Engine } from './engine.js';

/** A row: its number, from 1, and what decides about its values. */
export interface Place {
  readonly row: number;
  /** Domain of the value: two columns of one domain have the same values. */
  readonly domain: string;
  readonly engine: Engine;
  readonly seed: number;
  /** The most characters (MariaDB) or bytes (PostgreSQL, in SQL_ASCII) of a text. */
  readonly limit: number;
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

const pair = (character: string): string => spellPair(character).toString('latin1');

export const PAIR: string = pair('😀');

const HIGH = '\xed\xa0\xbd';
const LOW = '\xed\xb8\x80';

/** Sequences that no repair can turn into a character. */
const lone = [
  HIGH,
  LOW,
  `${LOW}${HIGH}`,
  `${HIGH}'${LOW}`,
  `${HIGH}\\${LOW}`,
  `${PAIR}${LOW}`,
  `${HIGH}${PAIR}`,
];

/** Texts that MariaDB can store and PostgreSQL cannot. */
const nuls = ['\0', 'a\0b'];

const pairs = ['😀', '\u{10000}', '\u{10ffff}', '\u{20bb7}'].map(pair);

const others = [
  ...[
    "'",
    '"',
    '\\',
    '\n',
    '\t',
    '\r',
    '\x1a',
    '\b',
    '%',
    ',',
    ';',
    '{}',
    '()',
    '--',
    '$$',
    '/*',
    '*/',
  ],
  ...['\\N', "''", "\\'", '\\\\', '=>', '&', '<', 'NULL', "_binary '", '\\x', ' '],
  ...['한글', '\ud7a3', '\ud7ff', '\ue000', '漢', 'ü', '😀', '\u{10ffff}'].map(bytesOf),
];

/** Number of rows with values that can be repaired; later rows must be rejected. */
export const SOUND = 8;

/** A text for a place; of the rows after {@link SOUND} one that cannot be repaired if `isLone`. */
export function createText(place: Place, isLone: boolean): string {
  const { row, engine } = place;
  const text = new Text(place);
  if (row === 1) return text.add(' plain').value;
  if (row === 2) return text.add(PAIR, "'", PAIR, '"', '\\', '\n', PAIR).value;
  if (row === 3) return text.add("'", bytesOf('😀'), PAIR, '\t', '\\').value;
  if (row === 4) return text.add(bytesOf('한'), bytesOf('😀'), "'", '"', '\\').value;
  if (row === 5) return text.add(PAIR, PAIR, bytesOf('\ud7a3'), pair('\u{10ffff}')).value;
  const random = createRandom(place);
  if (isLone) {
    const choices = engine === 'mariadb' ? [...lone, ...nuls] : lone;
    text.add(choices[(row - SOUND - 1) % choices.length] as string, HIGH);
    // If the first does not fit, the second does; no low surrogate follows it.
    return text.add('x').value;
  }
  for (let i = random.below(8); i >= 0; i--)
    text.add(random.pick(random.below(2) ? pairs : others));
  // A blank at the end is lost in CHAR, and a low surrogate would follow nothing.
  return text.add('.').value.replace(/ +$/, '');
}

/** Bytes that are not text, with pairs, quotes and U+0000 in them, or that look like one. */
export function createBlob(place: Place): string {
  const { row } = place;
  const random = createRandom(place);
  const prefix = String.fromCharCode(row);
  if (row === 2) return `${row}${PAIR}'${HIGH}\\`.slice(0, place.limit);
  if (row === 3) return `${row}${PAIR}`.slice(0, place.limit);
  if (row === 4) return `${row}\xff\xfe\x00\x01\xc0\x80`.slice(0, place.limit);
  const parts = [PAIR, '\0', "'", '\\', '"', '\n', '\xff', '\x1a', HIGH, LOW, '\\x', 'ab'];
  let value = prefix;
  for (let i = random.below(9); i >= 0; i--) value += random.pick(parts);
  return value.slice(0, place.limit);
}

function createRandom({ seed, row, domain }: Place): Random {
  let hash = seed;
  for (const character of `${row}.${domain}`) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return new Random(hash);
}

/** A text that begins with the number of its row, and grows as long as there is room. */
class Text {
  value: string;
  readonly #place: Place;
  #room: number;

  constructor(place: Place) {
    this.#place = place;
    this.value = place.row.toString(36);
    this.#room = Math.min(place.limit, 60) - this.value.length;
  }

  add(...parts: readonly string[]): this {
    for (const part of parts) {
      // MariaDB counts a surrogate as a character; PostgreSQL counts bytes in SQL_ASCII.
      const length =
        this.#place.engine === 'postgres'
          ? part.length
          : part.replaceAll(/[\x80-\xbf]/g, '').length;
      if (length > this.#room) continue;
      this.value += part;
      this.#room -= length;
    }
    return this;
  }
}
