import type { Kernel } from '@utf8/core';
import { Mutf8Kernel } from '@utf8/simd/mutf8';

/** The kernels of Modified UTF-8, which doubts a raw 00 and overlong forms, and leaves them to the tables. */
export const kernel = (table: Kernel): Kernel => new Mutf8Kernel(table);
