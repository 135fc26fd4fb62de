import { loadVariants, writeVariantIndex, writeVariantPage } from '../../src/variant-page.js';

export default {
  async paths(): Promise<{ params: { variant: string }; content: string }[]> {
    const variants = await loadVariants();
    const pages = variants.map(async (variant) => ({
      params: { variant: variant.name.replace('/', '-') },
      content: await writeVariantPage(variant),
    }));
    return [
      { params: { variant: 'index' }, content: writeVariantIndex(variants) },
      ...(await Promise.all(pages)),
    ];
  },
};
