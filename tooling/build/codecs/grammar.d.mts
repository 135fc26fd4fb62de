import type { Grammar } from '@utf8/core';

export declare function readGrammar(file: string): Promise<{
  readonly name: string;
  readonly labels: readonly string[];
  readonly grammar: Grammar;
  /** The docstring of the grammar, as a comment. */
  readonly description: string;
}>;
