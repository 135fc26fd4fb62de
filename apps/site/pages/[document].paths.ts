import { loadDocumentPages } from '../src/document-page.js';

export default {
  async paths(): Promise<{ params: { document: string }; content: string }[]> {
    const pages = await loadDocumentPages();
    return pages.map(({ name, content }) => ({ params: { document: name }, content }));
  },
};
