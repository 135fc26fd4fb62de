import { wholePreset } from '../../tooling/build/tsup.js';

export default wholePreset(['index', 'lite', 'generalized/index', 'generalized/lite']);
