/** Options of several commands. */
import { labels, type Vendor, vendors } from '@utf8/detect';
import { type FormatOptions, findFormat, formatNames, formats } from '@utf8/dump';
import * as repair from '@utf8/repair';
import type { Option, Options } from './option.js';
import { spellOption } from './spell-option.js';
import { UsageError } from './usage-error.js';
import { type Range, readRange, wholeNumber } from './value.js';

/** Declares an option that names an encoding. */
export const labelOption = <const More extends Partial<Option>>(
  help: string,
  more: More,
): { readonly value: 'LABEL'; readonly help: string } & More => ({
  value: 'LABEL',
  help,
  examples: labels,
  ...more,
});

export const vendorOption = {
  value: 'NAME',
  help: 'vendor whose encoding names apply',
  choices: vendors as readonly Vendor[],
} as const;

export const errorsOption = {
  value: 'POLICY',
  help: 'malformed bytes, and unencodable characters',
  choices: repair.errorsPolicies as readonly repair.ErrorsPolicy[],
  default: 'strict',
} as const;

export const nulOption = {
  value: 'POLICY',
  help: 'U+0000, in any spelling',
  choices: repair.nulPolicies as readonly repair.NulPolicy[],
} as const;

export const surrogatesOption = {
  aliases: ['lone-halves'],
  value: 'POLICY',
  help: 'unpaired UTF-16 surrogates, in records',
  choices: repair.surrogatePolicies as readonly repair.SurrogatePolicy[],
} as const;

export const equalJsonKeysOption = {
  value: 'POLICY',
  help: 'keys of one JSON object that become equal',
  choices: repair.equalKeyPolicies as readonly repair.EqualKeyPolicy[],
} as const;

export const mojibakeOption = {
  value: 'POLICY',
  help: 'UTF-8 that was read as Windows-1252, in records',
  choices: repair.mojibakePolicies as readonly repair.MojibakePolicy[],
} as const;

export const outputOption = {
  short: 'o',
  value: 'FILE',
  help: 'write FILE completely, or not at all',
  default: '-',
  shownDefault: 'stdout',
} as const;

export const jobsOption = {
  value: 'N',
  help: 'use N threads, up to 256',
  shownDefault: '1',
  parse: wholeNumber(256) as (text: string, flag: string) => number,
} as const;

export const rangeOption = {
  value: 'A-B',
  help: 'process only what begins in bytes A to B-1 of one file',
  parse: readRange as (text: string, flag: string) => Range,
} as const;

export const formatOption = {
  value: 'NAME',
  help: 'format of the records',
  choices: formatNames as readonly string[],
} as const;

/** The options of all formats by their spelling, each once. */
const dialect = new Map(
  formats.flatMap(({ options }) =>
    options.map(({ name, flag, help }) => {
      const [, spelling = name, value] = /^--([\w-]+)(?: <(.+)>)?$/.exec(flag) ?? [];
      const option: Option = value ? { help, value: value.toUpperCase() } : { help };
      return [spelling, { name, option }];
    }),
  ),
);

export const dialectOptions: Options = Object.fromEntries(
  Array.from(dialect, ([spelling, { option }]) => [spelling, option]),
);

/** Options of one of two inputs, such as `--source-delimiter`. */
export const sideOptions = (side: string): Options =>
  Object.fromEntries(
    Array.from(dialect, ([spelling, { option }]) => {
      const help = `like --${spelling}, for the ${side}`;
      return [`${side}-${spelling}`, option.value ? { help, value: option.value } : { help }];
    }),
  );

/** Tells whether a format has an option, by its name in `@utf8/dump`. */
export const acceptsOption = (format: string, option: string): boolean =>
  formats.some(
    ({ name, options }) => name === format && options.some((each) => each.name === option),
  );

/**
 * Gives options of one of two inputs the names that {@link readDialect} reads. Shared options apply to
 * every format that accepts them; if none does, to all, so that they are refused.
 */
export function selectDialect(
  values: Readonly<Record<string, unknown>>,
  side: string,
  format: string,
  all: readonly string[],
): Readonly<Record<string, unknown>> {
  const selected: Record<string, unknown> = { format };
  for (const [spelling, { name }] of dialect) {
    const accepts = (each: string): boolean => acceptsOption(each, name);
    const shared = accepts(format) || !all.some(accepts) ? values[spelling] : undefined;
    selected[spelling] = values[`${side}-${spelling}`] ?? shared;
  }
  return selected;
}

/**
 * Reads the options of a format: for `@utf8/dump`, and as words for another command line. Without a
 * format, they are refused, and so are `others`.
 */
export function readDialect(
  values: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): { readonly options: FormatOptions; readonly args: readonly string[] } {
  const format = values.format as string | undefined;
  const options: Record<string, string | boolean> = {};
  const args: string[] = [];
  const flags = [...dialect.keys(), ...others];
  const flag = flags.find((flag) => format === undefined && values[flag] !== undefined);
  if (flag) throw new UsageError(`--${flag} needs --format`);
  for (const [spelling, { name }] of dialect) {
    const value = values[spelling] as string | true | undefined;
    if (value === undefined) continue;
    options[name] = value === true ? !spelling.startsWith('no-') : value;
    args.push(...spellOption(spelling, value));
  }
  if (format === undefined) return { options, args };
  try {
    findFormat(format, options);
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    throw code === 'ERR_UTF8_USAGE' ? new UsageError(message) : error;
  }
  return { options, args: ['--format', format, ...args] };
}

/** Words an error in the policies of a repair with flags. */
export function wordWithFlags(error: Error & { code?: string }): never {
  if (error.code !== 'ERR_UTF8_REPAIR_OPTION') throw error;
  const flagged = error.message
    .replaceAll('unpairedSurrogates', 'unpaired-surrogates')
    .replaceAll('equalJsonKeys', 'equal-json-keys')
    .replace(/([\w-]+): '([\w-]+)'/g, '--$1 $2');
  throw new UsageError(flagged.replaceAll("'", ''));
}
