import { type Codec, DecodeError, EncodeError } from '@utf8/core';
import * as mutf8 from '@utf8/mutf8';
import * as android from '@utf8/mutf8/android';
import * as framing from '@utf8/mutf8/framing';
import { artNewStringUTF, hotspotNewStringUTF } from '@utf8/mutf8/jni';
import { createStringType, PartialReadError } from '@utf8/mutf8/protodef';
import { variants } from '../../../../conformance/src/generated/codecs.js';
import { policies } from '../codec.js';
import { compose, type Input } from '../input.js';
import { require, requireEqual, requireSame, type Target } from '../target.js';
import { vectorInputs } from '../vectors.js';

const codecs = [undefined, ...Object.values(variants).map(({ full }) => full)];

type Options = framing.FrameOptions & framing.LengthOptions;

const lengths: readonly framing.LengthOptions[] = [
  {},
  ...([1, 2, 4, 8] as const).flatMap((length) =>
    (['be', 'le'] as const).flatMap((endian) => [
      { length, endian },
      { length, endian, signed: true },
    ]),
  ),
  { length: 'uleb128' },
  { length: 'uleb128', signed: true },
  { length: 'hadoop-vint' },
];

/** A way of framing: what reads, what writes, and what encodes. */
export interface Frame {
  read(bytes: Uint8Array, offset: number, options: Options): framing.TextFrame;
  write(text: string, target: Uint8Array, offset: number, options: Options): number;
  encode(text: string, options: Options): Uint8Array;
  /** True if each length has exactly one encoding. */
  readonly isUnique: boolean;
  /** True if it counts code units, so that only the text determines its end. */
  readonly countsUnits: boolean;
}

const utf = (lengths: framing.LengthOptions): Frame => ({
  read: (bytes, offset, options) => framing.readUTF(bytes, offset, { ...options, ...lengths }),
  write: (text, target, offset, options) =>
    framing.writeUTF(text, target, offset, { ...options, ...lengths }),
  encode: (text, options) => framing.encodeUTF(text, { ...options, ...lengths }),
  isUnique: typeof lengths.length !== 'string',
  countsUnits: lengths.lengthIn === 'units',
});

const frames: readonly Frame[] = [
  ...lengths.flatMap((each) => [utf(each), utf({ ...each, lengthIn: 'units' })]),
  {
    read: framing.readLongUTF,
    write: framing.writeLongUTF,
    encode: framing.encodeLongUTF,
    isUnique: true,
    countsUnits: false,
  },
  {
    read: framing.readCString,
    write: framing.writeCString,
    encode: framing.encodeCString,
    isUnique: true,
    countsUnits: false,
  },
  {
    read: framing.readDexString,
    write: framing.writeDexString,
    encode: framing.encodeDexString,
    isUnique: false,
    countsUnits: true,
  },
];

type Refusal = framing.FrameError | DecodeError | EncodeError | PartialReadError;

function settle<T>(action: () => T): T | Refusal {
  try {
    return action();
  } catch (error) {
    const isTyped =
      error instanceof framing.FrameError ||
      error instanceof PartialReadError ||
      error instanceof DecodeError ||
      error instanceof EncodeError;
    if (isTyped) return error;
    throw error;
  }
}

const isRefusal = (value: unknown): value is Refusal => value instanceof Error;

/** Tells whether an encoding has exactly one sequence for each text. */
const isExact = ({ grammar }: Codec): boolean => grammar.rows.every((row) => row.writes);

/** Tells whether bytes end in a sequence, or in half of a pair, that more bytes might complete. */
function isCut(bytes: Uint8Array, { faults }: Codec): boolean {
  const [lead = 0, trail = 0] = bytes.subarray(-3);
  const isHigh = lead === 0xed && trail >= 0xa0 && trail < 0xb0;
  return isHigh || [...faults(bytes)].some(({ incomplete }) => incomplete);
}

function checkReading({ read, encode, isUnique, countsUnits }: Frame, input: Input): void {
  const [codec, errors, offset] = [input.pick(codecs), input.pick(policies), input.below(9)];
  const bytes = input.rest();
  const found = settle(() => read(bytes, offset, { codec, errors }));
  if (found instanceof DecodeError) {
    require(found.offset >= offset && found.offset < bytes.length, 'an offset out of range');
  }
  if (isRefusal(found)) return;
  const { text, next } = found;
  require(next > offset && next <= bytes.length, 'a frame that ends beyond its bytes');
  require(text.length <= 40 * (next - offset), 'a text too long for its frame');
  // A function may say of a sequence that is cut short there what it does not say before another byte.
  if (typeof errors !== 'function') {
    const before = settle(() => read(bytes.subarray(0, next), offset, { codec, errors }));
    // Without a byte that shows the fault, more of the sequence may be to come.
    const isOpen = countsUnits && isCut(bytes.subarray(offset, next), codec ?? mutf8);
    if (!(isOpen && before instanceof framing.FrameError)) {
      require(!isRefusal(before), 'a frame that needs what follows');
      requireEqual(
        `${before.next} ${before.text}`,
        `${next} ${text}`,
        'a frame without what follows',
      );
    }
  }
  if (errors !== 'strict') return;
  const again = settle(() => encode(text, { codec }));
  require(!isRefusal(again), 'a text that is read cannot be written');
  const isSame = isUnique && isExact(codec ?? mutf8);
  if (isSame) requireSame(again, bytes.subarray(offset, next), 'a frame that is written again');
  requireEqual(read(again, 0, { codec }).text, text, 'a frame that is read again');
}

export function checkWriting({ read, write, encode }: Frame, input: Input): void {
  const [codec, errors] = [input.pick(codecs), input.pick(policies)];
  const [offset, room, times] = [input.below(9), input.below(0x1_0000), input.below(3)];
  const text = input.text().repeat(1 + times ** 6);
  const options = { codec, errors };
  const whole = settle(() => encode(text, options));
  if (isRefusal(whole)) {
    const target = new Uint8Array(offset + 8 * text.length + 16);
    const found = settle(() => write(text, target, offset, options));
    requireEqual(Object(found).name, whole.name, 'one way refuses a text');
    require(target.every((byte) => byte === 0), 'a refusal has written something');
    return;
  }
  // Enough by the first choice, so that another text still has room.
  const size = offset + whole.length + 8 - (room % (whole.length + 9));
  const target = new Uint8Array(size + 4).fill(0xaa);
  const next = settle(() => write(text, target.subarray(2, size + 2), offset, options));
  if (isRefusal(next)) {
    require(size - offset < whole.length, 'no room, although there is some');
    require(target.every((byte) => byte === 0xaa), 'a refusal has written something');
    return;
  }
  requireEqual(next, offset + whole.length, 'where the next thing begins');
  requireSame(target.subarray(2 + offset, 2 + next), whole, 'writing and encoding');
  const beside = [...target.subarray(0, 2 + offset), ...target.subarray(2 + next)];
  require(beside.every((byte) => byte === 0xaa), 'written beside the frame');
  if (errors !== 'strict') return;
  const found = settle(() => read(whole, 0, { codec }));
  require(!isRefusal(found), 'what is written cannot be read');
  requireEqual(found.text, text, 'what is read of what is written');
  requireEqual(found.next, whole.length, 'where it ends');
}

function checkUnits(input: Input): void {
  const [codec, errors] = [input.pick(codecs), input.pick(policies)];
  const [offset, units] = [input.below(9), input.below(300)];
  const bytes = input.rest();
  const found = settle(() => framing.readUnits(bytes, offset, units, { codec, errors }));
  if (isRefusal(found)) return;
  requireEqual(found.text.length, units, 'code units');
  const end = found.next;
  require(end >= offset && (end <= bytes.length || units === 0), 'units that end beyond the bytes');
  // As in `checkReading`: alone, a lead is cut short.
  if (typeof errors === 'function') return;
  const text = (codec ?? mutf8).decode(bytes.subarray(offset, end), { errors });
  requireEqual(found.text, text, 'units by their bytes');
  if (errors !== 'strict') return;
  const again = framing.encodeUnits(text, { codec });
  requireEqual(again.units, units, 'units of what is written');
}

function checkJni(bytes: Uint8Array): void {
  const [hotspot, art] = [hotspotNewStringUTF(bytes), artNewStringUTF(bytes)];
  require(typeof hotspot === 'string' && typeof art === 'string', 'no text');
  const end = bytes.indexOf(0);
  const text = end < 0 ? bytes : bytes.subarray(0, end);
  require(hotspot.length <= text.length && art.length <= text.length, 'a text too long');
  if (mutf8.isValid(text)) requireEqual(hotspot, mutf8.decode(text), 'HotSpot');
  if (android.isValid(text)) requireEqual(art, android.decode(text), 'ART');
}

function checkProtodef(input: Input): void {
  const [errors, offset] = [input.pick(policies), input.below(9)];
  const [read, write, sizeOf] = createStringType({ errors });
  const bytes = input.rest();
  const found = settle(() => read(bytes, offset));
  const frame = settle(() => framing.readUTF(bytes, offset, { errors }));
  requireEqual(isRefusal(found), isRefusal(frame), 'ProtoDef and readUTF');
  if (isRefusal(found) || isRefusal(frame)) return;
  requireEqual(found.value, frame.text, 'a text of ProtoDef');
  requireEqual(found.size, frame.next - offset, 'a size of ProtoDef');
  if (errors !== 'strict') return;
  const target = new Uint8Array(sizeOf(found.value));
  requireEqual(write(found.value, target, 0), target.length, 'sizeOf');
}

export const target: Target = {
  title: 'frames of every kind, JNI, and the strings of ProtoDef',
  maxLength: 1024,
  *seeds() {
    for (const [i, bytes] of vectorInputs().entries()) {
      const frame = Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length), bytes]);
      yield compose(frame, 0, 0, i % codecs.length, 0, 0);
      yield compose(bytes, 1 + (i % 4), i % frames.length, i % codecs.length, i % 6, 0, 9, 0, 0);
      if (i > 400) break;
    }
  },
  run(input) {
    const mode = input.below(6);
    if (mode === 3) return checkUnits(input);
    if (mode === 4) return checkJni(input.rest());
    if (mode === 5) return checkProtodef(input);
    const frame = input.pick(frames);
    if (mode === 2) checkWriting(frame, input);
    else checkReading(frame, input);
  },
};
