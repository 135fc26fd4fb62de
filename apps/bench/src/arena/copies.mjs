/**
 * Modules evaluated afresh for each contestant. Our variants share core's drivers; an engine that saw
 * all of them in one place would compile code for all of them, where a program that uses one variant
 * has code for one.
 *
 * Each set of modules is one file, so that the query of its URL makes a copy of all that is in it, in
 * every runtime.
 */

/** The file of a set of modules. @param {readonly string[]} specifiers */
export const fileOf = (specifiers) =>
  `${specifiers.map((specifier) => specifier.replace('@utf8/', '').replaceAll('/', '-')).join('+')}.mjs`;

/** Where a file is a module of its own. @param {URL} file @param {string} copy */
async function place(file, copy) {
  const url = new URL(file);
  const name = encodeURIComponent(copy);
  const { Bun } = /** @type {any} */ (globalThis);
  if (Bun) {
    // Has one module for a file, whatever the query.
    url.pathname = file.pathname.replace(/mjs$/, `${name.replaceAll('%', '_')}.mjs`);
    await Bun.write(Bun.fileURLToPath(url), Bun.file(file));
  } else url.search = `copy=${name}`;
  return url;
}

/**
 * @param {readonly string[]} specifiers - Modules of this repository, which see one another.
 * @param {import('./contestant.mjs').Edition} edition
 * @param {string} copy - Its name.
 * @returns {Promise<any[]>}
 */
export async function importCopy(specifiers, { folder, way }, copy) {
  if (specifiers.length === 0) return [];
  const file = new URL(`copies/${folder}/${fileOf(specifiers)}`, import.meta.url);
  const copied = await import((await place(file, copy)).href);
  if (way) copied.useWays(way);
  return copied.modules ?? [copied];
}
