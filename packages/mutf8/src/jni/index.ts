/**
 * What `NewStringUTF` returns for any bytes in two Java virtual machines, for tests of programs that use
 * JNI. Neither refuses anything: malformed bytes become other text without an error.
 *
 * @packageDocumentation
 */
export { artNewStringUTF } from './art.js';
export { hotspotNewStringUTF } from './hotspot.js';
