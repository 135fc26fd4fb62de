import { wholePreset } from '../../tooling/build/tsup.js';

export default wholePreset(['index', 'lite', 'lax/index', 'lax/lite']);
