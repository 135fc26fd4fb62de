import { toUint8Array } from '../argument/bytes.js';
import { refuse } from '../argument/refuse.js';
import type { Codec, DecodeOptions } from '../codec/codec.js';
import { checkPolicy, type ErrorPolicy } from '../fault/policy.js';
import { isUndecided } from '../read/diagnosis.js';
import { type Engine, engineFor } from '../read/engine.js';
import { resolveFault } from './resolve.js';
import { LengthSink } from './scratch-sink.js';
import { ArraySink, type TextSink } from './text-sink.js';
import type { DecodeWay } from './way.js';

/**
 * Decodes `bytes` from the index `from` on: by rows, one character after the other, with a way that runs
 * ahead as far as it comes.
 *
 * @param base - Where in its stream the input begins, in bytes; fault offsets count from there.
 * @param isLast - False if more input follows, so that a sequence cut by the end is no fault yet.
 * @returns The index up to which the input was decoded.
 */
export function decodeInto(
  sink: TextSink,
  engine: Engine,
  bytes: Uint8Array,
  from: number,
  policy: ErrorPolicy,
  base: number,
  isLast: boolean,
  way: DecodeWay | undefined,
): number {
  const { length } = bytes;
  const advance = way?.advance(engine, bytes, sink);
  for (let i = from; ; ) {
    if (advance) i = advance(i, length);
    if (i >= length) return i;
    const byte = bytes[i] as number;
    if (engine.isAscii(byte)) {
      sink.push(byte);
      i++;
      continue;
    }
    const { codePoint, length: size, isCut } = engine.read(bytes, i);
    if (engine.isText(codePoint)) {
      if (isCut && !isLast) return i;
      if (codePoint > 0xffff) sink.push(0xd7c0 + (codePoint >> 10));
      sink.push(codePoint > 0xffff ? 0xdc00 + (codePoint & 0b11_1111_1111) : codePoint);
      i += size;
      continue;
    }
    if (!isLast && isUndecided(engine, bytes, i, policy)) return i;
    // A user's function may itself use the scratch.
    if (typeof policy === 'function') sink.flush();
    const { text, next } = resolveFault(engine, policy, bytes, i, base);
    sink.append(text);
    i = next;
  }
}

/** Measures the byte order mark that the input begins with, in bytes. */
export function measureBom(engine: Engine, bytes: Uint8Array): number {
  const { codePoint, length } = engine.read(bytes, 0);
  return codePoint === 0xfeff ? length : 0;
}

/** Tells whether a byte order mark is to be dropped. */
export function stripsBom(bom: DecodeOptions['bom'] = 'keep'): boolean {
  if (bom === 'keep') return false;
  return bom === 'strip' || refuse('keep or strip', bom);
}

/** Makes a sink for the text of an input of about this size, in bytes. */
export const createTextSink = (
  engine: Engine,
  size: number,
  way: DecodeWay | undefined,
): TextSink => way?.createSink(engine, size) ?? new ArraySink();

export function createDecode(engine: Engine, way?: DecodeWay): Codec['decode'] {
  const decode: Codec['decode'] = (input, options) => {
    const policy = checkPolicy(options);
    const strips = stripsBom(options?.bom);
    const bytes = toUint8Array(input);
    const from = strips ? measureBom(engine, bytes) : 0;
    const sink = createTextSink(engine, bytes.length, way);
    decodeInto(sink, engineFor(engine, policy), bytes, from, policy, 0, true, way);
    return sink.finish();
  };
  engine.decode = way?.createDecode(engine, decode) ?? decode;
  return engine.decode as Codec['decode'];
}

export function createDecodedLength(engine: Engine, way?: DecodeWay): Codec['decodedLength'] {
  return (input, options) => {
    const policy = checkPolicy(options);
    const strips = stripsBom(options?.bom);
    const bytes = toUint8Array(input);
    const from = strips ? measureBom(engine, bytes) : 0;
    const sink = new LengthSink(engine, bytes.length);
    decodeInto(sink, engineFor(engine, policy), bytes, from, policy, 0, true, way);
    return sink.total;
  };
}
