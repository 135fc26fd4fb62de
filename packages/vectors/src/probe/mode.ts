/** Finds the treatment of malformed bytes by a reader. */

/** Added to a byte of output that is not UTF-8; the sum is less than any code point. */
export const RAW: number = -256;

/** Tells whether a number is a code point of Unicode. */
export const isCodePoint = (value: number): boolean => value >= 0 && value <= 0x10ffff;

/** A treatment of malformed bytes. */
export type ModeName =
  | 'refuses'
  | 'replaces'
  | 'drops'
  | 'stops'
  | 'escapes'
  | 'surrogateescape'
  | 'windows-1252'
  | 'latin-1'
  | 'passes on';

export interface Mode {
  readonly name: ModeName;
  readonly words: string;
  /** The replacement of every fault, in words. */
  readonly replacement?: string;
  /** Returns the replacement of a fault; undefined if the input is refused. */
  readonly render?: (fault: Uint8Array) => readonly number[];
}

const WINDOWS_1252 = Array.from(
  '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ',
  (character) => character.codePointAt(0) as number,
);

const toText = (text: readonly number[]): string =>
  text
    .map((value) => (isCodePoint(value) ? String.fromCodePoint(value) : `[${value.toString(16)}]`))
    .join('');

const toNumbers = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) as number);

const perByte =
  (render: (byte: number) => readonly number[]) =>
  (fault: Uint8Array): number[] =>
    Array.from(fault).flatMap((byte) => [...render(byte)]);

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

export const refusal: Mode = { name: 'refuses', words: 'refuses malformed input' };

const stop: Mode = {
  name: 'stops',
  words: 'stops at the first malformed byte, and reports success',
  render: () => [],
};

/**
 * Finds the treatment of malformed bytes.
 *
 * @param ff - The answer to `61 FF 62`; undefined for a refusal.
 * @param trail - The answer to `61 80 62`.
 */
export function findMode(
  ff: readonly number[] | undefined,
  trail: readonly number[] | undefined,
): Mode {
  if (!ff) return refusal;
  if (ff.join() === '97') return stop;
  const between = (text: readonly number[]): readonly number[] =>
    text.slice(1, text.at(-1) === 0x62 ? -1 : undefined);
  const forFF = between(ff);
  const forTrail = trail ? between(trail) : [];
  const is = (one: number, other: number): boolean =>
    forFF.join() === `${one}` && forTrail.join() === `${other}`;
  if (forFF.length === 0)
    return { name: 'drops', words: 'drops malformed bytes', render: () => [] };
  if (is(RAW + 0xff, RAW + 0x80)) {
    return {
      name: 'passes on',
      words: 'passes malformed bytes on unchanged',
      render: perByte((byte) => [RAW + byte]),
    };
  }
  if (is(0xdcff, 0xdc80)) {
    return {
      name: 'surrogateescape',
      words: 'escapes malformed bytes as U+DC80 to U+DCFF (PEP 383)',
      render: perByte((byte) => [0xdc00 + byte]),
    };
  }
  if (is(0xff, 0x20ac)) {
    return {
      name: 'windows-1252',
      words: 'reads malformed bytes as Windows-1252',
      render: perByte((byte) => [WINDOWS_1252[byte - 0x80] ?? byte]),
    };
  }
  if (is(0xff, 0x80)) {
    return {
      name: 'latin-1',
      words: 'reads malformed bytes as ISO 8859-1',
      render: perByte((byte) => [byte]),
    };
  }
  const [one, other] = [toText(forFF), toText(forTrail)];
  for (const format of [hex, (byte: number): string => hex(byte).toUpperCase(), String]) {
    if (!one.includes(format(0xff)) || other !== one.replaceAll(format(0xff), format(0x80)))
      continue;
    return {
      name: 'escapes',
      words: `escapes malformed bytes: ${one} for FF`,
      render: perByte((byte) => toNumbers(one.replaceAll(format(0xff), format(byte)))),
    };
  }
  const name = one === '\ufffd' ? 'U+FFFD' : JSON.stringify(one);
  const words = `replaces malformed bytes with ${name}`;
  return { name: 'replaces', words, replacement: name, render: () => forFF };
}
