/**
 * What every byte of a text in the UTF-8 family is: bits, character, the rule that it follows or breaks, and which
 * encodings accept it.
 *
 * @packageDocumentation
 */
export { describeCharacter, formatUnits, showCharacter } from './character.js';
export { type Explanation, explain, explainSequence } from './explanation.js';
export { type Note, Notes } from './notes.js';
export { formatOffsets } from './offsets.js';
export type { Opinion } from './opinion.js';
