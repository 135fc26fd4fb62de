/**
 * Yields a file with one byte that is another: inverted, and with its lowest bit flipped.
 *
 * @param most - About how many places are changed; of a longer file, some are left out.
 */
export function* eachWrongByte(file: Uint8Array, most: number): Generator<Buffer> {
  const step = Math.ceil(file.length / most);
  for (let i = 0; i < file.length; i += step) {
    for (const mask of [0xff, 0x01]) {
      const changed = Buffer.from(file);
      changed[i] = (changed[i] as number) ^ mask;
      yield changed;
    }
  }
}
