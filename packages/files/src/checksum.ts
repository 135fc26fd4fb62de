/** CRC-32 of bytes, or of the UTF-8 form of a string. zlib needs 1.5 ms to load, so that comes late. */
export const checksum = (data: Uint8Array | string, before = 0): number =>
  process.getBuiltinModule('node:zlib').crc32(data, before);

/** Formats a checksum as eight hex digits. */
export const toHex = (number: number): string => number.toString(16).padStart(8, '0');
