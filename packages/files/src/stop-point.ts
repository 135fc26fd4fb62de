/** Points of a run, by name. Nothing stops there: tests replace this module by `test/stop-point.ts`. */

/** Does nothing. */
export function stopAt(_point: string): void {}

/** Does nothing. */
export function holdAt(_point: string): void {}
