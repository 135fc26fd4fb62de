/** A case without expectations. */
export interface Case {
  /** `group/name`, in lower case. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** The purpose of the case in one line. */
  readonly description: string;
}

/**
 * Parses cases, one a line: `name | C0 80 | Description`.
 *
 * @throws SyntaxError if a line has another format.
 */
export function group(name: string, text: string): Case[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, last, digits = '', description = ''] =
        /^([a-z\d-]+)\s*\|((?:\s*[\dA-F]{2})*)\s*\|\s*(\S.*)$/.exec(line) ?? [];
      if (!last) throw new SyntaxError(`not a case: ${line}`);
      return { id: `${name}/${last}`, bytes: fromHex(digits), description };
    });
}

/** Parses hexadecimal digits, with or without spaces. */
export const fromHex = (digits: string): Uint8Array =>
  Uint8Array.from(Buffer.from(digits.replaceAll(' ', ''), 'hex'));

/** Formats bytes as hexadecimal digits in lower case, without spaces. */
export const toHex = (bytes: Iterable<number>): string =>
  Buffer.from(Uint8Array.from(bytes)).toString('hex');
