/** The data of ICU inside of Node; 19 MB of it are locales. */

/** Follows a header's length and two magic numbers, and the length, byte order and size of its fields. */
const signature = Buffer.from('CmnD');

/** A locale, such as `zone/de_AT.res`, and its language. Data of no language has longer names. */
const locale = /^(?:\w+\/)?([a-z]{2,3})(?:_\w*)?\.res$/;

/**
 * Removes the locales of all languages except English, in place: their bytes become 0, and their names go.
 * ICU falls back to its root locale, as in a Node that is built with `--with-intl=small-icu`.
 *
 * @param {Uint8Array} program - A program with ICU's data in it.
 * @returns {number} How many bytes of data became 0.
 */
export function removeLocales(program) {
  const bytes = Buffer.from(program.buffer, program.byteOffset, program.byteLength);
  const start = findData(bytes);
  const count = bytes.readUInt32LE(start);
  const entries = Array.from({ length: count }, (_, i) => {
    const at = start + 4 + 8 * i;
    const nameAt = start + bytes.readUInt32LE(at);
    // Each name begins with that of the package, such as icudt78l.
    const name = bytes.toString('latin1', nameAt, bytes.indexOf(0, nameAt)).replace(/^\w+\//, '');
    return {
      entry: Buffer.from(bytes.subarray(at, at + 8)),
      language: locale.exec(name)?.[1],
      from: start + bytes.readUInt32LE(at + 4),
      // Of the last one, only the beginning is known.
      to: i + 1 < count ? start + bytes.readUInt32LE(at + 12) : 0,
    };
  });
  let removed = 0;
  const kept = entries.filter(({ language, from, to }) => {
    if (language === undefined || language === 'en') return true;
    if (to > from) removed += bytes.fill(0, from, to) && to - from;
    return false;
  });
  bytes.writeUInt32LE(kept.length, start);
  for (const [i, { entry }] of kept.entries()) entry.copy(bytes, start + 4 + 8 * i);
  return removed;
}

/**
 * Finds the table of contents.
 *
 * @param {Buffer} bytes
 */
function findData(bytes) {
  for (let at = bytes.indexOf(signature); at !== -1; at = bytes.indexOf(signature, at + 1)) {
    const header = at - 12;
    if (bytes[header + 2] === 0xda && bytes[header + 3] === 0x27) {
      return header + bytes.readUInt16LE(header);
    }
  }
  throw new Error('this program has no data of ICU in it');
}
