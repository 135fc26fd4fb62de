/** What ends a run, as it is printed. */
import type { FaultReason } from '@utf8/core';
import type { FindingKind } from '../repair/flaw.js';

/** The first thing that the policies refuse. The names are those of the JSON objects. */
export interface Refusal {
  /** From 1; 0 outside of records. */
  readonly record: number;
  /** From 1. */
  readonly line: number;
  /** Its name, or its number from 1 where it has none. */
  readonly column: string | number;
  /** In bytes from the start of the input. */
  readonly offset: number;
  readonly kind: FindingKind;
  readonly reason: FaultReason | undefined;
  /** Upper-case hex, separated by spaces. */
  readonly bytes: string;
}

/** A refusal as a line of text or of JSON. */
export function formatRefusal(file: string, refusal: Refusal, json: boolean): string {
  const { record, line, column, offset, kind, bytes } = refusal;
  if (json) return `${JSON.stringify({ file, ...refusal, becomes: null })}\n`;
  const place = record === 0 ? 'outside of records' : `record ${record}, column ${column}`;
  return `${file}:${line}: ${place}: offset ${offset}: ${kind}: ${bytes}\n`;
}
