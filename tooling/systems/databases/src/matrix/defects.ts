/** Known defects. Tests demand that an entry is removed when its combinations pass. */
import type { Defect } from './combination.js';

export const defects: readonly Defect[] = [];
