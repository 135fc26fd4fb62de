/** The conversion of segments, of records or of plain text. */
import { codecFor } from '@utf8/detect';
import { createRepairer } from '@utf8/repair';
import type { Segment } from '../cut/segment.js';
import { findFormat } from '../format/registry.js';
import type { FormatChoice, RepairChoice, Task, Work } from '../pool/work.js';
import { type RewriteOptions, Rewriter } from './rewriter.js';
import { StretchTranscoder } from './stretch.js';
import { type TranscribeOptions, Transcriber } from './transcriber.js';

/** Converts records. */
export interface RewriteTask extends Task {
  readonly task: 'rewrite';
  readonly format: FormatChoice;
  readonly repair: RepairChoice;
  readonly rewrite: RewriteOptions;
}

/** Converts plain text. */
export interface TranscribeTask extends Task {
  readonly task: 'transcribe';
  readonly from: string;
  readonly to: string;
  readonly transcribe: TranscribeOptions;
}

/** Creates the function that converts segments. */
export function createConversion(task: RewriteTask | TranscribeTask): Work {
  if (task.task === 'transcribe') {
    const { from, to, transcribe } = task;
    const transcriber = new Transcriber(codecFor(from), codecFor(to), transcribe);
    const work = (segment: Segment): unknown => transcriber.transcribe(segment);
    return Object.assign(work, { memory: transcriber.memory });
  }
  const { repair, rewrite } = task;
  const format = findFormat(task.format.name, task.format.options);
  const policies = { ...repair, from: codecFor(repair.from), to: codecFor(repair.to) };
  const repairer = createRepairer({ ...policies, syntax: format });
  const transcoder = new StretchTranscoder(policies, format);
  const rewriter = new Rewriter(format, repairer, transcoder, rewrite);
  return (segment) => rewriter.rewrite(segment);
}
