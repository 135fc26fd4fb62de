/**
 * Loops and kernels convert until their first doubt and say where it is. They know bytes and code
 * units; no policy, no error and no message. They work on one window at a time: `drive/windows.ts`
 * runs them over an input.
 */

import type { OwnBytes } from '../argument/bytes.js';

/** How far a conversion came. */
export interface Progress {
  /** The index in the source after the last whole character. */
  read: number;
  /** The index in the target after the last one written. */
  written: number;
}

/** Memory to write to before it becomes a string or a result: seen as bytes and as code units. */
export interface Scratch {
  readonly bytes: Uint8Array;
  readonly codeUnits: Uint16Array;
}

/**
 * The exact loops of an encoding. They stop for two reasons only: a doubt, or that the next character
 * is cut by the end of what they were given, or has no room.
 */
export interface Loops {
  /**
   * Decodes whole characters of `source[from..to)` to UTF-16 code units, into `target` from `at` on,
   * where there is room for two code units per byte. Doubts what is not well-formed, and code points
   * above U+10FFFF.
   */
  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint16Array,
    at: number,
    progress: Progress,
  ): void;

  /**
   * Encodes the characters that begin in `text[from..to)` into `target` at `at`, as far as there is
   * room. Doubts what the encoding does not contain.
   */
  encode(
    text: string,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void;

  /**
   * Returns the index after the last whole character before the first that is not well-formed, or is
   * cut by `to`. Unlike {@link Loops.decode} it stops nowhere else.
   */
  validate(source: Uint8Array, from: number, to: number): number;
}

/** Converts one window of bytes of one encoding to bytes of another, by the rules of {@link Loops}. */
export interface TranscodeWindow {
  (
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void;
  /** Bytes of room that it needs in the target for each byte of the source, at least. */
  readonly growth: number;
  /** The memory that it works on: a source at the start of `input` is read where it is. */
  readonly memory: { readonly input: Uint8Array; readonly output: Uint8Array };
}

/**
 * What is faster than loops. It may doubt anything, even a well-formed character, up to
 * {@link STRETCH} bytes before what is wrong; the loops then look again.
 */
export interface Kernel {
  /**
   * Memory of the kernel's own, which it decodes into. Every use of the kernel overwrites it. Undefined
   * if the platform lacks what the kernel needs; then only the methods for whole inputs work.
   */
  readonly scratch: Scratch | undefined;

  /** Decodes a window into the scratch, from its code unit `at` on. */
  decode(source: Uint8Array, from: number, to: number, at: number, progress: Progress): void;

  /** Encodes a window; there is room for it. */
  encode(
    text: string,
    from: number,
    to: number,
    target: Uint8Array,
    at: number,
    progress: Progress,
  ): void;

  /** Validates a window. */
  validate(source: Uint8Array, from: number, to: number): number;

  /** Returns code units as a string, if the platform has a way for that. */
  takeText(scratch: Scratch, length: number): string | undefined;

  /**
   * Decodes a whole source at once, if there is a faster way than by windows.
   * No other thread may write to it.
   *
   * @returns Undefined if there is no such way, or there is a doubt.
   */
  decodeWhole(source: Uint8Array, length: number): string | undefined;

  /** Decodes `source[from..to)`, which is short; undefined as for {@link Kernel.decodeWhole}. */
  decodeShort(source: Uint8Array, from: number, to: number): string | undefined;

  /** Encodes a whole text at once, in memory of its own; undefined as for {@link Kernel.decodeWhole}. */
  encodeWhole(text: string): OwnBytes | undefined;

  /** Encodes a whole text into a target of any size at once; false if that was not possible. */
  encodeWholeInto(text: string, target: Uint8Array, room: number, progress: Progress): boolean;

  /** Tells whether a whole source is surely valid; false if there is a doubt. */
  isWholeValid(source: Uint8Array, length: number): boolean;

  /** Tells whether a whole source is ASCII, each byte the character of its number; false if in doubt. */
  isWholeAscii(source: Uint8Array, length: number): boolean;

  /**
   * Finds a direct way to another kernel's encoding, if there is any.
   *
   * @param inOwnMemory - Whether nothing else may use the memory that it works on.
   */
  transcodeTo(target: Kernel, inOwnMemory: boolean): TranscodeWindow | undefined;
}

/** How far, in bytes, loops go from where a kernel doubted before it is tried again. */
export const STRETCH = 64;

/** From how many bytes or code units on a kernel is faster than loops. */
export const LEAST_WINDOW = 16;

/** Finds a kernel's scratch for an input of about this size: a kernel is not made ready for few. */
export const findScratch = (kernel: Kernel | undefined, size: number): Scratch | undefined =>
  size >= LEAST_WINDOW ? kernel?.scratch : undefined;

/** Bytes or code units in one window. One giant call would run in a baseline compiler to its end. */
export const WINDOW = 0x8000;
