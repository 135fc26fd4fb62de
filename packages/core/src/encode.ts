import type { OwnBytes } from './argument/bytes.js';
import { checkText } from './argument/check.js';
import type { Codec } from './codec/codec.js';
import { type Encoding, encodingFor } from './encoding.js';
import { encodeAscii } from './fast/ascii.js';
import { SHORT_TEXT } from './fast/limits.js';
import type { Progress } from './fast/loops.js';
import { findKernel, findScratch } from './fast/text.js';
import { type Advance, createAdvance } from './fast/windows.js';
import { EncodeError, isSurrogate } from './fault/error.js';
import type { Fault } from './fault/fault.js';
import { checkPolicy, type ErrorPolicy, substitute } from './fault/policy.js';
import { formatHex } from './grammar/format.js';
import { allocate, ByteSink } from './rows/byte-sink.js';
import { findRow } from './rows/prepared-row.js';

const progress: Progress = { read: 0, written: 0 };

/** Names of `EncodeOptions`. */
export const ENCODE_OPTIONS: readonly string[] = ['errors'];

/** Length of the longest character, in UTF-16 code units. */
const LONGEST = 2;

/**
 * Encodes a text from the index `from` on: kernel and loops convert as much as they can, and rows write the
 * character that stops them.
 *
 * @param base - Offset of the text in its stream, in UTF-16 code units; error offsets count from there.
 */
export function encodeTo(
  sink: ByteSink,
  encoding: Encoding,
  text: string,
  policy: ErrorPolicy,
  base: number,
  from = 0,
): void {
  const { length } = text;
  const advance = createEncodeAdvance(encoding, text, sink);
  for (let i = from; ; ) {
    i = advance(i, length);
    if (i >= length) return;
    const codePoint = text.codePointAt(i) as number;
    const row = findRow(encoding.prepared.written, codePoint);
    if (row && encoding.isText(codePoint)) sink.write(row, codePoint);
    else substituteCodePoint(sink, encoding, policy, base + i, codePoint);
    i += codePoint > 0xffff ? 2 : 1;
  }
}

/**
 * Creates the function that encodes text into a sink, and stops at a code point that the encoding does not
 * contain.
 */
export const createEncodeAdvance = (
  { kernel, loops, packed }: Encoding,
  text: string,
  sink: ByteSink,
): Advance =>
  createAdvance(findKernel(kernel, text.length), loops, LONGEST, (converter, from, to) => {
    // The last character may end one code unit after the window.
    sink.reserve((to - from + 1) * packed.growth);
    converter.encode(text, from, to, sink.memory, sink.length, progress);
    sink.length = progress.written;
    return progress.read;
  });

/**
 * Appends the text that replaces a code point that the encoding does not contain.
 *
 * @throws {@link EncodeError} under `strict`, and if the encoding does not contain the policy's own text.
 */
export function substituteCodePoint(
  sink: ByteSink,
  encoding: Encoding,
  policy: ErrorPolicy,
  offset: number,
  codePoint: number,
): void {
  const byte = codePoint - 0xdc00;
  if (policy === 'surrogateescape' && isEscapable(encoding, byte)) {
    sink.push(byte);
    return;
  }
  const isLone = isSurrogate(codePoint);
  const fault: Fault = {
    offset,
    length: codePoint > 0xffff ? 2 : 1,
    reason: isLone ? 'surrogate' : 'too-large',
    incomplete: false,
  };
  const fail = (): never => {
    throw new EncodeError(encoding.name, offset, codePoint);
  };
  const text = substitute(policy, fault, () => encodeGenerally(codePoint), {
    strict: fail,
    surrogateescape: fail,
    backslashreplace: () =>
      `\\${isLone ? 'u' : 'U'}${formatHex(codePoint, isLone ? 4 : 8).toLowerCase()}`,
  });
  encodeTo(sink, encoding, text, 'strict', offset);
}

/** Encodes a surrogate, or a code point above U+FFFF, in the scheme of UTF-8. */
function encodeGenerally(codePoint: number): Uint8Array {
  const [lead, shifts] =
    codePoint > 0xffff ? [0xf0, [18, 12, 6, 0]] : ([0xe0, [12, 6, 0]] as const);
  return Uint8Array.from(
    shifts.map((shift, i) => (i ? 0x80 : lead) | ((codePoint >> shift) & 0b11_1111)),
  );
}

/**
 * Tells whether `surrogateescape` escapes a byte: a byte from 80 on, or a lower one that is not a whole
 * character.
 */
export function isEscapable({ prepared }: Encoding, byte: number): boolean {
  return prepared.leads[byte]?.every(({ length }) => byte >= 0x80 || length > 1) ?? false;
}

/** Creates a sink in a scratch, or in new memory for a user's function, which may itself use the scratch. */
export function createSink(
  { kernel, packed }: Encoding,
  policy: ErrorPolicy,
  length: number,
): ByteSink {
  const { bytes } = findScratch(kernel, length);
  return new ByteSink(typeof policy === 'function' ? allocate(length * packed.growth) : bytes);
}

export function createEncode(encoding: Encoding): Codec['encode'] {
  return (text, options) => {
    checkText(text);
    const policy = checkPolicy(options, ENCODE_OPTIONS);
    const working = encodingFor(encoding, policy);
    const { kernel, loops, packed } = working;
    const { length } = text;
    progress.read = 0;
    progress.written = 0;
    if (kernel && length > SHORT_TEXT) {
      const bytes = kernel.encodeWhole(text, packed.growth, progress);
      if (bytes) return bytes;
    }
    let { bytes } = findScratch(kernel, length);
    if (loops && !findKernel(kernel, length)) {
      const ascii = encodeAscii(text, packed.firstAscii);
      if (ascii) return ascii;
      const most = length * packed.growth;
      if (most > bytes.length) bytes = allocate(most);
      loops.encode(text, 0, length, bytes, 0, progress);
      if (progress.read === length) return bytes.slice(0, progress.written) as OwnBytes;
    }
    const { read, written } = progress;
    // A user's function may itself use the scratch.
    const sink = new ByteSink(typeof policy === 'function' ? bytes.slice(0, written) : bytes);
    sink.length = written;
    encodeTo(sink, working, text, policy, 0, read);
    return sink.finish();
  };
}
