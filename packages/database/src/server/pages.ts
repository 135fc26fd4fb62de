import { setImmediate as turn } from 'node:timers/promises';
import { InputError } from '@utf8/dump';
import type { ChosenTable, LookPlan } from '../options.js';
import type { Page, Server } from './server.js';
import type { Key } from './table.js';

const BACKSLASH = 0x5c;

/** Reads a table page by page, each after the one before it. */
export async function* readPages(
  server: Server,
  { table, columns }: ChosenTable,
  { batch, repairer, skipsWellFormed }: LookPlan,
  start?: Key,
  readsEscapes = false,
): AsyncGenerator<Page, void, undefined> {
  // In a structure, a backslash may begin an escape that the test does not know.
  const isSpelled = readsEscapes || columns.some(({ structure }) => structure);
  const isClean = (bytes: Uint8Array): boolean =>
    !(isSpelled && bytes.includes(BACKSLASH)) && repairer.isClean(bytes);
  let after = start;
  for (;;) {
    const page = await server.readPage(table, columns, after, batch, {
      isClean,
      skipsWellFormed,
      readsEscapes,
    });
    yield page;
    // SQLite answers at once: without it, no signal would be seen before the end.
    await turn();
    if (page.isLast) return;
    if (!page.last || JSON.stringify(page.last) === JSON.stringify(after)) {
      throw new InputError(
        `${table.name}: reading does not advance; its key does not order the rows`,
      );
    }
    after = page.last;
  }
}
