import type { Kernel } from '@utf8/core';
import { Cesu8Kernel } from '@utf8/simd/cesu8';

/** The kernels of CESU-8, which doubts lone halves and leaves them to the tables. */
export const kernel = (table: Kernel): Kernel => new Cesu8Kernel(table);
