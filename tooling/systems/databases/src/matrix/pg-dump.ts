/** Common invocations of pg_dump, pg_restore and pg_dumpall. */
import type { Combination } from './combination.js';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const fresh = (flags: string, rest: Omit<Combination, 'flags'> = {}): Combination => ({
  flags: words(flags),
  hasDefinitions: true,
  ...rest,
});

const dataOnly = (flags: string, rest: Omit<Combination, 'flags'> = {}): Combination => ({
  flags: words(`--data-only ${flags}`),
  load: 'tables',
  ...rest,
});

/** The custom, directory and tar formats, as pg_restore spells them. */
const restored = (
  format: string,
  flags: string,
  rest: Omit<Combination, 'flags'> = {},
): Combination => ({
  ...(flags.includes('--data-only') ? dataOnly('') : fresh('')),
  flags: words(format),
  restore: words(flags),
  ...rest,
});

const missing = /does not exist/;
const existingRole = /role "postgres" already exists/;

export const pgDumpCombinations: readonly Combination[] = [
  fresh('', { sample: 'types' }),
  fresh('--inserts', { sample: 'types' }),
  fresh('--column-inserts', { sample: 'sakila' }),
  fresh('--inserts --rows-per-insert=1'),
  fresh('--inserts --rows-per-insert=3', { sample: 'northwind' }),
  fresh('--inserts --rows-per-insert=1000'),
  fresh('--column-inserts --rows-per-insert=7', { sample: 'types' }),
  fresh('--inserts --on-conflict-do-nothing'),
  fresh('--column-inserts --on-conflict-do-nothing --rows-per-insert=5', { sample: 'chinook' }),
  fresh('--clean', { tolerates: missing }),
  fresh('--clean --if-exists', { sample: 'sakila' }),
  fresh('--clean --if-exists --inserts'),
  fresh('--create', { load: 'server', sample: 'chinook' }),
  fresh('--create --clean --if-exists', { load: 'server' }),
  fresh('--create --column-inserts --no-owner', { load: 'server' }),
  fresh('--no-owner'),
  fresh('--no-privileges'),
  fresh('--no-owner --no-privileges --no-comments', { hasDefinitions: false, sample: 'northwind' }),
  fresh('--disable-dollar-quoting', { sample: 'sakila' }),
  fresh('--disable-dollar-quoting --inserts'),
  fresh('--quote-all-identifiers', { sample: 'types' }),
  fresh('--quote-all-identifiers --column-inserts', { sample: 'sakila' }),
  fresh('--use-set-session-authorization', { sample: 'chinook' }),
  fresh('--serializable-deferrable', { sample: 'chinook' }),
  fresh('--encoding=SQL_ASCII', { sample: 'northwind' }),
  fresh('--encoding=SQL_ASCII --inserts'),
  // In any other encoding but its own, pg_dump itself refuses rows that are no UTF-8.
  fresh('--load-via-partition-root', { sample: 'sakila' }),
  fresh('--load-via-partition-root --inserts', { sample: 'types' }),
  fresh('--enable-row-security', { sample: 'chinook' }),
  fresh('--enable-row-security --column-inserts'),
  fresh('--no-tablespaces --no-toast-compression'),
  fresh('--no-security-labels --no-publications --no-subscriptions --no-unlogged-table-data'),
  fresh('--lock-wait-timeout=10000 --no-sync --verbose'),
  fresh('--extra-float-digits=0'),
  fresh('--blobs --schema=public', {
    hasDefinitions: false,
    without: ['types'],
    tolerates: /already exists/,
  }),
  fresh('--exclude-table-data=LEAF', { tables: 'all but LEAF', sample: 'northwind' }),
  fresh('--section=pre-data --section=data --section=post-data'),
  fresh('', { sections: true, sample: 'northwind' }),
  fresh('--inserts', { sections: true }),
  fresh('--schema-only', { hasRows: false, sample: 'sakila' }),
  fresh('--schema-only --no-owner --clean --if-exists', { hasRows: false }),
  fresh('-t ROOT', { tables: 'ROOT', hasDefinitions: false, sample: 'northwind' }),
  fresh('-t ROOT --inserts', { tables: 'ROOT', hasDefinitions: false }),
  fresh('-n public', {
    hasDefinitions: false,
    without: ['types'],
    tolerates: /already exists/,
    sample: 'chinook',
  }),
  fresh('-Z 6', { sample: 'sakila' }),
  dataOnly('', { sample: 'types' }),
  dataOnly('--inserts', { sample: 'sakila' }),
  dataOnly('--column-inserts', { sample: 'northwind' }),
  dataOnly('--disable-triggers', { sample: 'chinook' }),
  dataOnly('--disable-triggers --column-inserts --rows-per-insert=4'),
  dataOnly('--column-inserts --on-conflict-do-nothing'),
  restored('-Fc', '', { sample: 'types' }),
  restored('-Fc', '--clean --if-exists'),
  restored('-Fc', '--create', { load: 'server' }),
  restored('-Fc', '--no-owner --no-privileges', { sample: 'northwind' }),
  restored('-Fc', '--data-only'),
  restored('-Fc', '--data-only --disable-triggers', { sample: 'chinook' }),
  restored('-Fc', '--schema-only', { hasRows: false }),
  restored('-Fc', '--use-set-session-authorization'),
  restored('-Fc --inserts', ''),
  restored('-Ft', ''),
  restored('-Ft', '--no-comments', { hasDefinitions: false, sample: 'sakila' }),
  fresh('', {
    program: 'pg_dumpall',
    load: 'server',
    tolerates: existingRole,
    sample: 'northwind',
  }),
  fresh('--column-inserts', { program: 'pg_dumpall', load: 'server', tolerates: existingRole }),
  fresh('-Fc', { expects: 'refused', sample: 'chinook' }),
  fresh('-Ft', { expects: 'refused', sample: 'chinook' }),
];
