/**
 * Limits between implementations. Each was measured on x86-64, with Node 20 unless another runtime is named.
 */

/** Longest input, in bytes or code units, that loops convert alone: a call out of the encoding costs 50 ns. */
export const SHORT_TEXT: number = 16;

/** Least length, in bytes or code units, for which a kernel is compiled and used. */
export const LEAST_WINDOW: number = 16;

/**
 * Bytes or code units in one window of loops without a kernel: `String.fromCharCode` joins 512 of ASCII and 1,024
 * of others fastest, by 5 to 10 % (Node 20).
 */
export const LOOP_WINDOW: number = 1024;

/** Bytes or code units in one window. One giant call would run in a baseline compiler to its end. */
export const WINDOW: number = 0x8000;

/**
 * Bytes of UTF-8 that the platform decodes at once. Strings above 128 KiB leave V8's usual heap: one of
 * 512 KiB takes three times as long as eight of 64 KiB (Node 20), and a dump of 1 MiB, decoded 96 KiB at a
 * time, four times as long (Node 24 and 26).
 */
export const PLATFORM_WINDOW: number = 0x1_0000;

/** Distance in bytes that loops advance after a kernel stopped, before the kernel is tried again. */
export const RETRY_DISTANCE: number = 64;

/** Size of the next window after a character that stopped the kernel: such characters come in groups. */
export const WINDOW_AFTER_STOP: number = 1 << 9;

/** Least window after a fault. The next fault is probably as far away, and a large window would be wasted. */
export const LEAST_WINDOW_AFTER_FAULT: number = 14;

/** Longest input for which a call of the platform, 30 to 200 ns, seldom pays. */
export const SHORT_FOR_PLATFORM: number = 512;

/**
 * Largest result, in bytes, that V8 keeps in its own heap: a kernel's takes 0.3 µs, and one that the platform
 * allocates 0.5 (Node 24 and 26).
 */
export const SHORT_RESULT: number = 64;

/** Least length for which `buffer.isUtf8` is faster, even if its answer is discarded. */
export const LEAST_FOR_IS_UTF8: number = 1024;

/** Number of inputs decoded without the platform's decoder after it refused one: an exception takes 3 µs. */
export const INPUTS_AFTER_REFUSAL: number = 15;

/** Longest copy byte by byte: a view takes 50 ns to create. */
export const SHORT_COPY: number = 64;

/** Longest part of an array, in bytes, that loops decode faster than a kernel. */
export const SHORT_PART: number = 10;

/** Largest array, in bytes, whose last view is kept alive. */
export const LARGEST_KEPT_VIEW: number = 0x10_0000;

/** Most arguments of one call of `String.fromCharCode`: they live on the stack. */
export const ARGUMENTS: number = 4096;
