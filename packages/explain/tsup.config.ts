import { preset } from '../../tooling/presets/tsup.js';

export default preset(['index']);
