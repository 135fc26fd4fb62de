/** The variants of this repository, from the one list of them. */
import type { Codec } from '@utf8/core';
import specifiers from '../../../packages/variants.json' with { type: 'json' };

export { specifiers };

/** Returns the specifier after `@utf8/` as the name of a file: `cesu8-lenient`. */
const nameOf = (specifier: string): string => specifier.slice('@utf8/'.length).replaceAll('/', '-');

/** The codecs by that name. */
export const codecs: readonly (readonly [name: string, codec: Codec])[] = await Promise.all(
  specifiers.map(
    async (specifier) =>
      [nameOf(specifier), (await import(/* @vite-ignore */ specifier)) as Codec] as const,
  ),
);
