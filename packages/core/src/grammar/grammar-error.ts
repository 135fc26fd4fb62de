/** Thrown by `defineGrammar` and the compiler; the message names the row and the law that it breaks. */
export class GrammarError extends SyntaxError {
  override readonly name = 'GrammarError';
}
