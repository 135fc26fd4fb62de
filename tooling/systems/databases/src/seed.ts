/** The seed of this run: `UTF8_SEED=1` repeats one. */
import { scale, seed } from '../../../tiers/tier.js';

export { seed };

/** How many rows tables have: `UTF8_ROWS=1000000` makes larger ones. */
export const rowCount: number = scale(10_000);
