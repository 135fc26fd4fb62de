/**
 * Explains every byte of a text in the UTF-8 family: its bits, its character, the rule that it follows or
 * breaks, and the encodings that accept it.
 *
 * @packageDocumentation
 */
export { describeCharacter, formatCodeUnits, showCharacter } from './character.js';
export { type Explanation, explain, explainSequence } from './explanation.js';
export { type Note, Notes } from './notes.js';
export { formatOffsets } from './offsets.js';
export { type Sequence, type SequenceKind, split } from './sequence.js';
export type { VariantFaults } from './variant-faults.js';
