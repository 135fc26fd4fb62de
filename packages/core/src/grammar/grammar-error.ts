/**
 * Thrown if a grammar cannot be read or breaks a law; the message names the row and the law.
 *
 * @example
 * ```ts
 * import { defineGrammar, GrammarError } from '@utf8/core';
 *
 * try {
 *   defineGrammar('bmp', 'U+0000..U+00FF = 00-7F');
 * } catch (error) {
 *   error instanceof GrammarError; // => true
 * }
 * ```
 */
export class GrammarError extends SyntaxError {
  /** The name of the class. */
  override readonly name = 'GrammarError';
}
