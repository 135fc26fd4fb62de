/**
 * What `NewStringUTF` of two Java virtual machines makes of any bytes, for tests of programs that cross JNI.
 * Neither refuses anything: malformed bytes become other text without an error.
 *
 * @packageDocumentation
 */
export { artNewStringUTF } from './art.js';
export { hotspotNewStringUTF } from './hotspot.js';
