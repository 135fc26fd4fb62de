/** The conversion of segments of records. */
import { codecFor } from '@utf8/detect';
import { createRepairer } from '@utf8/repair';
import { findFormat } from '../format/registry.js';
import { OrphanTest } from '../orphan/orphan-test.js';
import type { FormatChoice, RepairChoice, Task, Work } from '../pool/work.js';
import { type RewriteOptions, Rewriter } from './rewriter.js';
import { StretchTranscoder } from './stretch.js';

/** Converts records. */
export interface RewriteTask extends Task {
  readonly task: 'rewrite';
  readonly format: FormatChoice;
  readonly repair: RepairChoice;
  readonly rewrite: RewriteOptions;
}

/** Creates the function that converts segments of records. */
export function createConversion({ format: choice, repair, rewrite }: RewriteTask): Work {
  const format = findFormat(choice.name, choice.options);
  const policies = { ...repair, from: codecFor(repair.from), to: codecFor(repair.to) };
  const repairer = createRepairer({ ...policies, syntax: format });
  const transcoder = new StretchTranscoder(policies, format);
  const { orphans } = rewrite;
  const test = orphans && new OrphanTest(format, policies.from, orphans);
  const rewriter = new Rewriter(format, repairer, transcoder, rewrite, test);
  return (segment) => rewriter.rewrite(segment);
}
