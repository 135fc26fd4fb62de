/** Report of a run of the suite in another runtime: plain data, to be sent as JSON. */
export interface Report {
  /** The runtime and its version, by its own account. */
  readonly about: string;
  readonly webAssembly: 'works' | 'is refused' | 'is missing';
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly name: string; readonly message: string }[];
  /** Time of each file, in seconds. */
  readonly files: readonly { readonly name: string; readonly seconds: number }[];
}

/**
 * Time limit of a runtime, in milliseconds. The slowest need six minutes, and twice that if they share a
 * core.
 */
export const LIMIT = 1_800_000;
