/** Malformed characters of a segment: a function of its bytes that any thread can compute. */
import { type Codec, formatBytes } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { advance, FIRST, type LineColumn } from '../cut/position.js';
import type { Segment } from '../cut/segments.js';
import type { Task, Work } from '../pool/work.js';
import type { FaultFinding } from '../rewrite/refusal.js';
import { measureMalformed } from '../sequence.js';

/** Finds malformed characters. */
export interface CheckTask extends Task {
  readonly task: 'check';
  /** Label of the encoding. */
  readonly as: string;
  /** Counts lines and columns, for input that cannot be read again. */
  readonly tracks: boolean;
  /** Number of findings after which a segment is left. */
  readonly most: number;
}

/** The malformed characters of a segment. */
export interface Checked {
  /** Line and column are relative to the segment. */
  readonly findings: readonly Omit<FaultFinding, 'file'>[];
  /** The end of the segment relative to its start, if requested. */
  readonly moved: LineColumn | undefined;
  /** In bytes. */
  readonly length: number;
}

/** Creates the function that finds the malformed characters of a segment. */
export function createCheck({ as, tracks, most }: CheckTask): Work {
  const codec = codecFor(as);
  return ((segment) => ({
    findings: codec.isValid(segment.bytes) ? [] : listMalformed(codec, segment, most),
    moved: tracks ? advance(FIRST, segment.bytes, codec) : undefined,
    length: segment.bytes.length,
  })) satisfies (segment: Segment) => Checked;
}

function listMalformed(codec: Codec, { bytes, offset }: Segment, most: number) {
  const findings: Checked['findings'][number][] = [];
  let position = FIRST;
  let counted = 0;
  let end = 0;
  for (const fault of codec.faults(bytes)) {
    // Other faults of the same character.
    if (fault.offset < end) continue;
    if (findings.length === most) break;
    // A malformed character is one column, and no line ends in it.
    position =
      findings.length > 0 && fault.offset === end
        ? { line: position.line, column: position.column + 1 }
        : advance(position, bytes.subarray(counted, fault.offset), codec);
    counted = fault.offset;
    const length = measureMalformed(bytes, fault);
    end = counted + length;
    findings.push({
      ...position,
      offset: offset + counted,
      length,
      reason: fault.reason,
      bytes: formatBytes(bytes.subarray(counted, end)),
    });
  }
  return findings;
}
