/** What is known to be wrong. An entry goes when its combinations pass, which their tests demand. */
import type { Defect } from './combination.js';

export const defects: readonly Defect[] = [];
