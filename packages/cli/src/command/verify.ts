/** `utf8 verify`: compares the source of a migration with its target, by key. */
import { type VerifyFinding, type VerifySide, verifyDump } from '@utf8/dump';
import { recognizeFile } from '@utf8/dump/internal';
import * as shared from '../option/catalogue.js';
import { spellPhrase } from '../option/flag.js';
import { type Command, defineCommand, group } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel, readNames, wholeNumber } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { catchSignals } from '../terminal/signals.js';
import { createStyle } from '../terminal/style.js';
import { summarizeVerify } from '../words/verify-report.js';

/** Number of findings of each class that the summary shows by default. */
const MOST = 3;

const MIXED = 'cesu-8+utf-8';

export const command: Command = defineCommand({
  name: 'verify',
  description: 'Compare the source of a migration with its target by key, in any order and format.',
  operands: 'SOURCE TARGET',
  options: {
    ...group('Encodings', {
      from: shared.labelOption('encoding of the source', { short: 'f', default: MIXED }),
      to: shared.labelOption('encoding of the target', { short: 't', default: 'utf-8' }),
      vendor: shared.vendorOption,
    }),
    ...group('Policies of the conversion', {
      errors: shared.errorsOption,
      nul: { ...shared.nulOption, default: 'fail' },
      'unpaired-surrogates': { ...shared.surrogatesOption, default: 'fail' },
      noncharacters: { ...shared.noncharactersOption, default: 'keep' },
      controls: { ...shared.controlsOption, shownDefault: 'fail' },
      mojibake: { ...shared.mojibakeOption, default: 'keep' },
      'inner-lengths': { ...shared.innerLengthsOption, shownDefault: 'repair' },
      rejects: { value: 'FILE', help: 'rejected records, in the format of the source' },
    }),
    ...group('Records', {
      key: {
        value: 'COLUMNS',
        help: 'columns that identify a record, as in id or id,name',
        isRepeatable: true,
        parse: readNames,
      },
      table: {
        value: 'NAME',
        help: 'compare only this table; OLD=NEW if it was renamed',
        isRepeatable: true,
      },
      ignore: {
        value: 'COLUMNS',
        help: 'columns not to compare',
        isRepeatable: true,
        parse: readNames,
      },
      'ignore-spelling': { help: 'accept other spellings of numbers, times, blobs, …' },
      format: { ...shared.formatOption, help: 'format of both sides' },
      null: shared.nullOption,
      ...shared.dialectOptions,
      source: shared.sideOption('source'),
      target: shared.sideOption('target'),
    }),
    ...group('Output', {
      report: { value: 'FILE', help: 'save all findings as JSON, one object per line' },
      json: { help: 'print all findings as JSON instead of a summary' },
      max: {
        value: 'N',
        help: 'show N findings of each class',
        parse: wholeNumber(),
        shownDefault: `${MOST}`,
      },
    }),
  },
  notes: [
    'A table without a column of --key is compared by whole records: a changed record counts as one missing and one extra record.',
  ],
  common: [
    'from',
    'unpaired-surrogates',
    'rejects',
    'key',
    'table',
    'format',
    'source',
    'target',
    'report',
    'json',
  ],
  examples: [
    ['--key id old.sql new.sql', 'Compare two dumps, table by table'],
    [
      '--table users --key id --target columns=id,name old.sql users.csv',
      'Compare a table of a dump with the CSV of COPY users TO STDOUT',
    ],
  ],
  exitCodes: {
    0: 'equal, except as the policies, --rejects and --ignore-spelling explain',
    1: 'a record or value is missing, extra or different, or there are no records',
    75: 'another run is writing the same report; try again later',
  },
  async run(operands, values) {
    const { vendor, report, json, max, format, nul, errors } = values;
    const [source, target, ...others] = operands;
    if (source === undefined || target === undefined || others.length > 0) {
      throw new UsageError('expected two files, SOURCE and TARGET');
    }
    if (max !== undefined && json) {
      throw new UsageError('--max limits the summary, which --json replaces; use one of them');
    }
    if (report === '-') throw new UsageError('--report needs a file; --json prints the same');
    const printer = new Printer(createStyle(json), true);
    catchSignals();
    const print = async (finding: VerifyFinding): Promise<void> => {
      printer.add(formatJson({ type: 'finding', ...finding }));
      if (printer.isDue) await printer.print();
    };
    const sides = [
      { input: source, own: shared.readSide('source', values.source) },
      { input: target, own: shared.readSide('target', values.target) },
    ];
    const found = await Promise.all(
      sides.map(async ({ input, own }) => {
        const name = own.format ?? format;
        if (typeof name === 'string') return { format: name, formatOptions: {} };
        return recognizeFile(input, (_, notice) => printer.say(`utf8: ${spellPhrase(notice)}`));
      }),
    );
    const formats = found.map((each) => each.format);
    /** Tells whether a format has a text for NULL. */
    const hasNull = (name: string): boolean => shared.acceptsOption(name, 'columns');
    const readSide = ({ input, own }: (typeof sides)[number], i: number): VerifySide => {
      const name = formats[i] as string;
      const { options } = shared.readDialect(shared.selectDialect(values, own, name, formats));
      const formatOptions = { ...found[i]?.formatOptions, ...options };
      const sharedNull = hasNull(name) || !formats.some(hasNull) ? values.null : undefined;
      return { input, format: name, formatOptions, null: (own.null as string) ?? sharedNull };
    };
    const [one, other] = sides.map(readSide) as [VerifySide, VerifySide];
    const result = await verifyDump({
      source: one,
      target: other,
      from: findLabel(values.from, '--from', vendor),
      to: findLabel(values.to, '--to', vendor),
      errors,
      nul,
      unpairedSurrogates: values['unpaired-surrogates'],
      noncharacters: values.noncharacters,
      controls: values.controls,
      mojibake: values.mojibake,
      innerLengths: values['inner-lengths'],
      keys: values.key?.flat(),
      ignored: values.ignore?.flat(),
      tables: values.table,
      rejects: values.rejects,
      ignoreSpelling: values['ignore-spelling'],
      report,
      max: max ?? MOST,
      onFinding: json ? print : undefined,
      onProgress: createProgress(),
    });
    if (!json) for (const line of summarizeVerify(result)) printer.add(line);
    if (json) printer.add(formatJson({ type: 'summary', ...result.toJSON() }));
    await printer.print();
    return result.isProved ? 0 : 1;
  },
});
