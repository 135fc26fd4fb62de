/** The seed of this run, and the size of its tables. */
import { isNight, seed } from '../../../tiers/tier.js';

export { seed };

/** Number of rows of a table. */
export const rowCount: number = isNight ? 10_000 : 2000;
