/** The options of the libraries as flags of the command line. */
import type { Phrase } from '@utf8/dump';

/** Flags that are not the name of the option in kebab-case. */
const flags: Readonly<Record<string, string>> = {
  header: 'no-header',
  ignored: 'ignore',
  keys: 'key',
  limits: 'limit',
  tables: 'table',
  wantsStats: 'stats',
};

/** Names the flag of an option without its dashes, such as `fix-header` for `fixHeader`. */
export const nameFlag = (option: string): string =>
  flags[option] ?? option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function spellPart({ option, value }: Exclude<Phrase[number], string>): string {
  const flag = option === 'output' ? '-o' : `--${nameFlag(option)}`;
  if (value === undefined) return flag;
  return `${flag} ${/^[\w=-]+$/.test(value) ? value : `'${value}'`}`;
}

/** Writes a sentence of a library with flags. */
export const spellPhrase = (sentence: string | Phrase): string =>
  [sentence]
    .flat()
    .map((part) => (typeof part === 'string' ? part : spellPart(part)))
    .join('');

/** Writes the message of an error with flags, if it names options. */
export const describeError = ({ message, phrase }: Error & { readonly phrase?: Phrase }): string =>
  spellPhrase(phrase ?? message);
