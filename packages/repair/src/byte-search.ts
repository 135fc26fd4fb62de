import { nodeBuffer } from './node-buffer.js';

/** Node's search, 30 times as fast on 1 MiB as that of `Uint8Array`; undefined elsewhere. */
const native = nodeBuffer?.prototype.indexOf;

/** Finds a byte, and returns its index; -1 if there is none. */
export const indexOfByte = (bytes: Uint8Array, byte: number, from: number): number =>
  native ? native.call(bytes, byte, from) : bytes.indexOf(byte, from);

/** Finds a run of bytes, at least one, and returns its index; -1 if there is none. */
export function indexOfRun(bytes: Uint8Array, run: Uint8Array, from: number): number {
  const first = run[0] as number;
  if (native) return native.call(bytes, run.length === 1 ? first : run, from);
  let i = bytes.indexOf(first, from);
  while (i !== -1 && !isAt(bytes, run, i)) i = bytes.indexOf(first, i + 1);
  return i;
}

/** Tells whether a run of bytes begins at an index. */
export function isAt(bytes: Uint8Array, run: Uint8Array, index: number): boolean {
  for (let i = 0; i < run.length; i++) if (bytes[index + i] !== run[i]) return false;
  return true;
}
