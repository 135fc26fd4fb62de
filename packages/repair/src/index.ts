/**
 * Repairs one text of the UTF-8 family: what is wrong with it, what it becomes, and why.
 *
 * @packageDocumentation
 */
export type { Finding } from './finding.js';
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
export { createRepairer, type Repair, type Repairer } from './repairer.js';
export { type ErrorsPolicy, errorsPolicies, substitute } from './substitute.js';
export { findUnassigned, mayContainUnassigned, type UnassignedCodePoint } from './unassigned.js';
export type { ValueSyntax } from './value-syntax.js';
export { decodeWindows1252, windows1252 } from './windows1252.js';
