import { wholePreset } from '../../tooling/presets/tsup.js';

export default wholePreset(['index']);
