/** How much memory and time an archive may take, whoever made it. */
export interface Limits {
  /** How large a class may be, in bytes; 64 MiB by default. No more is ever inflated of one. */
  readonly maxClassBytes: number;
  /** How large a compressed archive within may be when inflated, in bytes; 256 MiB by default. */
  readonly maxJarBytes: number;
  /** How many archives may lie around a class, except the file itself; 3 by default. */
  readonly maxDepth: number;
  /**
   * How many bytes the file may inflate to in all, for each of its own bytes, if that is more than a
   * single entry may have; 200 by default. Classes have about 2, and deflate can make 1,032 of one.
   */
  readonly maxRatio: number;
}

const defaults: Limits = {
  maxClassBytes: 64 << 20,
  maxJarBytes: 256 << 20,
  maxDepth: 3,
  maxRatio: 200,
};

/**
 * The limits that somebody asks for, and the usual ones where nothing is asked.
 *
 * @throws RangeError where one is no number from 0 on.
 */
export function deriveLimits(options: Partial<Limits>): Limits {
  const limits = { ...defaults };
  for (const key of Object.keys(defaults) as (keyof Limits)[]) {
    const limit = options[key] ?? defaults[key];
    if (typeof limit !== 'number' || !(limit >= 0)) {
      throw new RangeError(`${key} is a number from 0 on, not ${String(limit)}`);
    }
    limits[key] = limit;
  }
  return limits;
}
