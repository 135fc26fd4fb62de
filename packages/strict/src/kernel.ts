import type { Kernel } from '@utf8/core';
import { Utf8Kernel } from '@utf8/simd/utf8';
import { loops } from './loops.js';

export const kernel = (): Kernel => new Utf8Kernel(loops);
