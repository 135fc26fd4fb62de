import { wholePreset } from '../../tooling/presets/tsup.js';

export default wholePreset(['index', 'lite', 'mb3/index', 'mb3/lite']);
