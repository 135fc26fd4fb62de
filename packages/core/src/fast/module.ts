/** A compiled module and its memory. */

import type { OwnBytes } from '../argument/bytes.js';
import { WINDOW } from './limits.js';
import type { CodeUnits } from './loops.js';

/**
 * Functions that modules export, documented in `tooling/compiler/assembly`. Lengths and places are in bytes,
 * except lengths of code units.
 */
export interface Functions {
  /** Returns code units, or a number below 0; see `assembly/short.ts`. */
  decodeShort(at: number, bytes: number, to: number): number;
  validate(at: number, bytes: number): number;
  decode(at: number, bytes: number, to: number): number;
  encode(at: number, codeUnits: number, to: number): number;
  /** Present if UTF-8 encodes only pairs and U+0000 differently. */
  readonly toUtf8: ((at: number, bytes: number, to: number) => number) | undefined;
  /** Tells whether UTF-8 certainly means the same here; present if some UTF-8 does not. */
  readonly isShared: ((at: number, bytes: number) => number) | undefined;
  /** Present if some code units cannot be encoded. */
  readonly encodableLength: ((at: number, codeUnits: number) => number) | undefined;
  /** Present if `validate` accepts characters that UTF-8 does not contain. */
  readonly validateForUtf8: ((at: number, bytes: number) => number) | undefined;
  /** Present, like the next one, if the encoding does not write UTF-8. */
  readonly validateUtf8: ((at: number, bytes: number) => number) | undefined;
  readonly fromUtf8: ((at: number, bytes: number, to: number) => number) | undefined;
}

/** Memory that loops and kernels write to, as bytes and as code units. */
export interface Scratch {
  readonly bytes: Uint8Array;
  readonly codeUnits: CodeUnits;
  /** Most code units in one piece of text; there is room for twice as many. */
  readonly window: number;
}

/** A module, and the two parts of its memory; see `assembly/memory.ts`. */
export interface Module extends Functions, Scratch {
  readonly codeUnits: Uint16Array;
  readonly input: Uint8Array;
  readonly inputCodeUnits: Uint16Array;
  readonly inputWords: Int32Array;
  /** Places of the two parts. */
  readonly inputAt: number;
  readonly outputAt: number;
}

/**
 * Reads hexadecimal digits, the form in which a module is kept: compressed, they are a quarter smaller than
 * base64, which hides the bytes from the compressor.
 */
export function readHex(digits: string): OwnBytes {
  const bytes = new Uint8Array(digits.length / 2);
  // 0 to 9 are 30 to 39, a to f are 61 to 66.
  const read = (at: number): number => (digits.charCodeAt(at) % 39) - 9;
  for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * read(2 * i) + read(2 * i + 1);
  return bytes;
}

/** Compiles a module; undefined if WebAssembly, or its SIMD, is missing or forbidden. */
export function instantiate(digits: string): Module | undefined {
  try {
    const binary = readHex(digits);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), {});
    const { memory, INPUT, INPUT_SIZE, OUTPUT, OUTPUT_SIZE } = exports as unknown as {
      memory: WebAssembly.Memory;
      INPUT: WebAssembly.Global<'i32'>;
      INPUT_SIZE: WebAssembly.Global<'i32'>;
      OUTPUT: WebAssembly.Global<'i32'>;
      OUTPUT_SIZE: WebAssembly.Global<'i32'>;
    };
    const { buffer } = memory;
    // Without a prototype, to which other code may have added a missing function.
    return Object.setPrototypeOf(
      {
        ...(exports as unknown as Functions),
        input: new Uint8Array(buffer, INPUT.value, INPUT_SIZE.value),
        inputCodeUnits: new Uint16Array(buffer, INPUT.value, INPUT_SIZE.value / 2),
        inputWords: new Int32Array(buffer, INPUT.value, INPUT_SIZE.value / 4),
        bytes: new Uint8Array(buffer, OUTPUT.value, OUTPUT_SIZE.value),
        codeUnits: new Uint16Array(buffer, OUTPUT.value, OUTPUT_SIZE.value / 2),
        window: WINDOW,
        inputAt: INPUT.value,
        outputAt: OUTPUT.value,
      } satisfies Module,
      null,
    );
  } catch {
    // A policy forbids it, SIMD is missing, or memory is short: codecs are slower, but not wrong.
    return undefined;
  }
}
