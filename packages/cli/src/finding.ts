/** One malformed place of an input, and how it is printed. */
import { type Codec, type Fault, formatBytes } from '@utf8/core';
import type { Block } from './blocks.js';
import type { Position } from './position.js';
import type { Source } from './source.js';

/** A fault, and where a person finds it. The names are those of the JSON objects. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** In bytes from the start of the file. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
  readonly reason: string;
  /** Upper-case hex, separated by spaces. */
  readonly bytes: string;
}

/** What a finding takes from a {@link Fault}; its offset counts from the start of the block. */
export type Flaw = Pick<Fault, 'offset' | 'length'> & { readonly reason: string };

/** Makes the finding of a flaw in a block, at a position that has been moved there. */
export function createFinding(
  source: Source,
  { bytes, offset }: Block,
  flaw: Flaw,
  { line, column }: Position,
): Finding {
  return {
    file: source.name,
    line,
    column,
    offset: offset + flaw.offset,
    length: flaw.length,
    reason: flaw.reason,
    bytes: formatBytes(bytes.subarray(flaw.offset, flaw.offset + flaw.length)),
  };
}

/**
 * The reason of a fault, as it would be without the cut at the end of its block: a lead that stands
 * there alone is overlong, a surrogate or merely cut short by what follows it.
 */
export function findReason(codec: Codec, { bytes, context }: Block, fault: Fault): Fault['reason'] {
  if (fault.length > 1 || fault.offset + 1 < bytes.length) return fault.reason;
  return codec.findFault(context, fault.offset)?.reason ?? fault.reason;
}

/** A finding as a line of text or of JSON. */
export function formatFinding(finding: Finding, json: boolean): string {
  if (json) return `${JSON.stringify(finding)}\n`;
  const { file, line, column, offset, reason, bytes } = finding;
  return `${file}:${line}:${column}: offset ${offset}: ${reason}: ${bytes}\n`;
}
