/** Options as they are declared: parsing, help, the man page and completions derive from this alone. */

export interface Option {
  /** The letter of the short form. */
  readonly short?: string;
  /** Placeholder for the value in help, such as `FILE`; undefined for a switch. */
  readonly value?: string;
  /** At most 60 characters. */
  readonly help: string;
  /** The only accepted values. */
  readonly choices?: readonly string[];
  /** Values to show and complete, where others are accepted too. */
  readonly examples?: readonly string[];
  /** The values in words, if help does not list the examples. */
  readonly shownValues?: string;
  /** The value if the option is absent. */
  readonly default?: string;
  /** The default in words, if it depends on something. */
  readonly shownDefault?: string;
  readonly isRequired?: boolean;
  /** True if each use adds a value. */
  readonly isRepeatable?: boolean;
  /** True if each word up to the next option is a value. */
  readonly isGreedy?: boolean;
  /** Reads the value, or throws a {@link UsageError}. */
  readonly parse?: (text: string, flag: string) => unknown;
}

/** Options by name, in the order of help; those of a group have its heading. */
export type Options = Readonly<Record<string, Option & { readonly group?: string }>>;

/** Values of options on a command line: text, the result of `parse`, or `true` for a switch. */
export type Values<Declared extends Options> = {
  readonly [Name in keyof Declared]:
    | Value<Declared[Name]>
    | (Declared[Name] extends { default: string } | { isRequired: true } ? never : undefined);
};

type Value<Declared extends Option> = Declared extends { value: string }
  ? Declared extends { isRepeatable: true } | { isGreedy: true }
    ? readonly Single<Declared>[]
    : Single<Declared>
  : true;

type Single<Declared extends Option> = Declared extends { parse: (...args: never) => infer Parsed }
  ? Parsed
  : Declared extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string;

/** A command as help and the parser see it. */
export interface Command {
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Such as `[FILE]`; with `...` there may be any number of them. */
  readonly operands: string;
  readonly options: Options;
  /** Names and summaries of commands within it, below their headings. */
  readonly commands?: readonly (readonly [
    name: string,
    summary: string,
    load: unknown,
    heading: string,
  ])[];
  /** Options that `-h` shows, at most ten; by default, all. */
  readonly common?: readonly string[];
  /** Paragraphs at the end. */
  readonly notes?: readonly string[];
  /** Command lines after `utf8 COMMAND`, each with its purpose. */
  readonly examples: readonly (readonly [args: string, purpose: string])[];
  /** Meanings of exit codes other than 2 and 3. */
  readonly exitCodes: Readonly<Record<number, string>>;
  /** Runs the command and returns the exit code. */
  readonly run: (operands: readonly string[], values: never) => Promise<number>;
}

/** Declares a command; its `run` gets the values of its options. */
export function defineCommand<const Declared extends Options>(
  command: Omit<Command, 'run' | 'options'> & {
    readonly options: Declared;
    readonly run: (operands: readonly string[], values: Values<Declared>) => Promise<number>;
  },
): Command {
  return command;
}

/** Puts options under a heading. */
export const group = <const Declared extends Options>(
  heading: string,
  options: Declared,
): Declared =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { ...option, group: heading }]),
  ) as unknown as Declared;

/** The options of a command in the order of help; those of every command come last. */
export const listOptions = ({ options }: Pick<Command, 'options'>): [string, Options[string]][] =>
  Object.entries({
    ...options,
    'no-color': { help: 'disable colour' },
    help: { short: 'h', help: 'print this help; -h is a summary' },
  });

/** An option as it is written: `-o, --output FILE`. */
export const spellOption = (name: string, { short, value }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
