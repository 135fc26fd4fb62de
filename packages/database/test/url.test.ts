/** URLs of databases, and what is said of those that are none. */
import { UsageError } from '@utf8/dump';
import { expect, it } from 'vitest';
import { parseUrl } from '../src/url.js';

it.each([
  ['sqlite:app.db', 'sqlite', 'sqlite:app.db', 'app.db'],
  ['SQLITE:./a b?#%20.db', 'sqlite', 'sqlite:./a b?#%20.db', './a b?#%20.db'],
  ['sqlite:///srv/app.db', 'sqlite', 'sqlite:/srv/app.db', '/srv/app.db'],
  ['sqlite:/srv/app.db', 'sqlite', 'sqlite:/srv/app.db', '/srv/app.db'],
  ['sqlite:C:\\app.db', 'sqlite', 'sqlite:C:\\app.db', 'C:\\app.db'],
  ['mysql://me:secret@host:3307/shop?ssl=1', 'mysql', 'mysql://host:3307/shop', undefined],
  ['mariadb://me@host/shop', 'mysql', 'mariadb://host/shop', undefined],
  ['postgres://me:p%40ss@[::1]/shop?password=x', 'postgres', 'postgres://[::1]/shop', undefined],
  ['postgresql:///shop?host=/run/postgresql', 'postgres', 'postgresql:///shop', undefined],
  ['postgres://me:x@/shop?host=/run', 'postgres', 'postgres://localhost/shop', undefined],
  [
    'mariadb://me@/shop?socketPath=/run/s',
    'mysql',
    'mariadb://localhost/shop',
    'mariadb://me@localhost/shop?socketPath=/run/s',
  ],
])('%s', (url, kind, name, location) => {
  expect(parseUrl(url)).toEqual({ kind, name, location: location ?? url });
});

it.each([
  ['', 'not a database URL; expected sqlite:FILE'],
  ['app.db', 'not a database URL'],
  ['oracle://me:secret@host/db', 'unknown kind of database, oracle:'],
  ['constructor://x', 'unknown kind of database'],
  ['sqlite:', 'no file after sqlite:'],
  ['sqlite:a\0b', 'U+0000'],
  ['mysql:shop', 'the URL after mysql: is malformed'],
  ['mysql://me:secret@:x/', 'the URL after mysql: is malformed'],
])('%j is refused', (url, message) => {
  expect(() => parseUrl(url)).toThrow(UsageError);
  expect(() => parseUrl(url)).toThrow(message);
  expect(() => parseUrl(url)).not.toThrow('secret');
});
