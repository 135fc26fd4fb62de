/**
 * Dumps as records, or as plain text: scanned, converted, checked and reverted, at any size.
 *
 * @packageDocumentation
 */
export { type CheckOptions, type CheckReport, checkDump } from './check/check.js';
export { describeOwner, isAlive, type Owner } from './checkpoint/owner.js';
export { type ConvertReport, convertDump } from './convert/convert.js';
export type { RecordStats, TextStats } from './convert/ledger.js';
export {
  ConvertTransform,
  type ConvertTransformOptions,
  RefusedError,
} from './convert/transform.js';
export type { ByteRange } from './cut/range.js';
export {
  BrokenPipe,
  BusyError,
  DumpError,
  type DumpErrorCode,
  InputError,
  ioError,
  OutputError,
  UsageError,
} from './error.js';
export type { FormatDefinition, FormatOption, FormatOptions } from './format/format.js';
export { FormatError } from './format/format-error.js';
export { recognizeFormat } from './format/recognize.js';
export { findFormat, formatNames, formats } from './format/registry.js';
export { discardUnfinished } from './interrupt.js';
export { type Hazard, hazards } from './load/hazard.js';
export { chunks } from './open/chunks.js';
export { DamageError } from './open/damage.js';
export { type InputOptions, openInput } from './open/input.js';
export { measure, type Source } from './open/source.js';
export { requireStdout } from './path/closed.js';
export { createToken, nameLock, nameTemporary } from './path/derived-name.js';
export { fromPath, toPath } from './path/file-name.js';
export { type RunPaths, refuseSharedPaths } from './path/shared-paths.js';
export { writeAll } from './path/write-all.js';
export type { ContentOptions, ConvertOptions, TextOptions } from './plan.js';
export { type RevertOptions, revertDump } from './revert/revert.js';
export { type BomPolicy, bomPolicies } from './rewrite/bom.js';
export type { FaultFinding, FaultRefusal, RecordRefusal } from './rewrite/refusal.js';
export type { RunOptions } from './run-options.js';
export { type ScannedFile, type ScanOptions, type ScanReport, scanDump } from './scan/scan.js';
export type {
  FindingDetail,
  FindingPlace,
  KeyRelation,
  OtherRecord,
  RecordKey,
  ScanFinding,
  ScanKind,
} from './scan/scan-finding.js';
export {
  type VerifiedTable,
  type VerifyOptions,
  type VerifyReport,
  type VerifySide,
  verifyDump,
} from './verify/verify.js';
export type {
  RecordPlace,
  ShownValue,
  VerifyClass,
  VerifyFinding,
} from './verify/verify-finding.js';
