/** `utf8 scan`: everything that a conversion of records would change, refuse or break. */

import type { Phrase } from '@utf8/dump';
import { type ScanFinding, scanDump } from '@utf8/dump';
import { findPolicy } from '@utf8/dump/internal';
import { isDatabaseUrl } from '../input/database-url.js';
import { listInputs } from '../input/inputs.js';
import * as shared from '../option/catalogue.js';
import { allowOption, rowOptions, serverOptions } from '../option/database.js';
import { describeError, spellPhrase } from '../option/flag.js';
import { type Command, defineCommand, group, type Options, type Values } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel, readNames, wholeNumber } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { catchSignals } from '../terminal/signals.js';
import { createStyle } from '../terminal/style.js';
import { formatNextCommands, spellFormat } from '../words/next-command.js';
import { summarizeScan } from '../words/scan-report.js';
import { seeReasons } from '../words/see.js';

/** Number of findings of each kind that the summary shows by default. */
const MOST = 3;

const MIXED = 'cesu-8+utf-8';

const options = {
  ...group('Encodings', {
    from: shared.labelOption('encoding of the input', { short: 'f', default: MIXED }),
    to: shared.labelOption('encoding of the output', { short: 't', default: 'utf-8' }),
    vendor: shared.vendorOption,
  }),
  ...group('Malformed text', {
    errors: shared.errorsOption,
    nul: { ...shared.nulOption, default: 'fail' },
    'unpaired-surrogates': { ...shared.surrogatesOption, default: 'fail' },
    'equal-json-keys': { ...shared.equalJsonKeysOption, shownDefault: 'fail' },
    noncharacters: { ...shared.noncharactersOption, default: 'keep' },
    controls: { ...shared.controlsOption, shownDefault: 'fail' },
    mojibake: { ...shared.mojibakeOption, default: 'keep' },
    'inner-lengths': { ...shared.innerLengthsOption, shownDefault: 'repair' },
  }),
  ...group('Records', {
    format: shared.formatOption,
    ...shared.dialectOptions,
    key: {
      value: 'COLUMNS',
      help: 'columns that identify a record, as in id or id,name',
      isRepeatable: true,
      parse: readNames,
    },
    limit: {
      value: 'COLUMN=MOST',
      help: 'maximum length: name=40b (bytes) or name=40c (characters)',
      isRepeatable: true,
    },
  }),
  ...group('Output', {
    report: { value: 'FILE', help: 'save all findings as JSON, one object per line' },
    json: { help: 'print all findings as JSON instead of a summary' },
    max: {
      value: 'N',
      help: 'show N findings of each kind',
      parse: wholeNumber(),
      shownDefault: `${MOST}`,
    },
  }),
  ...group('Run', {
    jobs: shared.jobsOption,
    range: shared.rangeOption,
    index: { value: 'FILE', help: 'save an index for ranges; with --range, use it' },
  }),
  ...group('Databases', { ...rowOptions, allow: allowOption, ...serverOptions }),
} as const;

export const command: Command = defineCommand({
  name: 'scan',
  description:
    'List what a conversion of files, or a repair of a database, would change, refuse or break.',
  operands: '[FILE|URL]...',
  options,
  notes: [
    'The summary ends with the `utf8 convert` or `utf8 repair` command lines to run next, one for each file or database. See utf8 repair --help for URLs.',
  ],
  common: [
    'from',
    'format',
    'json-columns',
    'schema',
    'fix-header',
    'key',
    'limit',
    'report',
    'json',
    'jobs',
  ],
  examples: [
    ['--key id dump.csv', 'Name records by their id, and find keys that become equal'],
    ['sqlite:app.db', 'List what a repair of a database would change'],
  ],
  exitCodes: {
    0: 'nothing found, or only findings that stay as they are',
    1: 'a conversion or repair would change, refuse or break something',
    75: 'another run is writing the same report; try again later',
  },
  async run(operands, values) {
    const { vendor, errors, nul, noncharacters, controls, mojibake, report, json, max } = values;
    const [url] = operands;
    if (isDatabaseUrl(url)) return scanLive(url, operands, values);
    const other = databaseOnly.find((name) => values[name] !== undefined);
    if (other) throw new UsageError(`--${other} is for databases, not for files`);
    const input = listInputs(operands, values);
    const dialect = shared.readDialect(values);
    if (max !== undefined && json) {
      throw new UsageError('--max limits the summary, which --json replaces; use one of them');
    }
    if (report === '-') throw new UsageError('--report needs a file; --json prints the same');
    const from = findLabel(values.from, '--from', vendor);
    const to = findLabel(values.to, '--to', vendor);
    const unpairedSurrogates = values['unpaired-surrogates'];
    const equalJsonKeys = values['equal-json-keys'];
    const innerLengths = values['inner-lengths'];
    const printer = new Printer(createStyle(json), true);
    catchSignals();
    const print = async (finding: ScanFinding): Promise<void> => {
      printer.add(formatJson({ type: 'finding', ...finding }));
      if (printer.isDue) await printer.print();
    };
    const options = {
      ...values,
      input,
      from,
      to,
      formatOptions: dialect.options,
      unpairedSurrogates,
      equalJsonKeys,
      innerLengths,
      keys: values.key?.flat(),
      limits: values.limit,
      max: max ?? MOST,
      onProgress: createProgress(),
      // Without it, only the findings of the summary leave the threads.
      onFinding: json ? print : undefined,
      onNotice: (_: string, notice: Phrase) => printer.say(`utf8: ${spellPhrase(notice)}`),
      onFailure: (_: string, error: Error) => printer.say(`utf8: ${describeError(error)}`),
    };
    const result = await scanDump(options);
    if (!json) {
      for (const line of summarizeScan(result)) printer.add(line);
      const policies = {
        from,
        to,
        'unpaired-surrogates': unpairedSurrogates,
        nul,
        errors,
        ...(equalJsonKeys && { 'equal-json-keys': equalJsonKeys }),
        ...(noncharacters === 'keep' ? {} : { noncharacters }),
        ...(controls && { controls }),
        ...(mojibake === 'keep' ? {} : { mojibake }),
        ...(innerLengths && { 'inner-lengths': innerLengths }),
      };
      const named = [...spellFormat(values, result), ...dialect.args];
      const next = formatNextCommands(result, named, policies, (name) => !!findPolicy(name));
      const shown = Object.values(result.examples).flat();
      const see = seeReasons(
        shown.map((finding) => ('reason' in finding ? finding.reason : undefined)),
      );
      if (next.length + see.length > 0) printer.add('');
      for (const line of see) printer.add(line);
      for (const line of next) printer.add(`Next: ${line}`);
    }
    if (json) printer.add(formatJson({ type: 'summary', ...result.toJSON() }));
    await printer.print();
    if (result.files.some(({ failed }) => failed)) return 3;
    if (result.files.every(({ declared }) => declared?.fits === 'all')) return 0;
    const kinds = Object.keys(result.findings) as (keyof typeof result.findings)[];
    return kinds.some((kind) => !result.suggested.includes(kind)) ? 1 : 0;
  },
});

/** Options that only databases have. */
const databaseOnly = ['table', 'column', 'allow', 'batch', 'lock-timeout'] as const;

/** Options that databases do not have, other than those of formats. */
const fileOnly = ['controls', 'format', 'key', 'limit', 'max', 'jobs', 'range', 'index'] as const;

/** Scans a database; refuses options that only files have. */
async function scanLive(
  url: string,
  operands: readonly string[],
  values: Values<typeof options>,
): Promise<number> {
  if (operands.length > 1) throw new UsageError('scan one database at a time');
  const {
    'json-columns': json,
    noncharacters,
    ...given
  } = values as typeof values & Readonly<Record<string, unknown>>;
  const dialect = Object.keys(shared.dialectOptions).filter((name) => name !== 'json-columns');
  const other =
    [...fileOnly, ...dialect].find((name) => given[name] !== undefined) ??
    (noncharacters === 'keep' ? undefined : 'noncharacters');
  if (other) throw new UsageError(`--${other} is for files, not for databases`);
  // The command to run next repeats only options that were given.
  const declared: Options = options;
  const chosen = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== declared[name]?.default),
  );
  const names = typeof json === 'string' ? readNames(json, '--json-columns') : undefined;
  const { scanUrl } = await import('../database/scan-database.js');
  return scanUrl(url, { ...chosen, 'json-columns': names });
}
