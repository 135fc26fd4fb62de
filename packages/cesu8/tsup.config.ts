import { wholePreset } from '../../tooling/build/tsup.js';

export default wholePreset([
  'index',
  'lite',
  'lenient/index',
  'lenient/lite',
  'mixed/index',
  'mixed/lite',
  'iconv-lite/index',
]);
