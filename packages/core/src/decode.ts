import { type Bytes, describe, toUint8Array } from './bytes.js';
import type { Codec, DecodeOptions } from './codec.js';
import { describeFault, isUndecided } from './diagnosis.js';
import { type Engine, engineFor, registerEngine } from './engine.js';
import type { Progress } from './kernel.js';
import { asksReason, checkPolicy, type ErrorPolicy, mendBytes } from './policy.js';
import { takeText, unitScratch, WINDOW } from './scratch.js';

/** Where decoded text goes: {@link append} is told of code units in the scratch, or of a text. */
interface TextSink {
  appendUnits(length: number): void;
  append(text: string): void;
}

const progress: Progress = { read: 0, written: 0 };

/**
 * Decodes `bytes` from the index `from` on, in windows: the kernel as far as it comes, then the state
 * machine for what stopped it.
 *
 * @param base - Where in its stream the input begins, in bytes; fault offsets count from there.
 * @param isLast - False where more input follows, so that a sequence cut by the end is no fault yet.
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
): number {
  const { kernel } = engine;
  const target = unitScratch();
  let i = from;
  while (i < bytes.length) {
    kernel.decode(bytes, i, Math.min(i + WINDOW, bytes.length), target, progress);
    if (progress.read > i) {
      i = progress.read;
      sink.appendUnits(progress.written);
      continue;
    }
    const fault = describeFault(engine, bytes, i, base);
    if (!isLast && isUndecided(engine, bytes, i, fault, asksReason(policy))) break;
    const faulty = bytes.subarray(i, i + fault.length);
    sink.append(mendBytes(engine.name, policy, fault, faulty));
    i += fault.length;
  }
  return i;
}

/** Gathers a string. */
export class StringSink implements TextSink {
  text = '';

  appendUnits(length: number): void {
    this.append(takeText(length));
  }

  append(text: string): void {
    try {
      this.text += text;
    } catch (cause) {
      throw new RangeError(
        'The text is longer than a JavaScript string can be; decode it in pieces with Decoder or DecoderStream.',
        { cause },
      );
    }
  }
}

class LengthSink implements TextSink {
  length = 0;

  appendUnits(length: number): void {
    this.length += length;
  }

  append(text: string): void {
    this.length += text.length;
  }
}

/** Whether the input begins with a byte order mark, as the encoding spells it. */
export function startsWithBom({ bom }: Engine, bytes: Uint8Array): boolean {
  return bytes.length >= bom.length && bom.every((byte, i) => bytes[i] === byte);
}

/** How many bytes to pass over at the start. */
export function bomLength(engine: Engine, bytes: Uint8Array, bom: DecodeOptions['bom']): number {
  if (bom === undefined || bom === 'keep') return 0;
  if (bom !== 'strip')
    throw new TypeError(`The option bom is keep or strip; got ${describe(bom)}.`);
  return startsWithBom(engine, bytes) ? engine.bom.length : 0;
}

function decodeAll<Sink extends TextSink>(
  sink: Sink,
  engine: Engine,
  input: Bytes,
  options?: DecodeOptions,
): Sink {
  const policy = checkPolicy(options?.errors, 'strict');
  const bytes = toUint8Array(input);
  const start = bomLength(engine, bytes, options?.bom);
  decodeInto(sink, engineFor(engine, policy), bytes, start, policy, 0, true);
  return sink;
}

export function createDecode(engine: Engine): Codec['decode'] {
  const decode: Codec['decode'] = (bytes, options) =>
    decodeAll(new StringSink(), engine, bytes, options).text;
  registerEngine(decode, engine);
  return decode;
}

export function createDecodedLength(engine: Engine): Codec['decodedLength'] {
  return (bytes, options) => decodeAll(new LengthSink(), engine, bytes, options).length;
}
