import { InputError } from '@utf8/dump';
import type { ChosenTable } from '../options.js';
import type { Page, Server } from './server.js';
import type { Key } from './table.js';

/** Reads a table page by page, each after the one before it. */
export async function* readPages(
  server: Server,
  { table, columns }: ChosenTable,
  limit: number,
  start?: Key,
): AsyncGenerator<Page, void, undefined> {
  let after = start;
  for (;;) {
    const page = await server.readPage(table, columns, after, limit);
    yield page;
    if (page.isLast) return;
    if (!page.last || JSON.stringify(page.last) === JSON.stringify(after)) {
      throw new InputError(
        `${table.name}: reading does not advance; its key does not order the rows`,
      );
    }
    after = page.last;
  }
}
