/** The folder `node_modules/.cache` of the repository. */
export declare const cache: string;

export declare const environment: NodeJS.ProcessEnv;

/** The Node that runs this. */
export declare const thisNode: string;

/** Finds the file of a runtime that `install.mjs` fetched. */
export declare function findFetched(name: string): string | undefined;

/** Finds a program: the one that runs this, one that `install.mjs` fetched, or one on the PATH. */
export declare function findProgram(...names: readonly string[]): string | undefined;
