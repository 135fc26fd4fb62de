/** Command lines for a live database: the repair that a scan recommends, and its undo. */
import { spellOption } from '../option/spell-option.js';
import { quoteArgument } from './shell.js';

/** Parameters of a URL without secrets. */
const harmless: ReadonlySet<string> = new Set([
  'host',
  'port',
  'user',
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'socketPath',
]);

/** Returns advice for giving the driver a password outside the URL. */
const elsewhere = (url: string): string =>
  /^postgres/i.test(url) ? 'set PGPASSWORD, or use ~/.pgpass' : 'set MYSQL_PWD';

/** Options that are not repeated, since their findings are printed already. */
const once: readonly string[] = ['json', 'report'];

/** A command that works on databases. */
export type DatabaseCommand = 'scan' | 'repair' | 'revert';

/**
 * Writes a command line for a shell, without the password of the URL.
 *
 * @param values - Values of options by name.
 * @returns The line, and advice about a password that it omits.
 */
export function formatDatabaseCommand(
  command: DatabaseCommand,
  url: string,
  values: Readonly<Record<string, unknown>>,
): { readonly line: string; readonly leavesOut: string | undefined } {
  const shown = leaveOutSecrets(url);
  const args = ['utf8', command, shown];
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || once.includes(name)) continue;
    for (const each of [value].flat()) {
      args.push(...spellOption(name, each === true ? each : `${each}`));
    }
  }
  const line = args.map((arg) => (/^--[a-z-]+$/.test(arg) ? arg : quoteArgument(arg))).join(' ');
  return { line, leavesOut: shown === url ? undefined : elsewhere(url) };
}

/** The text of a URL up to its password, and after it; parameters that may be secrets go, too. */
function leaveOutSecrets(url: string): string {
  if (/^sqlite:/i.test(url)) return url;
  const [, start = url, query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  const place = start.replace(/^([^/]*\/\/[^:/]*):.*@/, '$1@');
  const kept = query.split('&').filter((part) => harmless.has(part.split('=')[0] as string));
  return kept.length > 0 ? `${place}?${kept.join('&')}` : place;
}

/** Names an undo log after a database: `sqlite:/srv/app.db` makes `app.undo.jsonl`. */
export function nameAfterDatabase(url: string): string {
  const [path = ''] = /^sqlite:/i.test(url) ? [url.slice('sqlite:'.length)] : url.split(/[?#]/);
  const name = path.split('/').at(-1) ?? '';
  const stem = /^(.+)\.[^.]+$/.exec(name)?.[1] ?? name;
  return `${stem || 'database'}.undo.jsonl`;
}
