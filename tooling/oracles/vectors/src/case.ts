/** A case before anything is computed: its name, its bytes, and what it shows. */
export interface Case {
  /** `group/name`, in lower case. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** One line. */
  readonly shows: string;
}

/**
 * Reads cases, one a line: `name | C0 80 | What it shows`.
 *
 * @throws SyntaxError where a line is none.
 */
export function group(name: string, text: string): Case[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, last, digits = '', shows = ''] =
        /^([a-z\d-]+)\s*\|((?:\s*[\dA-F]{2})*)\s*\|\s*(\S.*)$/.exec(line) ?? [];
      if (!last) throw new SyntaxError(`No case: ${line}`);
      return { id: `${name}/${last}`, bytes: fromHex(digits), shows };
    });
}

/** Bytes of hexadecimal digits, with or without spaces. */
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(Buffer.from(digits.replaceAll(' ', ''), 'hex'));

/** Hexadecimal digits in lower case, without spaces. */
export const toHex = (bytes: Iterable<number>): string =>
  Buffer.from(Uint8Array.from(bytes)).toString('hex');
