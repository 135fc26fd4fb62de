/** The conversion of segments of plain text. */
import { codecFor } from '@utf8/detect';
import type { Segment } from '../cut/segment.js';
import type { Task, Work } from '../pool/work.js';
import { type TranscribeOptions, Transcriber } from './transcriber.js';

/** Converts plain text. */
export interface TranscribeTask extends Task {
  readonly task: 'transcribe';
  readonly from: string;
  readonly to: string;
  readonly transcribe: TranscribeOptions;
}

/** Creates the function that converts segments of plain text. */
export function createTranscription({ from, to, transcribe }: TranscribeTask): Work {
  const transcriber = new Transcriber(codecFor(from), codecFor(to), transcribe);
  const work = (segment: Segment): unknown => transcriber.transcribe(segment);
  return Object.assign(work, { memory: transcriber.memory });
}
