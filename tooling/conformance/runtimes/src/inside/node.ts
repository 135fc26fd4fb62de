/** Node's functions that the suite needs, even if the packages must do without. */
import { runInNewContext } from 'node:vm';
import type { Foreign } from './host.js';

export { Buffer } from 'node:buffer';
export { TextDecoder } from 'node:util';

export const foreign: Foreign = runInNewContext('({ ArrayBuffer, DataView, Uint8Array })');
