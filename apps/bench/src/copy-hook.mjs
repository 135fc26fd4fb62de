/**
 * A resolver for Node: what is imported by a module whose URL ends in `?copy=NAME` is a copy of that
 * name, too, if it is ours. See `copies.mjs`.
 */

/** @param {string} specifier @param {{ parentURL?: string }} context @param {Function} next */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const copy = /\?copy=.*/.exec(context.parentURL ?? '')?.[0];
  const isOurs = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/');
  return copy && isOurs && !resolved.url.includes('?')
    ? { ...resolved, url: resolved.url + copy }
    : resolved;
}
