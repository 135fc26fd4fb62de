import type { Kernel } from '@utf8/core';
import { MixedKernel } from '@utf8/simd/mixed';

/** The kernels of UTF-8 with pairs in six bytes. */
export const kernel = (table: Kernel): Kernel => new MixedKernel(table);
