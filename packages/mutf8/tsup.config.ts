import { preset } from '../../tooling/presets/tsup.js';

export default preset([
  'index',
  'lite',
  'data-input/index',
  'framing/index',
  'compat',
  'protodef/index',
]);
