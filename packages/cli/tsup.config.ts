import { preset } from '../../tooling/presets/tsup.js';

// Programs, not modules: nobody imports them.
export default preset(['utf8', 'demo'], { format: ['esm'], dts: false });
