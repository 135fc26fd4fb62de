import { checkText } from '../argument/refuse.js';
import type { Codec } from '../codec/codec.js';
import { EncodeError, isSurrogate } from '../fault/error.js';
import type { Fault } from '../fault/fault.js';
import { checkPolicy, type ErrorPolicy, substitute } from '../fault/policy.js';
import { formatHex } from '../grammar/format.js';
import { type Engine, engineFor } from '../read/engine.js';
import { findSpelling } from '../read/spelling.js';
import { allocate, ByteSink, CountingSink } from './byte-sink.js';
import type { EncodeWay } from './way.js';

/**
 * Encodes a text from the index `from` on: by rows, one character after the other, with a way that runs
 * ahead as far as it comes.
 *
 * @param base - Where in its stream the text begins, in UTF-16 code units; error offsets count from there.
 */
export function encodeInto(
  sink: ByteSink,
  engine: Engine,
  text: string,
  policy: ErrorPolicy,
  base: number,
  way: EncodeWay | undefined,
  from = 0,
): void {
  const { length } = text;
  const advance = way?.advance(engine, text, sink);
  for (let i = from; ; ) {
    if (advance) i = advance(i, length);
    if (i >= length) return;
    i += encodeCharacter(sink, engine, text, i, policy, base);
  }
}

/** Encodes one character by the rows, and returns how many UTF-16 code units it has. */
function encodeCharacter(
  sink: ByteSink,
  engine: Engine,
  text: string,
  at: number,
  policy: ErrorPolicy,
  base: number,
): number {
  const codePoint = text.codePointAt(at) as number;
  if (engine.isAscii(codePoint)) {
    sink.push(codePoint);
    return 1;
  }
  const spelling = findSpelling(engine.prepared.spellings, codePoint);
  if (spelling && engine.isText(codePoint)) sink.spell(spelling, codePoint);
  else substituteCodePoint(sink, engine, policy, base + at, codePoint);
  return codePoint > 0xffff ? 2 : 1;
}

/**
 * Appends what stands for a code point that the encoding does not contain.
 *
 * @throws {@link EncodeError} under `strict`, and if the encoding does not contain the policy's own text.
 */
export function substituteCodePoint(
  sink: ByteSink,
  engine: Engine,
  policy: ErrorPolicy,
  offset: number,
  codePoint: number,
): void {
  const byte = codePoint - 0xdc00;
  if (policy === 'surrogateescape' && isEscapable(engine, byte)) {
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
    throw new EncodeError(engine.name, offset, codePoint);
  };
  const text = substitute(policy, fault, () => spellGenerally(codePoint), {
    strict: fail,
    surrogateescape: fail,
    backslashreplace: () =>
      `\\${isLone ? 'u' : 'U'}${formatHex(codePoint, isLone ? 4 : 8).toLowerCase()}`,
  });
  encodeInto(sink, engine, text, 'strict', offset, undefined);
}

/** Spells a surrogate, or a code point above U+FFFF, in the general form of UTF-8. */
function spellGenerally(codePoint: number): Uint8Array {
  const [lead, shifts] =
    codePoint > 0xffff ? [0xf0, [18, 12, 6, 0]] : ([0xe0, [12, 6, 0]] as const);
  return Uint8Array.from(
    shifts.map((shift, i) => (i ? 0x80 : lead) | ((codePoint >> shift) & 0b11_1111)),
  );
}

/** Tells whether `surrogateescape` escapes a byte: one from 80 on, or one that is refused even alone. */
export function isEscapable({ prepared }: Engine, byte: number): boolean {
  return prepared.leads[byte]?.every(({ length }) => byte >= 0x80 || length > 1) ?? false;
}

/** Makes a sink in a kernel's scratch, except for a user's function, which may itself use that. */
export function createSink(
  engine: Engine,
  policy: ErrorPolicy,
  length: number,
  way: EncodeWay | undefined,
): ByteSink {
  const scratch = typeof policy === 'function' ? undefined : way?.findScratch(engine, length);
  return new ByteSink(scratch?.bytes ?? allocate(length * engine.packed.growth));
}

export function createEncode(engine: Engine, way?: EncodeWay): Codec['encode'] {
  const encode: Codec['encode'] = (text, options) => {
    checkText(text);
    const policy = checkPolicy(options);
    const sink = createSink(engine, policy, text.length, way);
    encodeInto(sink, engineFor(engine, policy), text, policy, 0, way);
    return sink.finish();
  };
  return way?.createEncode(engine, encode) ?? encode;
}

export function createByteLength(engine: Engine, way?: EncodeWay): Codec['byteLength'] {
  return (text, options) => {
    checkText(text);
    const policy = checkPolicy(options);
    const { memory } = createSink(engine, policy, Math.min(text.length, 4096), way);
    const sink = new CountingSink(memory);
    encodeInto(sink, engineFor(engine, policy), text, policy, 0, way);
    return sink.total;
  };
}
