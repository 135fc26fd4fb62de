import { loadCommandPages, writeCommandIndex } from '../../src/command-page.js';

export default {
  async paths(): Promise<{ params: { command: string }; content: string }[]> {
    const pages = await loadCommandPages();
    return [
      { params: { command: 'index' }, content: writeCommandIndex() },
      ...pages.map(({ name, content }) => ({ params: { command: name }, content })),
    ];
  },
};
