import { useWays as use } from '@utf8/simd';

/** A way that codecs can take; see {@link useWays}. */
export type Way = 'fastest' | 'platform' | 'webassembly' | 'javascript';

/**
 * Chooses the way that codecs take: to compare ways, to test each, or to have none measured. Results are
 * the same by every way. It applies to all codecs of the process; ES modules and CommonJS choose each for
 * themselves.
 *
 * @param way - `fastest`, the default: what measurements at the first use find to be that. `platform`: the
 *   platform's own codec wherever its answer is surely right, else WebAssembly. `webassembly`: not the
 *   platform's own codec. `javascript`: neither.
 * @returns What was chosen before.
 * @throws TypeError if it is none of these.
 * @example
 * ```ts
 * import { useWays } from '@utf8/core';
 *
 * useWays('webassembly'); // => 'fastest'
 * useWays('fastest'); // => 'webassembly'
 * ```
 * @function
 */
export const useWays: (way: Way) => Way = use;
