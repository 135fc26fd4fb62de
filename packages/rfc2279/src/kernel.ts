import type { Kernel } from '@utf8/core';
import { Utf8Kernel } from '@utf8/simd/utf8';

/** The kernels of UTF-8, which is all that most texts are. They doubt five- and six-byte forms, and leave
 * them to the tables. */
export const kernel = (table: Kernel): Kernel => new Utf8Kernel(table);
