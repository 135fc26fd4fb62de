/**
 * Functions of the platform that may be faster than WebAssembly. They are looked up at the first use, not
 * when modules load: some platforms lack them, get them later, or throw at the attempt. Each is tested
 * first, because some decoders accept overlong forms and others drop a byte order mark.
 */
import type { OwnBytes } from '../argument/bytes.js';
import { readHex } from './module.js';

/** Methods of Node's `Buffer` that accept any `Uint8Array` as `this`; offsets in bytes. */
interface BufferMethods {
  /** Requires `end`: without it, Node 24 reads the array's `length` property, and aborts at a false one. */
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

/** Functions of the platform, each undefined if it is missing or gives a wrong answer. */
export interface Platform extends Partial<BufferMethods>, NodeBuffer {
  /** Decodes UTF-8, and keeps a byte order mark; throws if it is not well-formed. */
  decode?(bytes: Uint8Array): string;
  /** Encodes UTF-8, and writes U+FFFD for a lone surrogate. */
  encode?(text: string): OwnBytes;
  encodeInto?(text: string, target: Uint8Array): { read: number; written: number };
  isWellFormed?(this: string): boolean;
  /** True if numbers have the byte order of WebAssembly's memory. */
  isLittleEndian?: boolean;
  /** True unless methods of `Buffer` are JavaScript, as in Deno: copying code units takes 30 times as long. */
  hasFastBuffer?: boolean;
}

/** A text with both ends of every row of UTF-8, after a byte order mark. */
const TEXT = '\ufeffA\0\x7f\x80\u07ff\u0800\ud7ff\ue000\ufffd\uffff\u{10000}\u{10ffff}';
const UTF8 = 'efbbbf41007fc280dfbfe0a080ed9fbfee8080efbfbdefbfbff0908080f48fbfbf';

/** Not UTF-8: a lone trail byte, truncated and overlong sequences, surrogates, code points above U+10FFFF. */
const MALFORMED = '80 c080 c1bf e0a0 e08080 e09fbf eda080 edbfbf f09080 f08fbfbf f4908080 ff';

/** Two lone surrogates, and the bytes of two U+FFFD. */
const LONE = '\udfff\ud800';
const REPLACEMENTS = 'efbfbdefbfbd';

/** ASCII before each test, long enough to reach code that reads 64 bytes at once. */
const PADDING = 70;

/**
 * The functions found by {@link findPlatform}. V8 knows the fields of a constant. It has no prototype, to
 * which other code may have added a missing function.
 */
export const platform: Platform = /* @__PURE__ */ Object.setPrototypeOf({}, null);

/** True if a function that {@link findPlatform} tries has called a codec of this copy. */
let isOurs = false;

/** True after {@link findPlatform} has finished; only then may callers keep values that they derive from it. */
export let isPlatformKnown = false;

/** Looks up the platform's functions once. A call during the search gets those found so far. */
export function findPlatform(): Platform {
  if (platform.isLittleEndian === undefined) {
    platform.isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0]! > 0;
    findCodec();
    findBuffer();
    platform.hasFastBuffer = !('Deno' in globalThis);
    isPlatformKnown = true;
  } else isOurs = true;
  return platform;
}

/** Keeps a function if it exists, gives the right answers, and does not call a codec of this copy. */
function keep<Name extends keyof Platform>(
  name: Name,
  find: () => Pick<Platform, Name> | undefined,
  isRight: (found: NonNullable<Platform[Name]>) => boolean,
): void {
  isOurs = false;
  try {
    const found = find()![name];
    if (found && isRight(found) && !isOurs) platform[name] = found;
  } catch {
    // It throws when it is looked up, or on input that it should accept.
  }
}

const padText = (text: string): string => 'A'.repeat(PADDING) + text;

/**
 * Reads hexadecimal digits, after bytes of ASCII. With the ASCII as digits too, the test takes 1.4 ms instead
 * of 0.7 (Node 20).
 */
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

/** Finds functions that the standards of the web and the language describe. */
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
  keep(
    'isWellFormed',
    () => String.prototype as Pick<Platform, 'isWellFormed'>,
    (isWellFormed) => isWellFormed.call(padText(TEXT)) && !isWellFormed.call(padText(LONE)),
  );
}

/** Finds functions of Node's `Buffer`, which other runtimes have too. */
function findBuffer(): void {
  const globals = globalThis as Globals;
  const module = (): NodeBuffer | undefined => globals.process!.getBuiltinModule!('node:buffer');
  keep('isUtf8', module, accepts);
  keep('isAscii', module, (isAscii) => isAscii(pad('')) && !isAscii(pad('80')));
  const methods = (): Partial<BufferMethods> | undefined => globals.Buffer!.prototype;
  const codeUnits = Uint16Array.of(0xfeff, 0xd800);
  const text = '\ufeff\ud800';
  const bytes = new Uint8Array(codeUnits.buffer);
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
  // WebAssembly would read big-endian code units in the wrong order.
  if (!platform.isLittleEndian) return;
  keep('ucs2Slice', methods, (slice) => slice.call(bytes, 0, 4) === text);
  keep('ucs2Write', methods, (write) => {
    const target = new Uint8Array(4);
    write.call(target, text, 0, 4);
    return isSame(target, bytes);
  });
}

/** Tells whether a decoder is right, with a byte order mark and without. */
const isDecoder = (decode: (bytes: Uint8Array) => string): boolean =>
  decode(readHex(UTF8)) === TEXT && decode(pad(UTF8)) === padText(TEXT);

/** Tells whether an encoder is right, with U+FFFD for lone surrogates. */
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
