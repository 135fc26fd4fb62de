/**
 * Kernels transcode until their first doubt and say where it is. They know bytes and code units; no
 * policy, no error and no message. A kernel stops for two reasons only: a doubt, or that the next
 * character is cut by the end of what it was given, or has no room.
 */

/** How far a kernel came. */
export interface Progress {
  /** The index in the source behind the last whole character. */
  read: number;
  /** The index in the target behind the last one written. */
  written: number;
}

/** Memory to write to before it becomes a string or a result: one piece, seen as bytes and as code units. */
export interface Scratch {
  readonly bytes: Uint8Array;
  readonly units: Uint16Array;
}

/**
 * Bytes of one encoding to bytes of another, under the rules of {@link Kernel}: whole characters of
 * `source[from..to)`, written to `target` from `at` on.
 */
export interface Transcribe {
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

/** The inner loops of a codec. */
export interface Kernel {
  /**
   * Memory of the kernel's own, which it writes to without a detour. It is overwritten by every use of
   * the kernel.
   */
  readonly scratch?: Scratch | undefined;

  /**
   * Decodes whole characters of `source[from..to)` to UTF-16 code units, into `target` from `at` on,
   * where there is room for two units a byte. Doubts what is not well-formed, and code points above
   * U+10FFFF.
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
   * Encodes whole characters of `text`, from the code unit `from` on, into `target` at `at`. Doubts a
   * lone surrogate that the encoding lacks.
   */
  encode(text: string, from: number, target: Uint8Array, at: number, progress: Progress): void;

  /**
   * The index behind the last whole character before the first that is not well-formed, or is cut by
   * `to`. Unlike {@link Kernel.decode} it stops nowhere else.
   */
  validate(source: Uint8Array, from: number, to: number): number;

  /**
   * Decodes a whole source at once, where there is a faster way than by code units; undefined where
   * there is none, or a doubt. Reads nothing twice.
   */
  decodeAtOnce?(source: Uint8Array): string | undefined;

  /** Decodes `source[from..to)`, which is short, at once by the same rules. */
  decodeShort?(source: Uint8Array, from: number, to: number): string | undefined;

  /** Encodes a whole text at once by the same rules, in memory of its own. */
  encodeAtOnce?(text: string): Uint8Array | undefined;

  /** A direct way to another kernel's encoding, if this one has any. */
  transcribeTo?(target: Kernel): Transcribe | undefined;
  /** A direct way from another kernel's encoding, if this one has any. */
  transcribeFrom?(source: Kernel): Transcribe | undefined;
}

/** Up to how many bytes or code units an input counts as short: what is ASCII is not asked of the platform first. */
export const SHORT = 512;
