/** Guesses the word that a misspelled one was meant to be: ` (did you mean --json?)`, or nothing. */
export type Guess = (word: string, words: Iterable<string>, prefix?: string) => string;

/** Thrown if the command line makes no sense. Its message is one sentence for a person. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'ERR_UTF8_USAGE';
  /** Writes the sentence with the guesses that it has room for. */
  readonly write: (guess: Guess) => string;

  /** @param sentence - What makes it from guesses, which only a program that fails has to load. */
  constructor(sentence: string | ((guess: Guess) => string)) {
    const write = typeof sentence === 'string' ? () => sentence : sentence;
    super(write(() => ''));
    this.write = write;
  }
}
