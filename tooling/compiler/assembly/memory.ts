/**
 * The layout of a module's linear memory. Nothing is ever allocated.
 *
 *     0x0400  lookup tables of constants (the compiler's data segment)
 *     0x1000  shuffles that close gaps between code units         256 × 16 bytes
 *     0x2000  shuffles that close gaps in one- and two-byte forms 256 × 16 bytes
 *     0x3000  shuffles that close gaps in one- to three-byte forms 256 × 16 bytes
 *     INPUT   256 KiB of bytes or code units, and a margin that loads may reach into
 *     OUTPUT  512 KiB of code units or bytes, and a margin that stores may reach into
 */
export const CLOSE_UNITS: usize = 0x1000;
export const CLOSE_TWO: usize = 0x2000;
export const CLOSE_THREE: usize = 0x3000;

/** Loads and stores reach at most this far beyond either end. */
const MARGIN: usize = 0x100;

export const INPUT: usize = 0x4000 + MARGIN;
export const INPUT_SIZE: usize = 0x40000;
export const OUTPUT: usize = INPUT + INPUT_SIZE + MARGIN;
export const OUTPUT_SIZE: usize = 0x80000;
