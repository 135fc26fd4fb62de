/** What a run of the suite somewhere else tells us: plain data, to be sent as JSON. */
export interface Report {
  /** The runtime and its version, by its own account. */
  readonly about: string;
  readonly webAssembly: 'works' | 'is refused' | 'is missing';
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly name: string; readonly message: string }[];
  /** What each file took, in seconds. */
  readonly files: readonly { readonly name: string; readonly seconds: number }[];
}

/** How long a runtime may take, in milliseconds. The slowest need six minutes, and twice that where they share a core. */
export const LIMIT = 1_800_000;
