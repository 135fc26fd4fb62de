/** What a harness hands to the suite alone, where the packages are to find nothing of the kind. */

/** The constructors of another realm. */
export interface Foreign {
  readonly ArrayBuffer: ArrayBufferConstructor;
  readonly DataView: DataViewConstructor;
  readonly Uint8Array: Uint8ArrayConstructor;
}

export interface Host {
  /** The runtime and its version, where it does not say so itself. */
  readonly about?: string;
  readonly foreign?: Foreign;
  readonly TextDecoder?: new (
    label?: string,
    options?: { fatal?: boolean; ignoreBOM?: boolean },
  ) => { decode(bytes?: Uint8Array): string };
}

/** The global that it is found by. Symbols of the registry are the same in all realms. */
export const HOST: symbol = Symbol.for('@utf8/runtimes');

export const host: Host = (globalThis as unknown as Record<symbol, Host>)[HOST] ?? {};
