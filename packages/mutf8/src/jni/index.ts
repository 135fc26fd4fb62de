/**
 * Returns the result of `NewStringUTF` for any bytes in two Java virtual machines, for tests of programs that
 * use JNI. Both machines decode malformed bytes to other text without an error.
 *
 * @packageDocumentation
 */
export { artNewStringUTF } from './art.js';
export { hotspotNewStringUTF } from './hotspot.js';
