import { wholePreset } from '../../tooling/build/tsup.js';

// Codecs load `parts` and nothing else of this package; modules that several entries share are in the first.
export default wholePreset(['parts', 'internal', 'index', 'node'], { tsconfig: 'tsconfig.json' });
