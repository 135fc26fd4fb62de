import { preset } from '../../tooling/presets/tsup.js';

export default preset(['utf8', 'cesu8', 'mutf8', 'mixed']);
