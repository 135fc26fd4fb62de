/** The variants in order of preference, by label. */
import type { Codec } from '@utf8/core';
import specifiers from '../../../../packages/variants.json' with { type: 'json' };
import type { Variant } from '../../../../packages/vectors/src/index.js';

/** The definition of a codec, without its functions, since the vectors test these. */
export type Definition = Pick<Codec, 'name' | 'grammar'>;

const modules = await Promise.all(
  specifiers.map(
    async (specifier): Promise<Definition & { readonly labels: readonly string[] }> =>
      import(/* @vite-ignore */ specifier),
  ),
);

export const variants = Object.fromEntries(
  modules.map(({ name, labels: [label], grammar }) => [label, { name, grammar }]),
) as Readonly<Record<Variant, Definition>>;

export const names: readonly Variant[] = Object.keys(variants) as Variant[];

export const codecs: readonly Definition[] = Object.values(variants);
