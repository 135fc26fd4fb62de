import * as files from '@utf8/files';
import { type Phrase, wordPhrase } from './phrase.js';

/**
 * Removes all temporary files of this process, except what the option `resume` needs. A program calls it when a
 * signal ends it.
 *
 * @returns One sentence for each thing that was kept.
 * @example
 * ```ts
 * import { discardUnfinished } from '@utf8/dump';
 *
 * const end = () => {
 *   for (const sentence of discardUnfinished()) console.error(sentence);
 *   process.exit(143);
 * };
 * process.once('SIGTERM', end);
 * // Run convertDump here.
 * process.off('SIGTERM', end);
 * ```
 */
export const discardUnfinished = (): string[] =>
  files.discardUnfinished().map((sentence) => wordPhrase(sentence as string | Phrase));
