/** The content of `versions.json`. */
export declare const versions: Readonly<Record<string, { readonly file: string }>>;

/** Finds the `node_modules` of a runtime of the wanted version that was fetched as a whole. */
export declare function findRuntime(name: string): string | undefined;

/** Fetches a runtime, and tells whether it is there now. */
export declare function fetchRuntime(name: string): boolean;
