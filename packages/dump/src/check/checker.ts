/** Every fault of a segment: a function of its bytes that any thread can compute. */
import { type Codec, formatBytes } from '@utf8/core';
import { codecFor } from '@utf8/detect';
import { advance, FIRST, type LineColumn } from '../cut/position.js';
import type { Segment } from '../cut/segment.js';
import type { Task, Work } from '../pool/work.js';
import type { FaultFinding } from '../rewrite/refusal.js';
import { findReason } from '../rewrite/transcriber.js';

/** Finds faults. */
export interface CheckTask extends Task {
  readonly task: 'check';
  /** Label of the encoding. */
  readonly as: string;
  /** Counts lines and columns, for input that cannot be read again. */
  readonly tracks: boolean;
  /** Faults after which a segment is left. */
  readonly most: number;
}

/** The faults of a segment. */
export interface Checked {
  /** Line and column are relative to the segment. */
  readonly findings: readonly Omit<FaultFinding, 'file'>[];
  /** The end of the segment relative to its start, if asked for. */
  readonly moved: LineColumn | undefined;
  /** In bytes. */
  readonly length: number;
}

/** Creates the function that finds the faults of a segment. */
export function createCheck({ as, tracks, most }: CheckTask): Work {
  const codec = codecFor(as);
  return ((segment) => ({
    findings: codec.isValid(segment.bytes) ? [] : listFaults(codec, segment, most),
    moved: tracks ? advance(FIRST, segment.bytes, codec) : undefined,
    length: segment.bytes.length,
  })) satisfies (segment: Segment) => Checked;
}

function listFaults(codec: Codec, segment: Segment, most: number): Checked['findings'] {
  const { bytes, offset } = segment;
  const findings: Omit<FaultFinding, 'file'>[] = [];
  let position = FIRST;
  let end = 0;
  for (const fault of codec.faults(bytes)) {
    if (findings.length === most) break;
    position = advance(position, bytes.subarray(end, fault.offset), codec);
    end = fault.offset;
    findings.push({
      ...position,
      offset: offset + end,
      length: fault.length,
      reason: findReason(codec, segment, fault),
      bytes: formatBytes(bytes.subarray(end, end + fault.length)),
    });
  }
  return findings;
}
