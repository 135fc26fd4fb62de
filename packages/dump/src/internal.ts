/**
 * Contains inputs, errors, phrases and names of formats and hazards that other packages of this family use. It may
 * change in any version.
 *
 * @internal
 * @packageDocumentation
 */
export { findPolicy } from './charset/policy.js';
export { attempt, ioError } from './error.js';
export type { FormatDefinition, FormatOption } from './format/format.js';
export { recognizeFormat } from './format/recognize.js';
export { findFormat, formats } from './format/registry.js';
export { loadFold } from './key/load-fold.js';
export {
  type AllowedHazard,
  allowedHazards,
  type DatabaseHazard,
  databaseHazards,
} from './load/hazard.js';
export { chunks } from './open/chunks.js';
export { type InputOptions, openInput } from './open/input.js';
export { measure, type Source } from './open/source.js';
export { requireStdout } from './path/closed.js';
export { type RunPaths, refuseSharedPaths } from './path/shared-paths.js';
export { opt, phrase, wordPhrase } from './phrase.js';
export { recognizeFile } from './recognized.js';
