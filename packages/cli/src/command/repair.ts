/** `utf8 repair`: the text of a live database, in place. */
import {
  discardTemporaryFiles,
  emitRepair,
  type HazardActions,
  type LookReport,
  type RepairReport,
  repairDatabase,
  undoRepair,
} from '@utf8/database';
import { labelFor } from '@utf8/detect';
import { discard } from '../input/inputs.js';
import * as shared from '../option/catalogue.js';
import { type Command, defineCommand, group, type Values } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { findLabel, wholeNumber } from '../option/value.js';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { sayAtOnce } from '../terminal/say.js';
import { beforeStop } from '../terminal/signals.js';
import { hazardChoices, readActions } from '../words/database-hazard.js';
import { formatRepairCommand, nameAfterDatabase } from '../words/repair-command.js';
import {
  summarizeLook,
  summarizeProduct,
  summarizeRepair,
  summarizeUndo,
} from '../words/repair-report.js';

const MIXED = 'cesu-8+utf-8';

/** The longest time that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

const options = {
  ...group('Encodings', {
    from: {
      ...shared.labelOption('encoding of the text', { short: 'f' }),
      shownDefault: MIXED,
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
      choices: shared.errorsOption.choices,
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
      help: 'UTF-8 that was read as Windows-1252',
      shownDefault: 'keep',
    },
  }),
  ...group('Rows', {
    table: { value: 'TABLE', help: 'only this table', isRepeatable: true },
    column: { value: 'TABLE.COLUMN', help: 'only this column', isRepeatable: true },
    on: {
      value: 'HAZARD=ACTION',
      help: 'what to do with rows that a repair would break',
      choices: hazardChoices,
      isRepeatable: true,
    },
  }),
  ...group('Repair', {
    journal: { value: 'FILE', help: 'repair, and save an undo journal as the new file FILE' },
    'dry-run': { help: 'write nothing, even with --journal' },
    resume: { help: 'resume the interrupted run of --journal' },
    undo: { help: 'restore the old values from --journal' },
    emit: {
      value: 'KIND',
      help: 'write SQL statements to -o FILE, and change nothing',
      choices: ['sql'],
    },
    output: {
      short: 'o',
      value: 'FILE',
      help: 'file for --emit; the undo statements are saved next to it',
    },
  }),
  ...group('Output', {
    report: { value: 'FILE', help: 'save all findings as JSON, one object per line' },
    json: { help: 'print the report as JSON instead of a summary' },
  }),
  ...group('Run', {
    batch: {
      value: 'N',
      help: 'rows per transaction',
      parse: wholeNumber(100_000),
      shownDefault: '1000',
    },
    pause: {
      value: 'MS',
      help: 'wait MS milliseconds between transactions',
      parse: wholeNumber(LONGEST),
    },
    'lock-timeout': {
      value: 'MS',
      help: 'wait at most MS milliseconds for a lock',
      parse: wholeNumber(LONGEST),
      shownDefault: "the server's",
    },
  }),
} as const;

type Given = Values<typeof options>;

export const command: Command = defineCommand({
  name: 'repair',
  description: 'Repair the text of a live database in place: SQLite, MariaDB, MySQL or PostgreSQL.',
  operands: 'URL',
  options,
  notes: [
    'URL is sqlite:FILE, mysql://USER@HOST/DATABASE, mariadb://… or postgres://…. Without --journal, nothing is written: the report lists the findings, and ends with the command to run next.',
    'Install the driver first: mysql2, pg, or better-sqlite3 if Node has no node:sqlite. utf8 searches for it next to its own files and in the folder that UTF8_DRIVERS names, never in the current directory. Put passwords in MYSQL_PWD, PGPASSWORD or ~/.pgpass: other users of the computer can see command lines.',
  ],
  examples: [
    ['sqlite:app.db', 'Report what a repair would change'],
    [
      'mysql://me@db.example/shop --journal shop.jsonl --on collision=suffix --pause 50',
      'Repair a database while others use it',
    ],
  ],
  exitCodes: {
    0: 'nothing is left to repair',
    1: 'found text to repair, or left some unrepaired',
    75: 'another run is repairing the same database; try again later',
  },
  async run([url], given) {
    if (url === undefined) {
      throw new UsageError('missing database URL, such as sqlite:app.db');
    }
    refuseCombinations(given);
    beforeStop(() => {
      discardTemporaryFiles();
      discard();
      if (given.journal === undefined || given['dry-run']) return;
      const same = given.undo ? 'the same command' : 'the same command with --resume';
      sayAtOnce(`utf8: interrupted; what was committed stays, and ${same} continues`);
    });
    const printer = new Printer();
    const result = await (given.undo ? undo : repair)(url, given, printer).catch(
      shared.wordWithFlags,
    );
    await printer.print();
    return result;
  },
});

/** Options that need another one. */
const needed = [
  ['resume', 'journal'],
  ['undo', 'journal'],
  ['pause', 'journal'],
  ['dry-run', 'journal'],
  ['emit', 'output'],
  ['output', 'emit'],
] as const;

/** What would be ignored. */
const excluded: Readonly<Record<'undo' | 'emit' | 'dry-run', readonly (keyof Given)[]>> = {
  undo: [
    ...['from', 'to', 'vendor', 'errors', 'nul', 'unpaired-surrogates', 'equal-json-keys'],
    ...['mojibake', 'table', 'column', 'dry-run', 'resume', 'emit', 'output', 'report', 'pause'],
  ] as (keyof Given)[],
  emit: ['journal', 'dry-run', 'resume', 'pause'],
  'dry-run': ['resume'],
};

function refuseCombinations(given: Given): void {
  for (const [flag, other] of needed) {
    if (given[flag] !== undefined && given[other] === undefined) {
      throw new UsageError(
        `--${flag} needs --${other}${options[other].value ? ` ${options[other].value}` : ''}`,
      );
    }
  }
  for (const flag of ['undo', 'emit', 'dry-run'] as const) {
    const other = given[flag] && excluded[flag].find((each) => given[each] !== undefined);
    if (other) throw new UsageError(`--${flag} and --${other} cannot be combined; use one of them`);
  }
  for (const flag of ['journal', 'output', 'report'] as const) {
    if (given[flag] === '-') throw new UsageError(`--${flag} needs a file, not stdout`);
  }
}

const notify = (notice: string): void => sayAtOnce(`utf8: ${notice}`);

async function repair(url: string, given: Given, printer: Printer): Promise<number> {
  const { vendor, json = false, journal, output } = given;
  const on = readActions(given.on);
  const options = {
    url,
    from: findLabel(given.from ?? MIXED, '--from', vendor),
    to: findLabel(given.to ?? labelFor('utf-8'), '--to', vendor),
    errors: given.errors,
    nul: given.nul,
    unpairedSurrogates: given['unpaired-surrogates'],
    equalJsonKeys: given['equal-json-keys'],
    mojibake: given.mojibake,
    tables: given.table,
    columns: given.column,
    on,
    batch: given.batch,
    lockTimeout: given['lock-timeout'],
    report: given.report,
    onProgress: createProgress('rows'),
    onNotice: notify,
  };
  if (output !== undefined) {
    const inverse = `${output}.undo`;
    const result = await emitRepair({ ...options, output, inverse });
    if (json) printer.add(formatJson(result));
    else {
      addLook(printer, result, on);
      if (!result.stopped) {
        printer.add('');
        printer.add(`Statements: ${output}; what undoes them: ${inverse}`);
      }
    }
    return result.stopped || (result.found?.skipped ?? 0) > 0 ? 1 : 0;
  }
  const writes = journal !== undefined && !given['dry-run'];
  const result = await repairDatabase({
    ...options,
    journal,
    resume: given.resume,
    dryRun: given['dry-run'],
    pause: given.pause,
    // A person who waits can read what will happen, and interrupt it.
    async onLook(found: LookReport) {
      if (json) return;
      for (const line of summarizeLook(found, on)) printer.add(line);
      await printer.print();
    },
  });
  if (json) printer.add(formatJson(result));
  else if (writes) {
    if (result.found) printer.add('');
    for (const line of summarizeRepair(result, on)) printer.add(line);
    if (result.repaired && result.repaired.values > 0) addUndo(printer, url, given);
  } else {
    addLook(printer, result, on);
    const { candidates = 0, skipped = 0 } = result.found ?? {};
    const journal = given.journal ?? nameAfterDatabase(url);
    if (candidates > skipped && !result.stopped) {
      addCommand(printer, 'Next', url, { ...given, 'dry-run': undefined, journal });
    }
  }
  return findExitCode(result);
}

function addLook(printer: Printer, result: RepairReport, on: Partial<HazardActions>): void {
  printer.add(summarizeProduct(result));
  if (!result.found) return;
  for (const line of summarizeLook(result.found, on)) printer.add(line);
}

/** The command line that undoes a repair; its triggers and histories have to be allowed again. */
function addUndo(printer: Printer, url: string, given: Given): void {
  const on = given.on?.filter((word) => /^(?:trigger=fire|history=accept)$/.test(word));
  addCommand(printer, 'Undo', url, { on, undo: true, journal: given.journal });
}

function addCommand(
  printer: Printer,
  title: string,
  url: string,
  values: Readonly<Record<string, unknown>>,
): void {
  const { line, leavesOut } = formatRepairCommand(url, values);
  printer.add('');
  printer.add(`${title}: ${line}`);
  if (leavesOut) printer.add(`(the password is left out; ${leavesOut})`);
}

/** What the integrity check reports may be older than this run, but it must not go unnoticed. */
function findExitCode({ found, left, stopped, problems }: RepairReport): number {
  if (problems.length > 0) return 3;
  return stopped || ((left ?? found)?.candidates ?? 0) > 0 ? 1 : 0;
}

async function undo(url: string, given: Given, printer: Printer): Promise<number> {
  const { journal = '', json } = given;
  const result = await undoRepair({
    url,
    journal,
    // Other hazards and actions are refused there.
    on: readActions(given.on) as Parameters<typeof undoRepair>[0]['on'],
    batch: given.batch,
    lockTimeout: given['lock-timeout'],
    onProgress: createProgress(),
    onNotice: notify,
  });
  if (json) printer.add(formatJson(result));
  else for (const line of summarizeUndo(result)) printer.add(line);
  if (result.problems.length > 0) return 3;
  return result.kept + result.refused > 0 ? 1 : 0;
}
