/**
 * Dumps as records, or as plain text: scanned, converted, checked and reverted, at any size.
 *
 * @packageDocumentation
 */

export { type CheckOptions, type CheckReport, checkDump } from './check/check.js';
export { type ConvertReport, convertDump } from './convert/convert.js';
export type { RecordStats, TextStats } from './convert/ledger.js';
export {
  ConvertTransform,
  type ConvertTransformOptions,
  RefusedError,
} from './convert/transform.js';
export {
  BrokenPipe,
  BusyError,
  DumpError,
  InputError,
  OutputError,
  UsageError,
} from './error.js';
export type { FormatOptions } from './format/format.js';
export { FormatError } from './format/format-error.js';
export { formatNames } from './format/registry.js';
export { discardUnfinished } from './interrupt.js';
export { type FileHazard, fileHazards } from './load/hazard.js';
export { DamageError } from './open/damage.js';
export type { Phrase } from './phrase.js';
export type { ContentOptions, ConvertOptions, TextOptions } from './plan.js';
export { type RevertOptions, revertDump } from './revert/revert.js';
export { bomPolicies } from './rewrite/bom.js';
export type { FaultFinding, FaultRefusal, RecordRefusal } from './rewrite/refusal.js';
export type { RunOptions } from './run-options.js';
export {
  type ScanOptions,
  type ScanReport,
  scanDump,
} from './scan/scan.js';
export type { RecordPlace, ScanFinding } from './scan/scan-finding.js';
export {
  type VerifyOptions,
  type VerifyReport,
  type VerifySide,
  verifyDump,
} from './verify/verify.js';
export type {
  ShownValue,
  VerifyFinding,
} from './verify/verify-finding.js';
