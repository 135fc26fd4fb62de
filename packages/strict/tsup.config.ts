import { preset } from '../../tooling/presets/tsup.js';

export default preset(['index', 'lite', 'mb3/index', 'mb3/lite']);
