/** Functions that a harness gives to the suite alone, in runtimes where the packages must not find them. */

/** The constructors of another realm. */
export interface Foreign {
  readonly ArrayBuffer: ArrayBufferConstructor;
  readonly DataView: DataViewConstructor;
  readonly Uint8Array: Uint8ArrayConstructor;
}

export interface Host {
  /** The runtime and its version, if it does not report them itself. */
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
