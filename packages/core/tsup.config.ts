import { wholePreset } from '../../tooling/build/tsup.js';

// Codecs load `make` and nothing else of this package; what several entries share is in the first.
export default wholePreset(['make', 'internal', 'index', 'compile', 'node'], {
  tsconfig: 'tsconfig.json',
});
