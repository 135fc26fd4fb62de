/** The functions of a module that answer a question: tried on every byte at every place of two blocks and more. */

const PLACES = 140;
const SPACE = 0x20;

/**
 * Compares the answers of a module with the rows.
 *
 * @param {Uint8Array<ArrayBuffer>} wasm
 * @param {readonly import('./subjects.mjs').Sequence[]} written The sequences that the codec writes.
 * @returns {string | undefined} The first difference.
 */
export function findWrongAnswer(wasm, written) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {});
  const { memory, INPUT, OUTPUT } = exports;
  const input = new Uint8Array(memory.buffer, INPUT.value, PLACES + 64);
  const ask = (name, length) => exports[name](INPUT.value, length, OUTPUT.value);
  const isPlain = (byte) =>
    written.some(
      ({ codePoint, ranges: [first, second] }) =>
        !second && first.first <= byte && byte <= first.last && codePoint === first.first,
    );
  const hasFour = written.some(({ ranges }) => ranges.length === 4);
  const answers = {
    // A lead of four bytes, or 00 where U+0000 is written otherwise, means something else.
    isShared: (byte) => (byte < 0x80 ? isPlain(byte) : byte < 0xf0 || hasFour),
    decodeShort: (byte) => isPlain(byte),
  };
  for (let length = 1; length < PLACES; length++) {
    for (let at = 0; at < length; at++) {
      for (const byte of at === length - 1 || length % 64 === 1 ? everyByte() : EDGES) {
        for (const [name, expect] of Object.entries(answers)) {
          if (!exports[name]) continue;
          input.fill(SPACE);
          input[at] = byte;
          const answer = ask(name, length);
          const isYes = name === 'decodeShort' ? answer === -1 : answer !== 0;
          if (isYes !== expect(byte)) return `${name}: ${byte} at ${at} of ${length}: ${answer}`;
          if (name === 'decodeShort' && !isYes) {
            const wrong = findWrongText(exports, input, length, at, answer);
            if (wrong) return wrong;
          }
        }
      }
    }
  }
  return undefined;
}

const EDGES = [0, 1, 0x7f, 0x80, 0xbf, 0xc0, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff];

const everyByte = () => Array.from({ length: 256 }, (_, byte) => byte);

/**
 * Finds a wrong result of validation and decoding of text that is not ASCII; before an error, some bytes are
 * well-formed.
 */
function findWrongText({ validate, decode, INPUT, OUTPUT }, input, length, at, answer) {
  input.fill(SPACE, length);
  const isValid = validate(INPUT.value, length) === length;
  const isRight = isValid
    ? answer === decode(INPUT.value, length, OUTPUT.value)
    : answer <= -2 && -2 - answer <= at;
  return isRight ? undefined : `decodeShort of ${length} bytes: ${answer}`;
}
