import type { Kernel } from '@utf8/core';
import { Cesu8Kernel } from '@utf8/simd/cesu8';
import { loops } from './loops.js';

export const kernel = (): Kernel => new Cesu8Kernel(loops);
