/** Texts as UTF-16 code units of two bytes, lone surrogates included. */

export const toUnits = (text: string): Buffer => Buffer.from(text, 'utf16le');

export const toText = (units: Uint8Array): string => Buffer.from(units).toString('utf16le');

/** Says a text in hexadecimal digits. */
export const showText = (text: string): string =>
  text
    .split('')
    .map((unit) => unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'))
    .join(' ');

/** Says bytes in hexadecimal digits. */
export const showBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
