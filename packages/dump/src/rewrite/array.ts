/** The commas of an array, some of whose elements are rejected. */
import { COMMA } from '../format/shared/ascii.js';
import { EDIT_WIDTH, type EditList } from './edits.js';

/** Bytes that may precede the first element: blanks, U+FEFF, and the bracket. */
const LEADING = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0x5b]);

/** The output of a segment, and its undo data. */
interface Written {
  readonly output: Uint8Array;
  readonly edits: EditList | undefined;
}

/** Removes the comma before the first element of an output, if there is one. */
export function removeComma({ output, edits }: Written): Written {
  const at = output.findIndex((byte) => !LEADING.has(byte));
  if (output[at] !== COMMA) return { output, edits };
  const shorter = new Uint8Array(output.length - 1);
  shorter.set(output.subarray(0, at));
  shorter.set(output.subarray(at + 1), at);
  return { output: shorter, edits: edits && addEdit(edits, at) };
}

/** Adds the edit that inserts the comma at an index. */
function addEdit({ numbers, originals }: EditList, at: number): EditList {
  let index = 0;
  let before = 0;
  while (index < numbers.length && (numbers[index] as number) <= at) {
    before += numbers[index + 2] as number;
    index += EDIT_WIDTH;
  }
  const rest = numbers.slice(index);
  for (let i = 0; i < rest.length; i += EDIT_WIDTH) rest[i] = (rest[i] as number) - 1;
  return {
    numbers: Float64Array.from([...numbers.subarray(0, index), at, 0, 1, ...rest]),
    originals: Uint8Array.from([
      ...originals.subarray(0, before),
      COMMA,
      ...originals.subarray(before),
    ]),
  };
}
