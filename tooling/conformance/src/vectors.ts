/** Vectors: one JSON object a line, as `vectors/README.md` describes them. */
import { type Codec, DecodeError, EncodeError, transcode } from '@utf8/core';
import { expect } from 'vitest';

/** Input and expected output, from another project's test suite or from ours. */
export interface Vector {
  readonly source: string;
  readonly variant: string;
  readonly op: 'decode' | 'encode' | 'validate' | 'concat';
  readonly policy: string;
  readonly note: string;
  /** Hex: the input of `decode` and `validate`, the result of `encode`. */
  readonly bytes?: string;
  /** UTF-16 code units: the input of `encode`. */
  readonly string?: readonly number[];
  /** Hex: the input as it comes in a stream. */
  readonly chunks?: readonly string[];
  readonly options?: { readonly ignoreBOM?: boolean };
  readonly expect: {
    readonly ok: boolean;
    readonly units?: readonly number[];
    readonly codePoints?: readonly number[];
    readonly errorOffset?: number;
    readonly errorLength?: number;
    readonly reason?: string;
    readonly incomplete?: boolean;
    /** Expected output of a streaming decoder, chunk by chunk. */
    readonly chunkUnits?: readonly (readonly number[])[];
    /** The index of the byte at which a streaming decoder must have failed. */
    readonly detectedAt?: number;
    readonly read?: number;
    readonly destinationLength?: number;
  };
}

/**
 * Vectors that state a rule of their own library, with the standard that decides otherwise. A test
 * fails where one of these no longer differs from what we do.
 */
export const DISAGREEMENTS: readonly { readonly vector: Partial<Vector>; readonly why: string }[] =
  [
    {
      vector: {
        source: 'nodejs/node:test/parallel/test-string-decoder.js',
        chunks: ['f69b', 'd1', ''],
      },
      // TextDecoder in Node 20 agrees with us: two U+FFFD for the first chunk.
      why: 'StringDecoder waits with F6, which begins nothing; WHATWG Encoding, UTF-8 decoder, step 4: anything else is an error at once',
    },
    ...['e0a0', 'e0a000'].map((bytes) => ({
      vector: { source: 'cto-af/wtf8:test/index.test.js', policy: 'replacement:cto', bytes },
      why: 'two U+FFFD for the two bytes E0 A0, which begin a character; Unicode 16.0, section 3.9: a maximal subpart is one',
    })),
  ];

/** The disagreement that a vector is an instance of. */
export const findDisagreement = (vector: Vector): (typeof DISAGREEMENTS)[number] | undefined =>
  DISAGREEMENTS.find(
    ({ vector: part }) => JSON.stringify({ ...vector, ...part }) === JSON.stringify(vector),
  );

const fromHex = (hex = ''): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const toUnits = (text: string): number[] => Array.from(text.split(''), (u) => u.charCodeAt(0));
const fromUnits = (units: readonly number[]): string =>
  units.map((unit) => String.fromCharCode(unit)).join('');

/** Runs one vector on a codec by every name that it concerns. */
export function runVector(codec: Codec, vector: Vector): void {
  if (vector.op === 'encode') encodeVector(codec, vector);
  else decodeVector(codec, vector);
}

function decodeVector(codec: Codec, vector: Vector): void {
  const bytes = fromHex(vector.bytes ?? vector.chunks?.join(''));
  const errors = vector.policy === 'fatal' ? 'strict' : 'replace';
  const { ok, units, codePoints, errorOffset, errorLength, reason, incomplete } = vector.expect;
  if (vector.policy === 'fatal') {
    // Bytes without a string are well-formed all the same.
    expect(codec.isValid(bytes)).toBe(ok);
    const fault = codec.findFault(bytes);
    expect(fault === undefined).toBe(ok);
    if (!ok) expect(() => codec.decode(bytes)).toThrow(DecodeError);
    if (errorOffset !== undefined) expect(fault?.offset).toBe(errorOffset);
    if (errorLength !== undefined) expect(fault?.length).toBe(errorLength);
    if (reason !== undefined) expect(fault?.reason).toBe(reason);
    if (incomplete !== undefined) expect(fault?.incomplete).toBe(incomplete);
  }
  if (!ok) {
    expectSameFault(codec, bytes);
    expectDetected(codec, vector, bytes);
    return;
  }
  if (codePoints) {
    expect(Array.from(codec.decodeCodePoints(bytes, { errors }))).toEqual(codePoints);
    expect(codec.countCodePoints(bytes)).toBe(codePoints.length);
  }
  if (!units) return;
  const bom = vector.options?.ignoreBOM === false ? 'strip' : 'keep';
  expect(toUnits(codec.decode(bytes, { errors, bom }))).toEqual(units);
  expect(codec.decodedLength(bytes, { errors, bom })).toBe(units.length);
  const options = { errors, bom } as const;
  for (let at = 0; at <= bytes.length; at++) {
    const decoder = new codec.Decoder(options);
    const head = decoder.decode(bytes.subarray(0, at), { stream: true });
    expect(toUnits(head + decoder.decode(bytes.subarray(at)))).toEqual(units);
  }
  if (errors === 'strict' && bom === 'keep') {
    expect(transcode(bytes, codec, codec)).toEqual(codec.encode(fromUnits(units)));
  }
  if (vector.chunks && vector.expect.chunkUnits) {
    const decoder = new codec.Decoder(options);
    const parts = vector.chunks.map((chunk, i, { length }) =>
      toUnits(decoder.decode(fromHex(chunk), { stream: i < length - 1 })),
    );
    expect(parts).toEqual(vector.expect.chunkUnits);
  }
}

/** A stream that is cut anywhere fails as the whole does. */
function expectSameFault(codec: Codec, bytes: Uint8Array): void {
  const whole = findError(() => codec.decode(bytes));
  for (let at = 0; at <= bytes.length; at++) {
    const decoder = new codec.Decoder();
    const error = findError(() => {
      decoder.decode(bytes.subarray(0, at), { stream: true });
      decoder.decode(bytes.subarray(at));
    });
    expect(error?.message).toBe(whole?.message);
  }
}

function findError(action: () => void): Error | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function expectDetected(codec: Codec, { expect: { detectedAt } }: Vector, bytes: Uint8Array): void {
  if (detectedAt === undefined) return;
  const decoder = new codec.Decoder();
  const failed = bytes.findIndex((byte, i) => {
    try {
      decoder.decode(Uint8Array.of(byte), { stream: i < bytes.length - 1 });
      return false;
    } catch {
      return true;
    }
  });
  expect(failed).not.toBe(-1);
  expect(failed).toBeLessThanOrEqual(detectedAt);
}

function encodeVector(codec: Codec, vector: Vector): void {
  const errors = vector.policy === 'fatal' ? 'strict' : 'replace';
  const text = fromUnits(vector.string ?? []);
  const { ok, read, destinationLength } = vector.expect;
  if (!ok) {
    expect(() => codec.encode(text, { errors })).toThrow(EncodeError);
    return;
  }
  if (destinationLength !== undefined) {
    const target = new Uint8Array(destinationLength);
    const result = codec.encodeInto(text, target, { errors });
    expect(result.read).toBe(read);
    expect(Buffer.from(target.subarray(0, result.written)).toString('hex')).toBe(vector.bytes);
    return;
  }
  const bytes = codec.encode(text, { errors });
  expect(Buffer.from(bytes).toString('hex')).toBe(vector.bytes);
  expect(codec.byteLength(text, { errors })).toBe(bytes.length);
}
