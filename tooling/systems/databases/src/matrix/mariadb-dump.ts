/** Common invocations of mysqldump (mariadb-dump). */
import type { Combination } from './combination.js';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const fresh = (flags: string, rest: Omit<Combination, 'flags'> = {}): Combination => ({
  flags: words(flags),
  ...rest,
});

/** The options of --tab, with the matching ones of `utf8` and LOAD DATA. */
const tab = (
  flags: readonly string[],
  options: readonly string[],
  sample?: 'northwind' | 'chinook',
): Combination => ({
  // LOAD DATA fires triggers, which would change rows or add some.
  flags: ['--tab=FOLDER', '--skip-triggers', '--default-character-set=binary', ...flags],
  load: 'tab',
  // Its names are encoded in those of the files, and columns of UTF-16 are bytes among which no quote is one.
  without: ['types'],
  options,
  dumpedAs: 'binary',
  ...(sample ? { sample } : {}),
});

export const mariadbDumpCombinations: readonly Combination[] = [
  fresh('', { sample: 'types' }),
  fresh('--opt', { sample: 'chinook' }),
  fresh('--skip-opt', { sample: 'northwind' }),
  fresh('--skip-opt --hex-blob'),
  fresh('--hex-blob', { sample: 'types' }),
  fresh('--complete-insert', { sample: 'sakila' }),
  fresh('--complete-insert --hex-blob'),
  fresh('--skip-extended-insert', { sample: 'northwind' }),
  fresh('--skip-extended-insert --hex-blob'),
  fresh('--skip-extended-insert --complete-insert'),
  fresh('--extended-insert --complete-insert --hex-blob --order-by-primary', { sample: 'sakila' }),
  fresh('--compact', { sample: 'chinook' }),
  fresh('--compact --hex-blob', { sample: 'northwind' }),
  fresh('--compact --skip-extended-insert'),
  fresh('--no-create-info', { load: 'tables', sample: 'chinook' }),
  fresh('--no-create-info --hex-blob', { load: 'tables', sample: 'northwind' }),
  fresh('--no-create-info --complete-insert --skip-triggers', { load: 'tables', sample: 'types' }),
  fresh('--no-create-info --compact --skip-extended-insert', { load: 'tables' }),
  fresh('--no-data', { hasRows: false, sample: 'sakila' }),
  fresh('--replace', { sample: 'chinook' }),
  fresh('--replace --hex-blob --complete-insert'),
  fresh('--insert-ignore', { sample: 'northwind' }),
  fresh('--insert-ignore --skip-extended-insert'),
  fresh('--databases DB', { load: 'server', sample: 'sakila' }),
  fresh('--databases --add-drop-database DB', { load: 'server', sample: 'chinook' }),
  fresh('--databases --hex-blob --routines --events DB', { load: 'server', hasDefinitions: true }),
  fresh('--all-databases', { load: 'server', sample: 'northwind' }),
  fresh('--all-databases --hex-blob --ignore-database=mysql', { load: 'server' }),
  fresh('--order-by-primary', { sample: 'types' }),
  fresh('--skip-quote-names', { without: ['types'], sample: 'northwind' }),
  fresh('--skip-quote-names --hex-blob', { without: ['types'] }),
  fresh('--default-character-set=utf8mb4', { sample: 'sakila' }),
  fresh('--default-character-set=utf8mb4 --hex-blob'),
  fresh('--default-character-set=utf8', { dumpedAs: 'utf8mb3', sample: 'sakila' }),
  fresh('--default-character-set=utf8 --hex-blob', { dumpedAs: 'utf8mb3' }),
  fresh('--default-character-set=binary', { dumpedAs: 'binary', sample: 'sakila' }),
  fresh('--default-character-set=binary --hex-blob', { dumpedAs: 'binary', sample: 'chinook' }),
  fresh('--skip-set-charset', { sample: 'types' }),
  fresh('--skip-set-charset --hex-blob'),
  fresh('--routines --triggers --events', { hasDefinitions: true, sample: 'sakila' }),
  fresh('--routines --triggers --events --hex-blob --single-transaction --quick', {
    hasDefinitions: true,
  }),
  fresh('--skip-triggers'),
  fresh('--single-transaction', { sample: 'chinook' }),
  fresh('--single-transaction --skip-lock-tables --skip-add-locks --skip-disable-keys'),
  fresh('--skip-comments', { sample: 'chinook' }),
  fresh('--skip-dump-date --skip-comments --skip-add-drop-table'),
  fresh('--skip-tz-utc', { sample: 'northwind' }),
  fresh('--compatible=ansi', { sample: 'sakila' }),
  fresh('--compatible=ansi --hex-blob --skip-extended-insert'),
  fresh('--compatible=no_table_options', { sample: 'chinook' }),
  fresh('--compatible=no_key_options'),
  // No server of today reads the TYPE=InnoDB of --compatible=mysql40.
  fresh('--compatible=no_field_options', { sample: 'northwind' }),
  fresh('--compatible=postgresql', { tolerates: /./, without: ['types', 'narrow'] }),
  fresh('--compatible=oracle', { tolerates: /./, without: ['types', 'narrow'] }),
  fresh('--allow-keywords', { sample: 'sakila' }),
  fresh('--allow-keywords --complete-insert'),
  fresh('--net-buffer-length=4096', { sample: 'types' }),
  fresh('--net-buffer-length=4096 --hex-blob --complete-insert'),
  fresh('--no-autocommit --max-allowed-packet=16M'),
  fresh('--skip-create-options --no-tablespaces'),
  fresh('--lock-all-tables --flush-privileges --verbose'),
  // Without the table, a view of sakila cannot be loaded.
  fresh('--ignore-table=DB.LEAF', {
    tables: 'all but LEAF',
    without: ['sakila'],
    sample: 'northwind',
  }),
  fresh('--ignore-table-data=DB.LEAF', { tables: 'all but LEAF' }),
  fresh('--force --quick --tz-utc --set-charset --add-locks'),
  tab([], [], 'northwind'),
  tab(
    ['--fields-terminated-by=,', '--fields-optionally-enclosed-by="'],
    ['--delimiter', ',', '--quote', '"'],
    'chinook',
  ),
  tab(
    ['--fields-terminated-by=,', '--fields-enclosed-by="', '--fields-escaped-by=\\'],
    ['--delimiter', ',', '--quote', '"'],
  ),
  tab(['--fields-terminated-by=;', '--fields-escaped-by=^'], ['--delimiter', ';', '--escape', '^']),
  fresh('--xml', { expects: 'refused', sample: 'chinook' }),
];
