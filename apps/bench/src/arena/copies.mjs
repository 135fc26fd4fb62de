/**
 * Modules evaluated afresh for each contestant. Our variants share core's drivers; an engine that saw
 * all of them in one place would compile code for all of them, where a program that uses one variant
 * has code for one.
 *
 * They are the files that we publish, and no bundle of them: esbuild makes variables of top-level
 * constants, and V8 does not inline those.
 */

/** The folder of a set of modules. @param {readonly string[]} specifiers */
export const folderOf = (specifiers) =>
  specifiers.map((specifier) => specifier.replace('@utf8/', '').replaceAll('/', '-')).join('+');

/** Prefix of a copy's name. A file server ignores it and the rest of the name. */
export const COPY = '@';

/**
 * @param {readonly string[]} specifiers - Modules of this repository, which see one another.
 * @param {import('./contestant.mjs').Edition} edition
 * @param {string} copy - Its name.
 * @returns {Promise<any[]>}
 */
export async function importCopy(specifiers, { folder, backend }, copy) {
  if (specifiers.length === 0) return [];
  const from = new URL(`copies/${folder}/${folderOf(specifiers)}`, import.meta.url);
  const to = new URL(`${from}${COPY}${encodeURIComponent(copy).replaceAll('%', '_')}`);
  const files = globalThis.process?.getBuiltinModule?.('node:fs');
  files?.cpSync(from, to, { recursive: true });
  const { modules, useBackend } = await import(`${to}/index.mjs`);
  if (backend) useBackend(backend);
  return modules;
}
