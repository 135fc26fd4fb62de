import { preset } from '../../tooling/build/tsup.js';

// Node 20.19 and later can also `require` this module.
export default preset(['index'], { format: ['esm'] });
