/** The first thing that the policies refuse, which ends a run. Field names are those of the JSON. */
import type { FaultReason } from '@utf8/core';
import type { Kind } from '@utf8/repair';
import type { FileHazard } from '../load/hazard.js';

/** A refusal in a record. */
export interface RecordRefusal {
  /** The path of the input, or `-` for stdin. */
  readonly file: string;
  /** From 1; 0 outside of records. */
  readonly record: number;
  /** From 1. */
  readonly line: number;
  /** Name of the column, or its number from 1. */
  readonly column: string | number;
  /** In bytes from the start of the input, decompressed. */
  readonly offset: number;
  /** Kind of the refused sequence or record. */
  readonly kind: Kind | FileHazard;
  /** Reason that the bytes are malformed; undefined if they are well-formed. */
  readonly reason: FaultReason | undefined;
  /** Upper-case hex, separated by spaces. */
  readonly bytes: string;
  /** Null, since nothing replaces the bytes. */
  readonly becomes: null;
  /** The encoding that the dump declares for them, if it is another one, or the cause. */
  readonly charset?: string | undefined;
  /** The line that declares it. */
  readonly declared?: number | undefined;
}

/** A malformed sequence in plain text. */
export interface FaultFinding {
  /** The path of the input, or `-` for stdin. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters, malformed ones too. */
  readonly column: number;
  /** In bytes from the start of the input, decompressed. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  /** The reason of a fault, or `nul` for U+0000 under the policy `fail`. */
  readonly reason: FaultReason | 'nul';
  /** Upper-case hex, separated by spaces. */
  readonly bytes: string;
}

/** A fault in plain text that ends a conversion. */
export interface FaultRefusal extends FaultFinding {
  /** True if the input is well-formed there, but the target cannot represent it. */
  readonly isTargetAtFault: boolean;
}
