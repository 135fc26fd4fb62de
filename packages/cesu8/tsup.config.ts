import { preset } from '../../tooling/presets/tsup.js';

export default preset([
  'index',
  'lite',
  'lenient/index',
  'lenient/lite',
  'mixed/index',
  'mixed/lite',
  'iconv-lite/index',
]);
