/** `utf8 repair`: the text of a live database, in place. */
import { emitRepair, type LookReport, repairDatabase } from '@utf8/database';
import { type DatabaseHazard, databaseHazards } from '@utf8/dump/internal';
import {
  addCommand,
  addLook,
  discardAtStop,
  findExitCode,
  readOptions,
  requireFiles,
} from '../database/live.js';
import * as shared from '../option/catalogue.js';
import { allowOption, LONGEST, rowOptions, serverOptions } from '../option/database.js';
import { type Command, defineCommand, group, type Values } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { readNames, wholeNumber } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createStyle } from '../terminal/style.js';
import { hasMisdeclared, summarizeLook, summarizeRepair } from '../words/repair-report.js';

const options = {
  ...group('Encodings', {
    from: {
      ...shared.labelOption('encoding of the text', { short: 'f' }),
      shownDefault: 'cesu-8+utf-8',
    },
    to: {
      ...shared.labelOption('encoding that the text should have', { short: 't' }),
      shownDefault: 'utf-8',
    },
    vendor: shared.vendorOption,
  }),
  ...group('Malformed text', {
    errors: {
      value: 'POLICY',
      help: shared.errorsOption.help,
      examples: shared.errorsOption.examples,
      shownValues: shared.errorsOption.shownValues,
      parse: shared.errorsOption.parse,
      shownDefault: shared.errorsOption.default,
    },
    nul: { ...shared.nulOption, shownDefault: 'fail' },
    'unpaired-surrogates': {
      ...shared.surrogatesOption,
      help: 'unpaired UTF-16 surrogates',
      shownDefault: 'fail',
    },
    'equal-json-keys': { ...shared.equalJsonKeysOption, shownDefault: 'fail' },
    mojibake: {
      ...shared.mojibakeOption,
      help: 'UTF-8 read as a legacy encoding',
      shownDefault: 'keep',
    },
    'inner-lengths': { ...shared.innerLengthsOption, shownDefault: 'repair' },
  }),
  ...group('Rows', {
    ...rowOptions,
    'json-columns': {
      value: 'TABLE.COLUMN',
      help: 'text columns that contain JSON, separated by commas',
      isRepeatable: true,
      parse: readNames,
    },
    allow: allowOption,
    'stop-at': {
      value: 'HAZARD',
      help: 'end the run at HAZARD instead of skipping the row',
      choices: databaseHazards as readonly DatabaseHazard[],
      isRepeatable: true,
    },
  }),
  ...group('Repair', {
    undo: { value: 'FILE', help: 'save an undo log for `utf8 revert` as the new file FILE' },
    resume: { help: 'resume an interrupted run, with its undo log' },
    emit: {
      value: 'KIND',
      help: 'write SQL statements to -o FILE, and change nothing',
      choices: ['sql'],
    },
    output: {
      short: 'o',
      value: 'FILE',
      help: 'file for --emit; statements that undo it are next to it',
    },
  }),
  ...group('Output', {
    report: { value: 'FILE', help: 'save all findings as JSON, one object per line' },
    json: { help: 'print the report as JSON instead of a summary' },
  }),
  ...group('Run', {
    pause: {
      value: 'MS',
      help: 'wait MS milliseconds between transactions',
      parse: wholeNumber(LONGEST),
    },
    ...serverOptions,
  }),
} as const;

type Given = Values<typeof options>;

export const command: Command = defineCommand({
  name: 'repair',
  description: 'Repair the text of a live database in place: SQLite, MariaDB, MySQL or PostgreSQL.',
  operands: 'URL',
  options,
  notes: [
    'URL is sqlite:FILE, mysql://USER@HOST/DATABASE, mariadb://… or postgres://…. First run utf8 scan URL: it writes nothing, lists the findings and hazards, and ends with the command to run next.',
    'Install the driver first: mysql2, pg, or better-sqlite3 if Node has no node:sqlite. utf8 searches for it next to its own files and in the folder that UTF8_DRIVERS names, never in the current directory. Put passwords in MYSQL_PWD, PGPASSWORD or ~/.pgpass: other users of the computer can see command lines.',
  ],
  common: ['from', 'unpaired-surrogates', 'mojibake', 'table', 'allow', 'undo', 'resume', 'json'],
  examples: [
    ['sqlite:app.db --undo app.undo.jsonl', 'Repair a database, and save an undo log'],
    [
      'mysql://me@db.example/shop --undo shop.jsonl --allow equal-keys --pause 50',
      'Repair a database while others use it',
    ],
  ],
  exitCodes: {
    0: 'nothing is left to repair',
    1: 'left some text unrepaired',
    75: 'another run is repairing the same database; try again later',
  },
  async run([url], given) {
    if (url === undefined) {
      throw new UsageError('missing database URL, such as sqlite:app.db');
    }
    refuseCombinations(given);
    discardAtStop(given.undo === undefined ? undefined : 'the same command with --resume');
    const printer = new Printer(createStyle(given.json), true);
    const { undo } = given;
    const result = await (undo === undefined
      ? emit(url, given, printer)
      : repair(url, given, undo, printer));
    await printer.print();
    return result;
  },
});

/** Options that need another one. */
const needed = [
  ['resume', 'undo'],
  ['pause', 'undo'],
  ['emit', 'output'],
  ['output', 'emit'],
] as const;

function refuseCombinations(given: Given): void {
  for (const [flag, other] of needed) {
    if (given[flag] !== undefined && given[other] === undefined) {
      throw new UsageError(`--${flag} needs --${other} ${options[other].value}`);
    }
  }
  if (given.undo !== undefined && given.emit !== undefined) {
    throw new UsageError('--emit and --undo cannot be combined; use one of them');
  }
  if (given.undo === undefined && given.emit === undefined) {
    throw new UsageError('missing option --undo FILE; utf8 scan URL only lists what it would do');
  }
  requireFiles(given);
}

const readAll = (url: string, given: Given) =>
  readOptions(url, { ...given, 'json-columns': given['json-columns']?.flat() });

async function emit(url: string, given: Given, printer: Printer): Promise<number> {
  const { output = '', json } = given;
  const inverse = `${output}.undo`;
  const result = await emitRepair({ ...readAll(url, given), output, inverse });
  if (json) printer.add(formatJson({ type: 'summary', ...result }));
  else {
    addLook(printer, result, given.allow);
    if (!result.stopped) {
      printer.add('');
      printer.add(`Statements: ${output}; statements that undo them: ${inverse}`);
    }
  }
  return result.stopped || (result.found?.skipped ?? 0) > 0 ? 1 : 0;
}

async function repair(url: string, given: Given, undo: string, printer: Printer): Promise<number> {
  const { json, allow = [] } = given;
  const result = await repairDatabase({
    ...readAll(url, given),
    undo,
    resume: given.resume,
    pause: given.pause,
    // A person who waits can read what will happen, and interrupt it.
    async onLook(found: LookReport) {
      if (json) return;
      for (const line of summarizeLook(found, allow)) printer.add(line);
      await printer.print();
    },
  });
  if (json) printer.add(formatJson({ type: 'summary', ...result }));
  else {
    if (result.found) printer.add('');
    for (const line of summarizeRepair(result, allow)) printer.add(line);
    const { values = 0, declared = 0 } = result.repaired ?? {};
    // Its triggers and histories have to be allowed again.
    const again = allow.filter((hazard) => hazard === 'trigger' || hazard === 'history');
    if (values + declared > 0) addCommand(printer, 'Undo', 'revert', url, { allow: again, undo });
  }
  const code = findExitCode(result);
  const look = result.left ?? result.found;
  return code === 0 && given.mojibake === 'repair' && look && hasMisdeclared(look) ? 1 : code;
}
