/** Single changes of a module's tables and constants. */

const SECTIONS = { code: 10, data: 11 };

/**
 * Lists the places of the bytes of tables and constants in a module: those of its data segments, and in its code
 * those of constant vectors and of shuffles.
 *
 * @param {Uint8Array<ArrayBuffer>} wasm
 * @returns {{ tables: number[], constants: number[] }} Indices of bytes.
 */
export function listConstants(wasm) {
  const found = { tables: [], constants: [] };
  for (const { id, from, to } of listSections(wasm)) {
    if (id === SECTIONS.data) found.tables.push(...listData(wasm, from));
    if (id !== SECTIONS.code) continue;
    for (let i = from; i < to; i++) {
      // v128.const and i8x16.shuffle, each with 16 bytes.
      if (wasm[i] !== 0xfd || (wasm[i + 1] !== 0x0c && wasm[i + 1] !== 0x0d)) continue;
      for (let k = 2; k < 18; k++) found.constants.push(i + k);
      i += 17;
    }
  }
  return found;
}

/** The module with another byte at an index. */
export function change(wasm, index, byte) {
  const changed = wasm.slice();
  changed[index] = byte;
  return changed;
}

function* listSections(wasm) {
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at];
    const [size, from] = readLength(wasm, at + 1);
    yield { id, from, to: from + size };
    at = from + size;
  }
}

/** Active segments: a zero, `i32.const`, the place, an end, and the bytes. */
function listData(wasm, from) {
  const indices = [];
  let [count, at] = readLength(wasm, from);
  for (; count > 0; count--) {
    [, at] = readLength(wasm, at + 2);
    const [size, start] = readLength(wasm, at + 1);
    for (let i = 0; i < size; i++) indices.push(start + i);
    at = start + size;
  }
  return indices;
}

/** A number in LEB128, and the index after it. */
function readLength(wasm, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = wasm[at++];
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value, at];
  }
}
