import { preset } from '../../tooling/presets/tsup.js';

// Programs, not modules: nobody imports them. With our own packages in them Node finds and reads one
// file where it would be twenty: 20 ms of the 75 that a short run took beside Node's own (Node 20).
export default preset(['utf8', 'worker', 'records/thread', 'demo'], {
  format: ['esm'],
  dts: false,
  noExternal: [/^@utf8\//],
});
