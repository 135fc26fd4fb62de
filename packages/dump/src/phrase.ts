/**
 * Sentences that name options. They are plain data, which can pass between threads, so that a program words
 * the options in its own way: as the names of properties here, as flags on a command line.
 */

/** A sentence in parts: text, and options by their names in this package. */
export type Phrase = readonly (
  | string
  | {
      /** Name of the option, such as `fixHeader`. */
      readonly option: string;
      /** Value that the sentence gives it, such as `csv`; undefined if it gives none. */
      readonly value?: string | undefined;
    }
)[];

/** An option in a sentence, with its value if the sentence has one. */
export type NamedOption = Exclude<Phrase[number], string>;

/**
 * Names an option in a {@link phrase}, with its value if the sentence has one.
 *
 * @internal
 */
export const opt = (option: string, value?: string): NamedOption =>
  value === undefined ? { option } : { option, value };

/**
 * Makes a sentence of text, options and other phrases.
 *
 * @internal
 */
export const phrase = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number | NamedOption | Phrase | undefined)[]
): Phrase =>
  texts.flatMap((text, i) => {
    const value = values[i];
    const parts = typeof value === 'object' ? value : value === undefined ? [] : String(value);
    return [text, parts].flat().filter((part) => part !== '');
  });

/** Joins sentences with a word between them. */
export const joinPhrases = (phrases: readonly Phrase[], word: string): Phrase =>
  phrases.flatMap((each, i) => (i === 0 ? each : [word, ...each]));

/**
 * Writes a sentence.
 *
 * @param nameOption - Words an option; by default as code, such as `` `format: 'csv'` ``.
 * @internal
 */
export const wordPhrase = (
  sentence: string | Phrase,
  nameOption: (option: string, value: string | undefined) => string = nameAsCode,
): string =>
  typeof sentence === 'string'
    ? sentence
    : sentence
        .map((part) => (typeof part === 'string' ? part : nameOption(part.option, part.value)))
        .join('');

const nameAsCode = (option: string, value: string | undefined): string =>
  value === undefined ? `\`${option}\`` : `\`${option}: '${value}'\``;

/**
 * Receives a notice.
 *
 * @param sentence - A sentence, without a full stop.
 * @param phrase - The same in parts, for a program that words options in its own way.
 * @returns Nothing, or a promise that the run waits for.
 */
export type OnNotice = (sentence: string, phrase: Phrase) => unknown;

/** Passes a notice on, if anything receives notices. */
export const notify = (onNotice: OnNotice | undefined, sentence: string | Phrase): unknown =>
  onNotice?.(wordPhrase(sentence), phrase`${sentence}`);
