import type { Browser } from 'playwright-core';

/** The programs that will do, by the name of the browser. */
export declare const browserPrograms: Readonly<Record<'chromium' | 'firefox', readonly string[]>>;

/** The browsers that {@link openPage} opens. */
export declare const BROWSERS: readonly string[];

/** Finds the program of a browser. */
export declare function findBrowser(name: string): string | undefined;

export declare function launchChromium(program: string): Promise<Browser>;

/** A page in a browser of its own. */
export interface Page {
  /** Resolves when the browser has ended, to its exit code or signal. */
  readonly closed: Promise<Error>;
  close(): Promise<void>;
}

/** Opens a page in a browser that is started for it. */
export declare function openPage(name: string, program: string, url: string): Promise<Page>;
