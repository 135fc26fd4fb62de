import { preset } from '../../tooling/build/tsup.js';

// `thread` is what worker threads run. Node 20.19 and later can also `require` these modules.
export default preset(['index', 'internal', 'thread'], { format: ['esm'] });
