import { loadApiPages } from '../../src/api-page.js';

export default {
  async paths(): Promise<{ params: { module: string }; content: string }[]> {
    const pages = await loadApiPages();
    return pages.map(({ name, content }) => ({ params: { module: name }, content }));
  },
};
