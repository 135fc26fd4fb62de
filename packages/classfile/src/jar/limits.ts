/** Limits of the memory and time that an archive may take. */
export interface Limits {
  /** Largest size of a class, in bytes (default: 64 MiB). No class is ever inflated beyond it. */
  readonly maxClassBytes: number;
  /** Largest size of a compressed archive within when inflated, in bytes (default: 256 MiB). */
  readonly maxJarBytes: number;
  /** Most archives that a class may be nested in, without the file itself (default: 3). */
  readonly maxDepth: number;
  /**
   * Most bytes that the file may inflate to in all, for each of its own bytes, if that is more than a single
   * entry may have (default: 200). Classes have about 2, and deflate can make 1,032 of one.
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
 * @throws RangeError if a limit is not a number from 0 on.
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
