/** The seed of this run: `UTF8_SEED=1` repeats one. */
export const seed: number = Number(process.env.UTF8_SEED ?? Date.now() % 2 ** 31);

/** How many rows tables have: `UTF8_ROWS=1000000` makes larger ones. */
export const rowCount: number = Number(process.env.UTF8_ROWS ?? 10_000);

console.log(`seed: UTF8_SEED=${seed} repeats this run`);
