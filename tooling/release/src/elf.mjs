/** Programs of Linux on 64 bits: the parts that linkers and debuggers need, and loaders do not. */

/** Offsets in the header of the file. */
const file = { sections: 0x28, sectionSize: 0x3a, sectionCount: 0x3c, names: 0x3e };

/** Offsets in the header of a section. */
const section = { name: 0, type: 4, flags: 8, offset: 24, size: 32, link: 40, info: 44 };
const HEADER_SIZE = 64;

const STRING_TABLE = 3;
/** A section of zeros, which take no room in the file. */
const NO_BITS = 8;
const ALLOCATED = 0x2n;
const INFO_IS_LINK = 0x40n;

/**
 * Removes symbols and debugging information, as `strip` does. Ours writes the same bytes everywhere; those of
 * binutils depend on its version.
 *
 * @param {Uint8Array} elf - A little-endian ELF file for 64 bits.
 * @returns {Uint8Array} The file with those sections alone that are in memory when it runs.
 */
export function strip(elf) {
  const view = new DataView(elf.buffer, elf.byteOffset, elf.byteLength);
  if (view.getUint32(0) !== 0x7f454c46 || elf[4] !== 2 || elf[5] !== 1) {
    throw new Error('not a little-endian ELF file for 64 bits');
  }
  const start = Number(view.getBigUint64(file.sections, true));
  const count = view.getUint16(file.sectionCount, true);
  if (view.getUint16(file.sectionSize, true) !== HEADER_SIZE) throw new Error('unknown headers');
  const headers = Array.from(
    { length: count },
    (_, i) => new DataView(elf.buffer, elf.byteOffset + start + i * HEADER_SIZE, HEADER_SIZE),
  );
  /** @param {DataView} header */
  const offsetOf = (header) => Number(header.getBigUint64(section.offset, true));
  const nameTable = /** @type {DataView} */ (headers[view.getUint16(file.names, true)]);
  const names = elf.subarray(offsetOf(nameTable));
  /** @param {DataView} header */
  const nameOf = (header) => {
    const at = header.getUint32(section.name, true);
    return names.subarray(at, names.indexOf(0, at) + 1);
  };

  // The first header is that of no section.
  const kept = headers.filter(
    (header, i) => i === 0 || header.getBigUint64(section.flags, true) & ALLOCATED,
  );
  const indexes = new Map(kept.map((header, i) => [headers.indexOf(header), i]));
  const end = Math.max(
    ...kept.map((header) => {
      const isEmpty = header.getUint32(section.type, true) === NO_BITS;
      return offsetOf(header) + (isEmpty ? 0 : Number(header.getBigUint64(section.size, true)));
    }),
  );

  const newNames = Buffer.concat([...kept.map(nameOf), Buffer.from('.shstrtab\0')]);
  const newStart = Math.ceil((end + newNames.length) / 8) * 8;
  const result = new Uint8Array(newStart + (kept.length + 1) * HEADER_SIZE);
  result.set(elf.subarray(0, end));
  result.set(newNames, end);

  let nameAt = 0;
  for (const [i, header] of kept.entries()) {
    const at = newStart + i * HEADER_SIZE;
    result.set(new Uint8Array(header.buffer, header.byteOffset, HEADER_SIZE), at);
    const copy = new DataView(result.buffer, at, HEADER_SIZE);
    copy.setUint32(section.name, nameAt, true);
    nameAt += nameOf(header).length;
    renumber(copy, section.link);
    if (header.getBigUint64(section.flags, true) & INFO_IS_LINK) renumber(copy, section.info);
  }
  const last = new DataView(result.buffer, newStart + kept.length * HEADER_SIZE, HEADER_SIZE);
  last.setUint32(section.name, nameAt, true);
  last.setUint32(section.type, STRING_TABLE, true);
  last.setBigUint64(section.offset, BigInt(end), true);
  last.setBigUint64(section.size, BigInt(newNames.length), true);
  last.setBigUint64(48, 1n, true); // its alignment

  const head = new DataView(result.buffer);
  head.setBigUint64(file.sections, BigInt(newStart), true);
  head.setUint16(file.sectionCount, kept.length + 1, true);
  head.setUint16(file.names, kept.length, true);
  return result;

  /**
   * @param {DataView} header
   * @param {number} at
   */
  function renumber(header, at) {
    header.setUint32(at, indexes.get(header.getUint32(at, true)) ?? 0, true);
  }
}
