/** Limits of the memory and time that an archive may take. */
export interface Limits {
  /** How large a class may be, in bytes; 64 MiB by default. No more is ever inflated of one. */
  readonly maxClassBytes: number;
  /** How large a compressed archive within may be when inflated, in bytes; 256 MiB by default. */
  readonly maxJarBytes: number;
  /** How many archives a class may be nested in, except the file itself; 3 by default. */
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
 * Adds the defaults to the limits that options set.
 *
 * @throws RangeError where one is not a number, 0 or more.
 */
export function deriveLimits(options: Partial<Limits>): Limits {
  const limits = { ...defaults };
  for (const key of Object.keys(defaults) as (keyof Limits)[]) {
    const limit = options[key] ?? defaults[key];
    if (typeof limit !== 'number' || !(limit >= 0)) {
      throw new RangeError(`${key} must be a number, 0 or more, not ${String(limit)}`);
    }
    limits[key] = limit;
  }
  return limits;
}
