/**
 * Contains the classifier, the `/lite` functions and the search for similar words that other packages of this
 * family use. It may change in any version.
 *
 * @internal
 * @packageDocumentation
 */
export {
  CLASS_COUNT,
  classify,
  classKind,
  classLength,
  readCodePoint,
  sequenceKinds,
} from './classify.js';
export { type Variant, variants } from './generated/variants.js';
export { findSimilarWord } from './similar-word.js';
