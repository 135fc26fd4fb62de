/** What the suite needs of Node, though the packages may have to do without. */
import { runInNewContext } from 'node:vm';
import type { Foreign } from './host.js';

export { Buffer } from 'node:buffer';
export { TextDecoder } from 'node:util';

export const foreign: Foreign = runInNewContext('({ ArrayBuffer, DataView, Uint8Array })');
