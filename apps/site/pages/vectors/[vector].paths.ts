import { vectors } from '@utf8/vectors';
import { pathOf, writeVectorIndex, writeVectorPage } from '../../src/vector-page.js';

export default {
  paths(): { params: { vector: string }; content: string }[] {
    return [
      { params: { vector: 'index' }, content: writeVectorIndex() },
      ...vectors.map((vector) => ({
        params: { vector: pathOf(vector.id) },
        content: writeVectorPage(vector),
      })),
    ];
  },
};
