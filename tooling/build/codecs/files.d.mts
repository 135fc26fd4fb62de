import type { Subject } from '@utf8/core/compile';

/** A folder with a grammar. */
export interface GrammarFolder {
  /** The folder of its package's sources. */
  readonly source: string;
  /** Its folder, from there. */
  readonly profile: string;
  /** What a user imports; undefined if none can. */
  readonly specifier: string | undefined;
}

export declare function listGrammars(): Iterable<GrammarFolder>;

export declare function compileGrammar(
  folder: GrammarFolder,
  compile?: (
    subject: Subject,
    grammar: string,
  ) => ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>,
): Promise<readonly (readonly [file: string, text: string])[]>;

export declare function compileList(): readonly [file: string, text: string];
