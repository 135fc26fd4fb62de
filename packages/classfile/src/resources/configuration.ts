/** Configurations: the languages, screens and so on that a resource is for. */
import { readU2, readU4 } from '../android/cursor.js';

type Named = readonly (readonly [value: number, name: string])[];

/** A qualifier with a fixed set of names, by its bits in a byte. */
interface Choice {
  readonly at: number;
  readonly mask: number;
  readonly names: Named;
}

const choice = (at: number, mask: number, names: Named): Choice => ({ at, mask, names });

const densities: ReadonlyMap<number, string> = new Map([
  [120, 'ldpi'],
  [160, 'mdpi'],
  [213, 'tvdpi'],
  [240, 'hdpi'],
  [320, 'xhdpi'],
  [480, 'xxhdpi'],
  [640, 'xxxhdpi'],
  [0xfffe, 'anydpi'],
  [0xffff, 'nodpi'],
]);

/** The network code 0, which is not "any". */
const MNC_ZERO = 0xffff;

/** The fields of `ResTable_config`. Fields that an older, shorter structure lacks are 0. */
class Fields {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #size: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    const left = end - start;
    this.#size = left < 4 ? 0 : Math.min(readU4(bytes, start), left);
  }

  u1(at: number): number {
    return at < this.#size ? (this.#bytes[this.#start + at] as number) : 0;
  }

  u2(at: number): number {
    return at + 2 <= this.#size ? readU2(this.#bytes, this.#start + at) : 0;
  }

  /** Reads ASCII up to a 00. */
  text(at: number, length: number): string {
    let text = '';
    for (let i = at; i < at + length && this.u1(i) !== 0; i++) {
      text += String.fromCharCode(this.u1(i));
    }
    return text;
  }

  pick({ at, mask, names }: Choice): string {
    const value = this.u1(at) & mask;
    return names.find(([each]) => each === value)?.[1] ?? '';
  }
}

/** Unpacks two letters, or three of five bits each; digits likewise. */
function unpack(fields: Fields, at: number, base: number): string {
  const first = fields.u1(at);
  const second = fields.u1(at + 1);
  if (first === 0) return '';
  if (first < 0x80) return String.fromCharCode(first, second);
  return String.fromCharCode(
    base + (second & 0x1f),
    base + (second >> 5) + ((first & 0x03) << 3),
    base + ((first & 0x7c) >> 2),
  );
}

/** Prints a locale as folders of resources name it: `de-rAT`, or `b+sr+Latn` if it has a script or variant. */
function printLocale(fields: Fields): string {
  const language = unpack(fields, 8, 0x61);
  if (language === '') return '';
  const region = unpack(fields, 10, 0x30);
  const script = fields.u1(52) === 0 ? fields.text(36, 4) : '';
  const variant = fields.text(40, 8);
  const numbers = fields.text(53, 8);
  if (script + variant + numbers === '') {
    return region === '' ? language : `${language}-r${region}`;
  }
  const parts = ['b', language, script, region, variant].filter((part) => part !== '');
  return parts.join('+') + (numbers === '' ? '' : `+u+nu+${numbers}`);
}

const number = (prefix: string, value: number, suffix = ''): string =>
  value === 0 ? '' : `${prefix}${value}${suffix}`;

const gender = choice(19, 0x03, [
  [1, 'neuter'],
  [2, 'feminine'],
  [3, 'masculine'],
]);
const direction = choice(28, 0xc0, [
  [0x40, 'ldltr'],
  [0x80, 'ldrtl'],
]);

/** Qualifiers between the width and height, and the density. */
const shapes: readonly Choice[] = [
  choice(28, 0x0f, [
    [1, 'small'],
    [2, 'normal'],
    [3, 'large'],
    [4, 'xlarge'],
  ]),
  choice(28, 0x30, [
    [0x10, 'notlong'],
    [0x20, 'long'],
  ]),
  choice(48, 0x03, [
    [1, 'notround'],
    [2, 'round'],
  ]),
  choice(49, 0x03, [
    [1, 'nowidecg'],
    [2, 'widecg'],
  ]),
  choice(49, 0x0c, [
    [4, 'lowdr'],
    [8, 'highdr'],
  ]),
  choice(12, 0xff, [
    [1, 'port'],
    [2, 'land'],
    [3, 'square'],
  ]),
  choice(29, 0x0f, [
    [2, 'desk'],
    [3, 'car'],
    [4, 'television'],
    [5, 'appliance'],
    [6, 'watch'],
    [7, 'vrheadset'],
  ]),
  choice(29, 0x30, [
    [0x10, 'notnight'],
    [0x20, 'night'],
  ]),
];

/** Qualifiers between the density and the size in pixels. */
const inputs: readonly Choice[] = [
  choice(13, 0xff, [
    [1, 'notouch'],
    [2, 'stylus'],
    [3, 'finger'],
  ]),
  choice(18, 0x03, [
    [1, 'keysexposed'],
    [2, 'keyshidden'],
    [3, 'keyssoft'],
  ]),
  choice(16, 0xff, [
    [1, 'nokeys'],
    [2, 'qwerty'],
    [3, '12key'],
  ]),
  choice(18, 0x0c, [
    [4, 'navexposed'],
    [8, 'navhidden'],
  ]),
  choice(17, 0xff, [
    [1, 'nonav'],
    [2, 'dpad'],
    [3, 'trackball'],
    [4, 'wheel'],
  ]),
];

function printDensity(density: number): string {
  return densities.get(density) ?? number('', density, 'dpi');
}

function printSize(width: number, height: number): string {
  return width === 0 && height === 0 ? '' : `${width}x${height}`;
}

function printVersion(sdk: number, minor: number): string {
  if (sdk === 0 && minor === 0) return '';
  return `v${sdk}${number('.', minor)}`;
}

/**
 * Prints a configuration as the name of a folder of resources contains it, such as `de-rAT-sw600dp-v13`;
 * empty for the default.
 *
 * @param start - The offset of the `ResTable_config`, in bytes from the start of the file.
 * @param end - The offset of its latest possible end.
 * @see {@link https://developer.android.com/guide/topics/resources/providing-resources | Table 2}
 */
export function printConfiguration(bytes: Uint8Array, start: number, end: number): string {
  const fields = new Fields(bytes, start, end);
  const mnc = fields.u2(6);
  const qualifiers = [
    number('mcc', fields.u2(4)),
    mnc === MNC_ZERO ? 'mnc00' : number('mnc', mnc),
    printLocale(fields),
    fields.pick(gender),
    fields.pick(direction),
    number('sw', fields.u2(30), 'dp'),
    number('w', fields.u2(32), 'dp'),
    number('h', fields.u2(34), 'dp'),
    ...shapes.map((each) => fields.pick(each)),
    printDensity(fields.u2(14)),
    ...inputs.map((each) => fields.pick(each)),
    printSize(fields.u2(20), fields.u2(22)),
    printVersion(fields.u2(24), fields.u2(26)),
  ];
  return qualifiers.filter((qualifier) => qualifier !== '').join('-');
}
