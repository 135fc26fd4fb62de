import { parseArgs } from 'node:util';
import { type Command, listOptions, type Option } from './option.js';
import { UsageError } from './usage-error.js';

/** A command line, read. */
export interface Parsed {
  readonly operands: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Reads the words after a command's name.
 *
 * @throws {@link UsageError} if they do not fit its declarations.
 */
export function parse(args: readonly string[], command: Command): Parsed {
  const declared = new Map(listOptions(command));
  const types = Array.from(declared, ([name, { short, value }]) => {
    const type: 'string' | 'boolean' = value ? 'string' : 'boolean';
    return [name, short ? { type, short } : { type }] as const;
  });
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    // Its own errors name no command, and guess nothing.
    strict: false,
    tokens: true,
  });
  const values: Record<string, unknown> = {};
  const operands: string[] = [];
  let addWord = (word: string): void => void operands.push(word);
  for (const token of tokens) {
    if (token.kind === 'positional') addWord(token.value);
    if (token.kind !== 'positional') addWord = (word) => void operands.push(word);
    if (token.kind !== 'option') continue;
    const { rawName: flag, inlineValue, value: text } = token;
    const { name } = token;
    const option = declared.get(name) ?? refuse(flag, command);
    if (!option.value) {
      if (text !== undefined) throw new UsageError(`${flag} accepts no value`);
      // The short form of --help asks for less.
      values[name] = name === 'help' ? flag : true;
      continue;
    }
    if (text === undefined || (!inlineValue && /^-\D/.test(text))) {
      throw new UsageError(`${flag} needs a value: ${flag} ${option.value}`);
    }
    const add = (word: string): void => {
      const value = readValue(word, flag, option);
      const isList = option.isRepeatable || option.isGreedy;
      values[name] = isList ? [...((values[name] as unknown[]) ?? []), value] : value;
    };
    add(text);
    if (option.isGreedy) addWord = add;
  }
  if (!values.help) complete(values, operands, command);
  return { operands, values };
}

/** Reads a value, or refuses it with the flag that it is for. */
export function readValue(text: string, flag: string, { choices, parse }: Option): unknown {
  if (!choices || choices.includes(text)) return parse ? parse(text, flag) : text;
  const expected = `expected ${choices.join(', ')}`;
  throw new UsageError(
    (guess) => `${flag} ${JSON.stringify(text)}: ${expected}${guess(text, choices)}`,
  );
}

function refuse(flag: string, command: Command): never {
  const names = listOptions(command).map(([name]) => name);
  throw new UsageError((guess) => {
    const meant = flag.startsWith('--') ? guess(flag.slice(2), names, '--') : '';
    return `unknown option ${flag}${meant}`;
  });
}

/** Adds defaults, and refuses missing and excess arguments. */
function complete(
  values: Record<string, unknown>,
  given: readonly string[],
  { options, operands }: Command,
): void {
  for (const [name, option] of Object.entries(options)) {
    if (values[name] !== undefined) continue;
    if (option.isRequired) throw new UsageError(`missing option --${name} ${option.value}`);
    if (option.default !== undefined) values[name] = readValue(option.default, `--${name}`, option);
  }
  const names = operands.split(' ').filter(Boolean);
  const most = operands.endsWith('...') ? given.length : names.length;
  if (given.length > most) {
    throw new UsageError(`unexpected argument ${JSON.stringify(given[most])}`);
  }
}
