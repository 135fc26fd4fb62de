/** What Node has that is faster than WebAssembly. It is looked up and not imported, for other platforms. */

interface NodeBuffer {
  isAscii?(bytes: Uint8Array): boolean;
  isUtf8?(bytes: Uint8Array): boolean;
}

/** Methods of Node's `Buffer` that take any `Uint8Array` for `this`; offsets in bytes. */
interface BufferMethods {
  indexOf(this: Uint8Array, byte: number): number;
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Slice(this: Uint8Array, start: number, end: number): string;
  ucs2Write(this: Uint8Array, text: string, offset: number, bytes: number): number;
}

const { Buffer, process } = globalThis as unknown as {
  Buffer?: { prototype: BufferMethods };
  process?: {
    readonly versions?: { readonly node?: string };
    getBuiltinModule?(name: string): NodeBuffer | undefined;
  };
};

const isLittleEndian = /* @__PURE__ */ new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const methods = isLittleEndian ? Buffer?.prototype : undefined;

/** A method that is looked up at each call takes 10 ns more (Node 20). */
export const latin1Slice: BufferMethods['latin1Slice'] | undefined = methods?.latin1Slice;
export const ucs2Slice: BufferMethods['ucs2Slice'] | undefined = methods?.ucs2Slice;
export const ucs2Write: BufferMethods['ucs2Write'] | undefined = methods?.ucs2Write;
const indexOf = methods?.indexOf;

const buffer = /* @__PURE__ */ process?.getBuiltinModule?.('node:buffer');

/** 80 GB/s (Node 20, x86-64). */
export const isAscii: NodeBuffer['isAscii'] = buffer?.isAscii;

/** 16 GB/s, and 80 on ASCII (Node 20, x86-64): three times the speed of the kernels, from 64 bytes on. */
export const isUtf8: NodeBuffer['isUtf8'] = buffer?.isUtf8;

/** From how many bytes on it pays to ask it first, where the answer may be no use. */
export const NATIVE = 1024;

/** Whether a byte is 00: 30 times the speed of `includes` (64 KiB, Node 20). */
export function hasNul(bytes: Uint8Array): boolean {
  return indexOf ? indexOf.call(bytes, 0) >= 0 : bytes.includes(0);
}

/**
 * Whether the platform decodes UTF-8 in SIMD itself: from Node 24 on, where it is 1.0 to 1.35 times as
 * fast as the kernels from 1 KiB on. Before, it has a third to a tenth of their speed.
 */
export const decodesFast: boolean =
  Number.parseInt(process?.versions?.node ?? '', 10) >= 24 && !('Deno' in globalThis);

/** Whether it encodes so: Bun, at 3 to 36 GB/s; the kernels have a fifth to a half of that (64 KiB). */
export const encodesFast: boolean = 'Bun' in globalThis;
