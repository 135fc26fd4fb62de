export { testCodec } from './suite.js';
