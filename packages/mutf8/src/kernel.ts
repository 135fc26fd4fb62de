import type { Kernel } from '@utf8/core';
import { Mutf8Kernel } from '@utf8/simd/mutf8';
import { loops } from './loops.js';

export const kernel = (): Kernel => new Mutf8Kernel(loops);
