/**
 * What the platform has that may be faster than WebAssembly. It is looked for at the first use, and not
 * when modules load: some platforms lack it, have it later, or throw at the attempt. What is there is
 * first put to the test, for there are decoders that take overlong forms and others that drop a byte
 * order mark; only what gives the right answers is used.
 */
import { type OwnBytes, readHex } from './module.js';

/** Methods of Node's `Buffer` that take any `Uint8Array` for `this`; offsets in bytes. */
interface BufferMethods {
  /** Needs its `end`: without, Node 24 asks the array for a `length`, and aborts at a false one. */
  indexOf(this: Uint8Array, byte: number, start: number, end: number): number;
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Write(this: Uint8Array, text: string, offset: number, bytes: number): number;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
}

interface NodeBuffer {
  isAscii?(bytes: Uint8Array): boolean;
  isUtf8?(bytes: Uint8Array): boolean;
}

interface Globals {
  readonly Buffer?: { readonly prototype: Partial<BufferMethods> };
  readonly process?: { getBuiltinModule?(name: string): NodeBuffer | undefined };
}

/** The platform's own ways, each undefined if there is none that can be trusted. */
export interface Platform extends Partial<BufferMethods>, NodeBuffer {
  /** Decodes UTF-8, and keeps a byte order mark; throws if it is not well-formed. */
  decode?(bytes: Uint8Array): string;
  /** Encodes UTF-8, and writes U+FFFD for a lone surrogate. */
  encode?(text: string): OwnBytes;
  encodeInto?(text: string, target: Uint8Array): { read: number; written: number };
  isWellFormed?(this: string): boolean;
  /** Milliseconds of a clock. */
  now?(): number;
  /** Whether numbers lie in memory as they do in WebAssembly's. */
  isLittleEndian?: boolean;
}

/** A text with both ends of every form, and its UTF-8. It begins with a byte order mark. */
const TEXT = '\ufeffA\0\x7f\x80\u07ff\u0800\ud7ff\ue000\ufffd\uffff\u{10000}\u{10ffff}';
const UTF8 = 'efbbbf41007fc280dfbfe0a080ed9fbfee8080efbfbdefbfbff0908080f48fbfbf';

/** What is not UTF-8: a lone byte, forms cut short, overlong ones, surrogates, what lies above U+10FFFF. */
const MALFORMED = '80 c080 c1bf e0a0 e08080 e09fbf eda080 edbfbf f09080 f08fbfbf f4908080 ff';

/** Two lone surrogates, and what stands for them. */
const LONE = '\udfff\ud800';
const REPLACEMENTS = 'efbfbdefbfbd';

/** Enough before all that for code to have begun that takes 64 bytes at once. */
const PADDING = 70;

/**
 * What was found, once {@link findPlatform} has looked: V8 knows the fields of a constant. What is missing is
 * not looked for in a prototype, to which other code may have added it.
 */
export const platform: Platform = /* @__PURE__ */ Object.setPrototypeOf({}, null);

/** Whether what {@link findPlatform} tries has called a codec of ours. */
let isOurs = false;

/** Whether {@link findPlatform} has finished; only then may callers keep what they derive from it. */
export let isPlatformKnown = false;

/** Looks once for what the platform has. A call meanwhile gets what was found until then. */
export function findPlatform(): Platform {
  if (platform.isLittleEndian === undefined) {
    platform.isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0]! > 0;
    findCodec();
    findBuffer();
    isPlatformKnown = true;
  } else isOurs = true;
  return platform;
}

/** Keeps a function if it exists, gives the right answers, and is not a codec of ours under another name. */
function keep<Name extends keyof Platform>(
  name: Name,
  find: () => Pick<Platform, Name> | undefined,
  isRight: (way: NonNullable<Platform[Name]>) => boolean,
): void {
  isOurs = false;
  try {
    const way = find()![name];
    if (way && isRight(way) && !isOurs) platform[name] = way;
  } catch {
    // It throws when it is looked up, or on input that it should accept.
  }
}

const padText = (text: string): string => 'A'.repeat(PADDING) + text;

/** Reads hexadecimal digits, after bytes of ASCII. All by digits, the test takes 1.4 ms instead of 0.7 (Node 20). */
function pad(digits: string): Uint8Array {
  const bytes = readHex(digits);
  const padded = new Uint8Array(PADDING + bytes.length).fill(0x41);
  padded.set(bytes, PADDING);
  return padded;
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => String(one) === String(other);

/** Returns a method of an object by its name, bound to the object. */
const bind = (object: object, name: string): Platform => ({
  // A missing one throws, which counts as missing.
  [name]: (object as Record<string, () => never>)[name]!.bind(object),
});

/** Finds what the standards of the web and the language describe. */
function findCodec(): void {
  keep(
    'decode',
    () => bind(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), 'decode'),
    (decode) => isDecoder(decode) && accepts((bytes) => decode(bytes) >= ''),
  );
  keep('encode', () => bind(new TextEncoder(), 'encode'), isEncoder);
  keep(
    'encodeInto',
    () => bind(new TextEncoder(), 'encodeInto'),
    (encodeInto) =>
      isEncoder((text) => {
        const target = new Uint8Array(3 * text.length);
        const { read, written } = encodeInto(text, target);
        return read === text.length ? target.subarray(0, written) : target;
      }),
  );
  keep('now', () => bind(performance, 'now'), Boolean);
  keep(
    'isWellFormed',
    () => String.prototype as Pick<Platform, 'isWellFormed'>,
    (isWellFormed) => isWellFormed.call(padText(TEXT)) && !isWellFormed.call(padText(LONE)),
  );
}

/** Finds what Node's `Buffer` adds, which other runtimes have too. */
function findBuffer(): void {
  const globals = globalThis as Globals;
  const module = (): NodeBuffer | undefined => globals.process!.getBuiltinModule!('node:buffer');
  keep('isUtf8', module, accepts);
  keep('isAscii', module, (isAscii) => isAscii(pad('')) && !isAscii(pad('80')));
  const methods = (): Partial<BufferMethods> | undefined => globals.Buffer!.prototype;
  const units = Uint16Array.of(0xfeff, 0xd800);
  const text = '\ufeff\ud800';
  const bytes = new Uint8Array(units.buffer);
  keep(
    'indexOf',
    methods,
    (indexOf) =>
      indexOf.call(pad('00'), 0, 0, PADDING + 1) === PADDING &&
      indexOf.call(pad(''), 0, 0, PADDING) < 0,
  );
  keep(
    'latin1Slice',
    methods,
    (slice) => slice.call(pad('0080ff'), PADDING, PADDING + 3) === '\0\x80\xff',
  );
  keep('utf8Slice', methods, (slice) => isDecoder((bytes) => slice.call(bytes, 0, bytes.length)));
  // Elsewhere, memory that WebAssembly is to see would have numbers the other way round.
  if (!platform.isLittleEndian) return;
  keep('ucs2Slice', methods, (slice) => slice.call(bytes, 0, 4) === text);
  keep('ucs2Write', methods, (write) => {
    const target = new Uint8Array(4);
    write.call(target, text, 0, 4);
    return isSame(target, bytes);
  });
}

/** Tells whether a decoder gives what it should, with a byte order mark and without. */
const isDecoder = (decode: (bytes: Uint8Array) => string): boolean =>
  decode(readHex(UTF8)) === TEXT && decode(pad(UTF8)) === padText(TEXT);

/** Tells whether an encoder gives what it should, with U+FFFD for lone surrogates. */
const isEncoder = (encode: (text: string) => Uint8Array): boolean =>
  isSame(encode(padText(TEXT)), pad(UTF8)) && isSame(encode(padText(LONE)), pad(REPLACEMENTS));

/** Tells whether UTF-8 is accepted, and nothing else. */
function accepts(isUtf8: (bytes: Uint8Array) => boolean): boolean {
  return (
    isUtf8(pad(UTF8)) &&
    !MALFORMED.split(' ').some((digits) => {
      try {
        return isUtf8(pad(digits));
      } catch {
        return false;
      }
    })
  );
}
