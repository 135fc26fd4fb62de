/**
 * Removes the temporary files and the locks of all runs, for a process that a signal is about to end. What
 * was committed stays, and so does its undo log. It does the same as the function of this name in
 * `@utf8/dump`.
 *
 * @returns One sentence for each thing that was kept.
 * @example
 * ```ts
 * import { discardUnfinished } from '@utf8/database';
 *
 * const end = () => {
 *   discardUnfinished();
 *   process.exit(143);
 * };
 * process.once('SIGTERM', end);
 * // Run repairDatabase here.
 * process.off('SIGTERM', end);
 * ```
 */
export { discardUnfinished } from '@utf8/dump';
