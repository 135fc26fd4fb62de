/**
 * Repairs one text of the UTF-8 family: what is wrong with it, what it becomes, and why.
 *
 * @packageDocumentation
 */
export { type EqualKeyPolicy, equalKeyPolicies, type ObjectKey } from './equal-keys.js';
export { hasByteEscape, hasUnitEscape } from './escape-search.js';
export type { Finding, Repair } from './finding.js';
export {
  type JsonFault,
  type JsonHandler,
  type JsonOptions,
  jsonSpelling,
  parseJson,
} from './json.js';
export { type Kind, kindOf, kinds, repairedKinds } from './kind.js';
export {
  findMojibake,
  type MojibakePolicy,
  mayContainMojibake,
  mojibakePolicies,
} from './mojibake.js';
export {
  findNuls,
  type Nul,
  NulFilter,
  type NulPolicy,
  nulPolicies,
  spellingsOfNul,
} from './nul.js';
export {
  RepairOptionError,
  type RepairOptions,
  type SurrogatePolicy,
  type Syntax,
  surrogatePolicies,
} from './options.js';
export { createRepairer, type Repairer, type SpelledValue } from './repairer.js';
export { type Spelling, Unspelled, unspell } from './spelling.js';
export { type ErrorsPolicy, errorsPolicies, substitute } from './substitute.js';
export { findUnassigned, mayContainUnassigned, type UnassignedCodePoint } from './unassigned.js';
export type { ValueSyntax } from './value-syntax.js';
export { decodeWindows1252, windows1252 } from './windows1252.js';
