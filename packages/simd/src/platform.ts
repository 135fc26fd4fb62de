/**
 * What the platform has that is faster than WebAssembly. It is looked for at the first use, and not when
 * modules load: some platforms lack it, have it later, or throw at the attempt.
 */

/** Methods of Node's `Buffer` that take any `Uint8Array` for `this`; offsets in bytes. */
interface BufferMethods {
  /** Needs its `end`: without, Node 24 asks the array for a `length`, aborts at a false one. */
  indexOf(this: Uint8Array, byte: number, start: number, end: number): number;
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Write(this: Uint8Array, text: string, offset: number, bytes: number): number;
}

interface NodeBuffer {
  isAscii?(bytes: Uint8Array): boolean;
  isUtf8?(bytes: Uint8Array): boolean;
}

interface Globals {
  readonly Buffer?: { readonly prototype: BufferMethods };
  readonly Deno?: unknown;
  readonly Bun?: unknown;
  readonly process?: {
    readonly versions?: { readonly node?: string };
    getBuiltinModule?(name: string): NodeBuffer | undefined;
  };
}

/** The platform's own ways, each undefined if there is none. */
export interface Platform extends Partial<BufferMethods>, NodeBuffer {
  readonly decoder?: TextDecoder | undefined;
  readonly encoder?: TextEncoder | undefined;
  /**
   * Whether it decodes UTF-8 in SIMD itself: from Node 24 on, where it is 1.0 to 1.35 times as fast as
   * the kernels from 1 KiB on. Before, it has a third to a tenth of their speed.
   */
  readonly decodesFast: boolean;
  /** Whether it encodes so: Bun, at 3 to 36 GB/s; the kernels have a fifth to a half of that (64 KiB). */
  readonly encodesFast: boolean;
  /** Whether numbers lie in memory as they do in WebAssembly's. */
  readonly isLittleEndian: boolean;
}

/** Takes what there is, and undefined from a platform that throws. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** What was found, once {@link findPlatform} has looked: V8 knows the fields of a constant. */
export const platform = {} as Platform;

let isFound = false;

/** Looks for what the platform has, once. */
export function findPlatform(): Platform {
  if (isFound) return platform;
  isFound = true;
  const globals = globalThis as Globals;
  const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  const methods = isLittleEndian ? attempt(() => globals.Buffer?.prototype) : undefined;
  const process = attempt(() => globals.process);
  const buffer = attempt(() => process?.getBuiltinModule?.('node:buffer'));
  const isDeno = attempt(() => 'Deno' in globals) ?? false;
  return Object.assign(platform, {
    indexOf: methods?.indexOf,
    latin1Slice: methods?.latin1Slice,
    ucs2Slice: methods?.ucs2Slice,
    // Deno has the method too, but a loop is faster there.
    ucs2Write: isDeno ? undefined : methods?.ucs2Write,
    isAscii: buffer?.isAscii,
    isUtf8: buffer?.isUtf8,
    decoder: attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })),
    encoder: attempt(() => new TextEncoder()),
    decodesFast: !isDeno && Number.parseInt(process?.versions?.node ?? '', 10) >= 24,
    encodesFast: attempt(() => 'Bun' in globals) ?? false,
    isLittleEndian,
  });
}
