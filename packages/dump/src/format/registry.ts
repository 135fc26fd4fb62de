/** The formats. To add one, write its file and its line here. */
import { UsageError } from '../error.js';
import { opt, phrase } from '../phrase.js';
import { copy } from './copy.js';
import { csv, tsv } from './csv.js';
import type { Format, FormatDefinition, FormatOption, FormatOptions } from './format.js';
import { json } from './json.js';
import { jsonl } from './jsonl.js';
import { lines } from './lines.js';
import { mysqldump } from './mysqldump.js';
import { pgDump } from './pg-dump.js';
import { declareValues } from './shared/value-columns.js';
import { sqlite } from './sqlite-dump.js';
import { tab } from './tab.js';

/** Every format, in the order of help. `raw` is not among them: it belongs to the pipeline. */
export const formats: readonly FormatDefinition[] = [
  lines,
  copy,
  csv,
  tsv,
  tab,
  json,
  jsonl,
  mysqldump,
  pgDump,
  sqlite,
];

/** Names of the formats: values of the option `format`. */
export const formatNames: readonly string[] = formats.map(({ name }) => name);

/**
 * Finds a format by name.
 *
 * @param name - One of {@link formatNames}.
 * @param options - Options of the format by name, such as `{ delimiter: ';' }`.
 * @returns The reader and writer of records of the format.
 * @throws UsageError (`ERR_UTF8_USAGE`) if there is no such format, if it does not accept an option, or
 *   if an option is invalid.
 * @example
 * ```ts
 * import { findFormat } from '@utf8/dump/internal';
 *
 * findFormat('csv', { delimiter: ';' }).isLineBased; // => false
 * findFormat('jsonl').isLineBased; // => true
 * ```
 * @internal
 */
export function findFormat(name: string, options: FormatOptions = {}): Format {
  return declareValues(findDefinition(name, options).create(options), options);
}

/**
 * Returns options as plain data that needs no file.
 *
 * @param files - Names of the inputs, which may indicate their contents.
 * @throws {@link UsageError} as {@link findFormat} does.
 * @throws {@link InputError} if a file that an option names cannot be read.
 */
export function resolveOptions(
  name: string,
  options: FormatOptions = {},
  files: readonly string[] = [],
): FormatOptions {
  return findDefinition(name, options).resolve?.(options, files) ?? options;
}

function findDefinition(name: string, options: FormatOptions): FormatDefinition {
  const definition = formats.find((format) => format.name === name);
  if (!definition) {
    throw new UsageError(
      `unknown format ${JSON.stringify(name)}; expected ${formatNames.join(', ')}`,
    );
  }
  for (const [key, value] of Object.entries(options)) {
    if (value !== undefined) checkOption(definition, key, value);
  }
  return definition;
}

/** Tells whether an option of a format has a value other than the default. */
export function isSet(format: string, name: string, value: unknown): boolean {
  const option = findDefinition(format, {}).options.find((each) => each.name === name);
  return option !== undefined && value !== undefined && !isUsual(option, value);
}

/** Tells whether a switch has its default. */
const isUsual = ({ isSwitch, isOn = false }: FormatOption, value: unknown): boolean =>
  isSwitch === true && value === isOn;

function checkOption(format: FormatDefinition, key: string, value: unknown): void {
  const has = ({ options }: FormatDefinition): boolean => options.some(({ name }) => name === key);
  if (has(format)) return;
  const names = formats.filter(has).map(({ name }) => name);
  const option = formats.flatMap(({ options }) => options).find((each) => each.name === key);
  if (!option) throw new UsageError(`unknown format option ${JSON.stringify(key)}`);
  // As if it were not given.
  if (isUsual(option, value)) return;
  throw new UsageError(
    phrase`${opt(key)} applies to ${names.join(', ')}; remove it for ${opt('format', format.name)}`,
  );
}
