import { loadVariants, writeVariantIndex, writeVariantPage } from '../../src/variant-page.js';

export default {
  async paths(): Promise<{ params: { variant: string }; content: string }[]> {
    const variants = await loadVariants();
    return [
      { params: { variant: 'index' }, content: writeVariantIndex(variants) },
      ...variants.map((variant) => ({
        params: { variant: variant.name.replace('/', '-') },
        content: writeVariantPage(variant),
      })),
    ];
  },
};
