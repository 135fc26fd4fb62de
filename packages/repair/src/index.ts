/**
 * Repairs one text of the UTF-8 family: its errors, their replacements, and the reasons.
 *
 * @packageDocumentation
 */
export { type EqualKeyPolicy, equalKeyPolicies, type ObjectKey } from './equal-keys.js';
export { hasByteEscape, hasUnitEscape } from './escape-search.js';
export type { Finding, Repair } from './finding.js';
export { type InnerLengthPolicy, innerLengthPolicies } from './inner-length.js';
export {
  type JsonFault,
  type JsonHandler,
  type JsonOptions,
  jsonSyntax,
  parseJson,
} from './json.js';
export { type Kind, kindOf, kinds, repairedKinds } from './kind.js';
export {
  decodeLegacyByte,
  findLegacyEncoding,
  type LegacyEncoding,
  legacyEncodings,
  legacyErrors,
} from './legacy-encoding.js';
export {
  findMojibake,
  type MojibakePolicy,
  mayContainMojibake,
  mojibakePolicies,
} from './mojibake.js';
export {
  mayContainNoncharacter,
  type NoncharacterPolicy,
  noncharacterPolicies,
} from './noncharacter.js';
export {
  findNuls,
  type Nul,
  NulFilter,
  type NulPolicy,
  nulPolicies,
  sequencesOfNul,
} from './nul.js';
export {
  type FormatSyntax,
  RepairOptionError,
  type RepairOptions,
  resolveErrors,
  type SurrogatePolicy,
  surrogatePolicies,
} from './options.js';
export {
  createRepairer,
  type Repairer,
  type StructuredValue,
  type TextContext,
} from './repairer.js';
export type { Structure } from './structure.js';
export { type ErrorsPolicy, errorsPolicies, findErrorsPolicy, substitute } from './substitute.js';
export { type Syntax, Unescaped, unescapeBytes } from './syntax.js';
export { findUnassigned, mayContainUnassigned, type UnassignedCodePoint } from './unassigned.js';
export { type ControlPolicy, controlPolicies, hasExcludedReference, hasXml } from './xml.js';
