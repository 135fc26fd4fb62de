import { wholePreset } from '../../tooling/build/tsup.js';

export default wholePreset(['index', 'lite', 'mb3/index', 'mb3/lite']);
