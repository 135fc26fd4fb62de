/** The code units that UTF-16BE bytes hold, lone surrogates included. */
export function readUnits(bytes: Uint8Array): string {
  return Buffer.from(bytes).swap16().toString('utf16le');
}

/** The bytes of hexadecimal digits, which may be separated by spaces. */
export function readHex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
}
