import { preset } from '../../tooling/build/tsup.js';

// Packages contain it. Only the site imports it: VitePress resolves no sources.
export default preset(['index'], { format: ['esm'] });
