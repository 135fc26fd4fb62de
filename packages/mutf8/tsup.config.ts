import { wholePreset } from '../../tooling/build/tsup.js';

export default wholePreset([
  'index',
  'lite',
  'data-input/index',
  'data-input/lite',
  'android/index',
  'android/lite',
  'framing/index',
  'jni/index',
  'compat',
  'protodef/index',
]);
