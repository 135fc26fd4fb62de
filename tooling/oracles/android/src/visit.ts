/** Invariants of any bytes that are read as Android's files. Each function throws if one is violated. */
import { type DexOptions, readDex } from '@utf8/classfile/dex';
import { type ResourceOptions, readResources } from '@utf8/classfile/resources';

/** Reads all that there is of a DEX file, and returns how many uses it has. */
export function visitDex(file: Uint8Array, options: DexOptions): number {
  const dex = readDex(file, options);
  let uses = 0;
  for (const string of dex.strings) {
    if (string.kinds.length === 0) throw new Error('a string without a kind');
  }
  for (const { string, className, member, annotation, bootstrap, offset } of dex.uses()) {
    if (offset >= file.length) throw new Error('a use beyond the end');
    const texts = [string.string, className ?? '', annotation?.path ?? '', annotation?.type ?? ''];
    texts.push(member?.name ?? '', member?.descriptor ?? '');
    if (texts.some((text) => typeof text !== 'string')) throw new Error('a name that is no text');
    if (bootstrap?.callers.some((caller) => caller.className === undefined))
      throw new Error('caller');
    uses++;
  }
  return uses;
}

/** Reads all that there is of resources, and returns how many strings and uses they have. */
export function visitResources(file: Uint8Array, options: ResourceOptions): number {
  const resources = readResources(file, options);
  let uses = 0;
  for (const { string, resource, offset } of resources.uses()) {
    if (offset >= file.length) throw new Error('a use beyond the end');
    const texts = [string.string, resource?.configuration ?? '', resource?.name ?? ''];
    if (texts.some((text) => typeof text !== 'string')) throw new Error('a name that is no text');
    uses++;
  }
  return [...resources.strings].length + uses;
}
