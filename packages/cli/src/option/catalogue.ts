/** Options of several commands. */
import { labels, type Vendor, vendors } from '@utf8/detect';
import { type FormatOptions, formatNames } from '@utf8/dump';
import { findFormat, formats } from '@utf8/dump/internal';
import * as repair from '@utf8/repair';
import { describeError, nameFlag, spellPhrase } from './flag.js';
import type { Option, Options } from './option.js';
import { readValue } from './parse.js';
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
  help: "use this vendor's names (Oracle's UTF8 is CESU-8)",
  choices: vendors as readonly Vendor[],
} as const;

/** Reads a policy, or a label of the encoding that is the policy. */
function readErrors(text: string, flag: string): repair.ErrorsPolicy {
  const policy = repair.findErrorsPolicy(text);
  if (policy) return policy;
  const expected = `expected ${errorsOption.shownValues}`;
  throw new UsageError(
    (guess) => `${flag} ${JSON.stringify(text)}: ${expected}${guess(text, repair.errorsPolicies)}`,
  );
}

export const errorsOption = {
  value: 'POLICY',
  help: 'invalid bytes, and characters the target lacks',
  examples: repair.errorsPolicies,
  shownValues: `${repair.errorsPolicies.slice(0, 4).join(', ')}, or a single-byte encoding such as windows-1252`,
  parse: readErrors,
  default: 'fail',
} as const;

export const nulOption = {
  value: 'POLICY',
  help: 'U+0000, escaped or not',
  choices: repair.nulPolicies as readonly repair.NulPolicy[],
} as const;

export const surrogatesOption = {
  value: 'POLICY',
  help: 'unpaired UTF-16 surrogates, in records',
  choices: repair.surrogatePolicies as readonly repair.SurrogatePolicy[],
} as const;

export const equalJsonKeysOption = {
  value: 'POLICY',
  help: 'keys of one JSON object that become equal',
  choices: repair.equalKeyPolicies as readonly repair.EqualKeyPolicy[],
} as const;

export const noncharactersOption = {
  value: 'POLICY',
  help: 'noncharacters such as U+FFFE, in records',
  choices: repair.noncharacterPolicies as readonly repair.NoncharacterPolicy[],
} as const;

export const controlsOption = {
  value: 'POLICY',
  help: 'controls that XML excludes, in columns of XML',
  choices: repair.controlPolicies as readonly repair.ControlPolicy[],
} as const;

export const mojibakeOption = {
  value: 'POLICY',
  help: 'UTF-8 read as a legacy encoding, in records',
  choices: repair.mojibakePolicies as readonly repair.MojibakePolicy[],
} as const;

export const innerLengthsOption = {
  value: 'POLICY',
  help: "lengths such as PHP's s:6: that become wrong",
  choices: repair.innerLengthPolicies as readonly repair.InnerLengthPolicy[],
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
  help: 'process records that start in bytes A to B-1 of one file',
  parse: readRange as (text: string, flag: string) => Range,
} as const;

export const formatOption = {
  value: 'NAME',
  help: 'format of the records',
  choices: formatNames as readonly string[],
  shownDefault: 'recognised',
} as const;

/** Name of plain text as a value of `--format`. */
export const PLAIN = 'none';

/** The options of all formats by their flags, each once. */
const dialect = new Map(
  formats.flatMap(({ options }) =>
    options.map(({ name, value, help: sentence, isOn = false }) => {
      const help = spellPhrase(sentence);
      const option: Option = value ? { help, value: value.toUpperCase() } : { help };
      return [nameFlag(name), { name, option, isOn }];
    }),
  ),
);

export const dialectOptions: Options = Object.fromEntries(
  Array.from(dialect, ([spelling, { option }]) => [spelling, option]),
);

/** Text that stands for NULL; no option of a format, since only a comparison reads it. */
export const nullOption = { value: 'TEXT', help: 'unquoted text that stands for NULL' } as const;

/** An option of one of two inputs: its name, and its value, or true for a switch. */
type SideOption = readonly [key: string, value: string | true];

/** The options that one of two inputs can have for itself, by name. */
const sideKeys: Options = { format: formatOption, null: nullOption, ...dialectOptions };

/** Declares the option that gives one of two inputs an option of its own, as in `--source delimiter=;`. */
export const sideOption = (side: string) =>
  ({
    value: 'KEY=VALUE',
    help: `option of the ${side} alone, such as delimiter=";"`,
    isRepeatable: true,
    examples: Object.entries(sideKeys).map(([key, { value }]) => (value ? `${key}=` : key)),
    shownValues: `${Object.keys(sideKeys).join(', ')}, each as the option of that name`,
    parse: readSideOption,
  }) as const;

function readSideOption(text: string, flag: string): SideOption {
  const [, key = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const option = sideKeys[key];
  const given = `${flag} ${JSON.stringify(text)}`;
  if (!option) {
    const keys = Object.keys(sideKeys);
    throw new UsageError(
      (guess) => `${given}: unknown key${guess(key, keys)}; expected ${keys.join(', ')}`,
    );
  }
  if (!option.value) {
    if (value === undefined) return [key, true];
    throw new UsageError(`${given}: ${key} accepts no value`);
  }
  if (value === undefined) {
    throw new UsageError(`${given}: ${key} needs a value: ${flag} ${key}=${option.value}`);
  }
  return [key, readValue(value, `${flag} ${key}`, option) as string];
}

/** Collects the options of one of two inputs by name. */
export function readSide(
  side: string,
  options: readonly SideOption[] = [],
): Readonly<Record<string, string | true>> {
  const keys = options.map(([key]) => key);
  const twice = keys.find((key, i) => keys.indexOf(key) < i);
  if (twice) throw new UsageError(`--${side} ${twice} is given twice; remove one of them`);
  return Object.fromEntries(options);
}

/** Tells whether a format has an option, by its name in `@utf8/dump`. */
export const acceptsOption = (format: string, option: string): boolean =>
  formats.some(
    ({ name, options }) => name === format && options.some((each) => each.name === option),
  );

/**
 * Selects the options of one of two inputs for {@link readDialect}: its own, then shared ones. Those apply
 * to every format that accepts them; if none does, to all, so that they are refused.
 */
export function selectDialect(
  values: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
  format: string,
  all: readonly string[],
): Readonly<Record<string, unknown>> {
  const selected: Record<string, unknown> = { format };
  for (const [spelling, { name }] of dialect) {
    const accepts = (each: string): boolean => acceptsOption(each, name);
    const shared = accepts(format) || !all.some(accepts) ? values[spelling] : undefined;
    selected[spelling] = own[spelling] ?? shared;
  }
  return selected;
}

/**
 * Reads the options of a format: for `@utf8/dump`, and as words for another command line. For plain text,
 * they are refused, and so are `others`.
 */
export function readDialect(
  values: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): { readonly options: FormatOptions; readonly args: readonly string[] } {
  const format = values.format as string | undefined;
  const options: Record<string, string | boolean> = {};
  const args: string[] = [];
  const flags = [...dialect.keys(), ...others];
  const flag = flags.find((flag) => format === PLAIN && values[flag] !== undefined);
  if (flag) throw new UsageError(`--${flag} needs a format with records, not --format ${PLAIN}`);
  for (const [spelling, { name, isOn }] of dialect) {
    const value = values[spelling] as string | true | undefined;
    if (value === undefined) continue;
    options[name] = value === true ? !isOn : value;
    args.push(...spellOption(spelling, value));
  }
  if (format === undefined || format === PLAIN) return { options, args };
  try {
    findFormat(format, options);
  } catch (error) {
    const failure = error as Error & { code?: unknown };
    throw failure.code === 'ERR_UTF8_USAGE' ? new UsageError(describeError(failure)) : failure;
  }
  return { options, args: ['--format', format, ...args] };
}
