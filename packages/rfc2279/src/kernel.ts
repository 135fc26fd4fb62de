import type { Kernel } from '@utf8/core';
import { accelerate } from '@utf8/simd/utf8';

/** The kernels of UTF-8, which is what all but the longest texts are. They doubt the five- and six-byte forms
 * and leave them to the tables. */
export const kernel: (table: Kernel) => Kernel = accelerate;
