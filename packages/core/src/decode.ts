import { type Bytes, lengthOf, toUint8Array } from './argument/bytes.js';
import { refuse } from './argument/check.js';
import type { Codec } from './codec/codec.js';
import type { DecodeOptions } from './codec/options.js';
import { type Encoding, encodingFor } from './encoding.js';
import type { Kernel } from './fast/kernel.js';
import { LOOP_WINDOW, SHORT_TEXT } from './fast/limits.js';
import type { Loops, Progress } from './fast/loops.js';
import { findScratch, readText, TextSink } from './fast/text.js';
import { createAdvance } from './fast/windows.js';
import { isUndecided } from './fault/describe.js';
import { checkPolicy, type ErrorPolicy, needsReason, resolveFault } from './fault/policy.js';

const progress: Progress = { read: 0, written: 0 };

/** Names of {@link DecodeOptions}. */
export const DECODE_OPTIONS: readonly string[] = ['errors', 'bom'];

/**
 * Decodes `bytes` from the index `from` on: kernel and loops convert as much as they can, and rows read the
 * character that stops them.
 *
 * @param base - Offset of the input in its stream, in bytes; fault offsets count from there.
 * @param isLast - False if more input follows, so that a sequence cut by the end is not a fault yet.
 * @returns The index up to which the input was decoded.
 */
export function decodeInto(
  sink: TextSink<Kernel>,
  encoding: Encoding,
  bytes: Uint8Array,
  from: number,
  policy: ErrorPolicy,
  base: number,
  isLast: boolean,
): number {
  const { length } = bytes;
  const { kernel } = sink;
  const { loops, packed } = encoding;
  const advance = createAdvance(kernel, loops, packed.longest, (converter, from, to) => {
    if (converter === kernel) return kernel.decodeInto(sink, bytes, from, to);
    sink.reserve(to - from);
    const { codeUnits } = sink.scratch;
    (converter as Loops).decode(bytes, from, to, codeUnits, sink.length, progress);
    sink.length = progress.written;
    return progress.read;
  });
  for (let i = from; ; ) {
    i = advance(i, length);
    if (i >= length) return i;
    const { codePoint, length: size, isCut } = encoding.read(bytes, i);
    if (encoding.isText(codePoint)) {
      if (isCut && !isLast) return i;
      sink.append(String.fromCodePoint(codePoint));
      i += size;
      continue;
    }
    if (!isLast && isUndecided(encoding, bytes, i, needsReason(policy))) return i;
    // A user's function may itself use the scratch.
    if (typeof policy === 'function') sink.flush();
    const { text, next } = resolveFault(encoding, policy, bytes, i, base);
    sink.append(text);
    i = next;
  }
}

/** Measures the byte order mark at the start of the input, in bytes. */
export function measureBom(encoding: Encoding, bytes: Uint8Array): number {
  const { codePoint, length } = encoding.read(bytes, 0);
  return codePoint === 0xfeff ? length : 0;
}

/** Tells whether an option drops a byte order mark. */
export function stripsBom(bom: DecodeOptions['bom'] = 'keep'): boolean {
  if (bom === 'keep') return false;
  return bom === 'strip' || refuse('keep or strip', bom);
}

/** Creates a sink for the text of an input of about this size, in bytes. */
export const createTextSink = ({ kernel }: Encoding, size: number): TextSink<Kernel> =>
  new TextSink(kernel, size);

export function createDecode(encoding: Encoding): Codec['decode'] {
  const { kernel, loops } = encoding;
  const decode: Codec['decode'] = (input, options) => {
    const policy = checkPolicy(options, DECODE_OPTIONS);
    const strips = options !== undefined && stripsBom(options.bom);
    progress.read = 0;
    progress.written = 0;
    if (!strips && policy !== 'surrogateescape' && input instanceof Uint8Array) {
      const length = lengthOf(input);
      if (kernel && length > SHORT_TEXT) {
        const text = kernel.decodeWhole(input, length, progress);
        if (text !== undefined) return text;
      } else if (loops && length <= LOOP_WINDOW) {
        const scratch = findScratch(kernel, length);
        loops.decode(input, 0, length, scratch.codeUnits, 0, progress);
        if (progress.read === length) return readText(kernel, scratch, progress.written);
      }
    }
    return decodeRest(encoding, input, policy, strips);
  };
  encoding.decode ??= decode;
  return decode;
}

/** Decodes an input after the part that `progress` states. */
function decodeRest(
  encoding: Encoding,
  input: Bytes,
  policy: ErrorPolicy,
  strips: boolean,
): string {
  const { read, written } = progress;
  const bytes = toUint8Array(input);
  const sink = createTextSink(encoding, bytes.length);
  sink.length = written;
  const from = strips ? measureBom(encoding, bytes) : read;
  decodeInto(sink, encodingFor(encoding, policy), bytes, from, policy, 0, true);
  return sink.finish();
}
