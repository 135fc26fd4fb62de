/** The variants in their order of preference, by the label that `codecFor` of `@utf8/detect` accepts. */
import type { Codec } from '@utf8/core';
import specifiers from '../../../../packages/variants.json' with { type: 'json' };
import type { Variant } from '../../../../packages/vectors/src/index.js';

/** Of a codec only what it is: what it does is what the vectors are to test. */
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
