/** A table before a migration: characters in both encodings, and planted errors. */
import { Random } from '@utf8/oracles/interop/random';

/** Bytes planted in rows that cannot be repaired. */
export const faults = {
  'a lone high half': 'ED A0 BD',
  'a lone low half': 'ED B9 A2',
  'U+0000': '00',
  'U+0000 in two bytes': 'C0 80',
  'an overlong form': 'C1 81',
  'no lead at all': 'FF',
  'a character cut short': 'E2 82',
} as const;

export type FaultName = keyof typeof faults;

/** A row, with texts in the bytes that the source has. */
export interface Row {
  readonly id: number;
  readonly name: Buffer;
  /** Null is SQL's. */
  readonly note: Buffer | null;
  readonly data: Buffer | null;
}

/** A row as it should be in the end. */
export interface Expected {
  readonly id: number;
  readonly name: string;
  readonly note: string | null;
  readonly data: Buffer | null;
}

/** Plan of the planted values. */
export interface Plan {
  readonly seed: number;
  readonly rows: number;
  /** Errors that the source can store. */
  readonly faults: readonly FaultName[];
}

/** The table, and the expected result. */
export interface Planted {
  readonly rows: readonly Row[];
  readonly expected: readonly Expected[];
  /** The rows that are to be rejected. */
  readonly rejected: readonly Row[];
  /** Number of six-byte pairs in all rows. */
  readonly pairs: number;
}

/** One row in so many has a fault. */
const RARITY = 50;

/** Words around which formats have to step, and characters that hasty repairs take for halves. */
const words = [
  'plain',
  "O'Neill",
  '"quoted"',
  'a,b;c|d',
  'tab\there',
  'line\nfeed',
  'carriage\r\nreturn',
  'back\\slash\\',
  '\\N',
  "');--",
  '/* no comment */',
  '$$',
  'Grün',
  '한국어',
  '\ud7a3\ud7ff',
  '\ue000\ue0a0',
  '漢字',
  '\uffee',
  '😀',
  '',
  ' ',
];

const supplementary = [0x10000, 0x1f600, 0x20bb7, 0x100372, 0x10ffff];

/** Generates a table. */
export function plant({ seed, rows: count, faults: names }: Plan): Planted {
  const random = new Random(seed);
  const planted = {
    rows: [] as Row[],
    expected: [] as Expected[],
    rejected: [] as Row[],
    pairs: 0,
  };
  for (let id = 1; id <= count; id++) {
    const name = new Text(random);
    const note = new Text(random);
    const hasFault = random.below(RARITY) === 0;
    if (hasFault && random.below(4) === 0) {
      // Surrogates on both sides of a delimiter are not a pair.
      name.plant('ED A0 BD');
      note.plant('ED B8 80', 0);
    } else if (hasFault) {
      random.pick([name, note]).plant(faults[random.pick(names)]);
    }
    const hasNote = hasFault || random.below(10) > 0;
    const data = random.below(3) === 0 ? null : createBlob(random);
    const row = { id, name: name.source, note: hasNote ? note.source : null, data };
    planted.rows.push(row);
    planted.pairs += name.pairs + (hasNote ? note.pairs : 0);
    if (hasFault) planted.rejected.push(row);
    else planted.expected.push({ id, name: name.text, note: hasNote ? note.text : null, data });
  }
  return planted;
}

/** A text in both forms. */
class Text {
  readonly #parts: { readonly bytes: Buffer; readonly text: string; readonly isPair: boolean }[] =
    [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    for (let i = random.below(6); i > 0; i--) this.#parts.push(createPart(random));
  }

  get source(): Buffer {
    return Buffer.concat(this.#parts.map(({ bytes }) => bytes));
  }

  get text(): string {
    return this.#parts.map(({ text }) => text).join('');
  }

  get pairs(): number {
    return this.#parts.filter(({ isPair }) => isPair).length;
  }

  /** Puts an error after the text, or before a part of it. */
  plant(hex: string, at: number = this.#parts.length): void {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    // A letter, so that truncated sequences and unpaired surrogates stay so.
    const guard = { bytes: Buffer.from('x'), text: 'x', isPair: false };
    const fault = { bytes, text: '', isPair: false };
    this.#parts.splice(at, 0, ...(at === 0 ? [fault, guard] : [guard, fault]));
    if (at > 0 && this.#random.below(2) === 0) this.#parts.push(guard);
  }
}

function createPart(random: Random): { bytes: Buffer; text: string; isPair: boolean } {
  if (random.below(4) > 0) {
    const text = random.pick(words);
    return { bytes: Buffer.from(text), text, isPair: false };
  }
  const text = String.fromCodePoint(random.pick(supplementary));
  const isPair = random.below(3) > 0;
  return { bytes: isPair ? spellPair(text) : Buffer.from(text), text, isPair };
}

/** The six bytes that CESU-8 has for a character above U+FFFF (UTR #26). */
export function spellPair(character: string): Buffer {
  return Buffer.from(
    [0, 1].flatMap((i) => {
      const unit = character.charCodeAt(i);
      return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
    }),
  );
}

/** Bytes that are no text, though there are pairs and quotes among them. */
function createBlob(random: Random): Buffer {
  const parts = Array.from({ length: random.below(4) }, () =>
    random.below(2) === 0
      ? spellPair('😀')
      : Buffer.from([random.below(256), 0x27, 0x5c, 0x00, random.below(256)]),
  );
  return Buffer.concat(parts);
}
