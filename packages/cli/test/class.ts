/** Class files made by hand: literals, and as little as a class can have around them. */

const u2 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};

const utf8 = (bytes: Uint8Array): Buffer[] => [Buffer.of(1), u2(bytes.length), Buffer.from(bytes)];

/** A string as it is in a class file: three bytes for each surrogate, `C0 80` for U+0000. */
export function spell(text: string): Buffer {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0 && unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }
  return Buffer.from(bytes);
}

/**
 * A class. Its pool has the name at 1, that of the superclass at 3, and the literals at 5, 7, 9, …
 *
 * @param literals - What they are, or how they are spelled.
 * @param version - 61 for Java 17.
 */
export function makeClass(
  name: string,
  literals: readonly (string | Uint8Array)[],
  version = 61,
): Buffer {
  const pool: Buffer[] = [];
  let count = 1;
  for (const text of [name, 'java/lang/Object']) {
    pool.push(...utf8(spell(text)), Buffer.of(7), u2(count));
    count += 2;
  }
  for (const literal of literals) {
    const bytes = typeof literal === 'string' ? spell(literal) : literal;
    pool.push(...utf8(bytes), Buffer.of(8), u2(count));
    count += 2;
  }
  return Buffer.concat([
    Buffer.from('cafebabe', 'hex'),
    u2(0),
    u2(version),
    u2(count),
    ...pool,
    // Flags, the class, its superclass; no interfaces, fields, methods and attributes.
    ...[0x21, 2, 4, 0, 0, 0, 0].map(u2),
  ]);
}
