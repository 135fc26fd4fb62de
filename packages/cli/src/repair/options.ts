/** What a repair is asked to do, and what it cannot be asked. */
import type { Encoding } from '../codecs.js';
import { UsageFailure } from '../failure.js';
import type { Mending } from '../mend.js';
import type { NulPolicy } from '../nul.js';

/** What `--lone-halves` takes. */
export const loneHalvesPolicies = ['fail', 'replace', 'escape', 'keep'] as const;

/** A policy of `--lone-halves`. */
export type LoneHalvesPolicy = (typeof loneHalvesPolicies)[number];

/** What becomes of texts. */
export interface RepairOptions {
  readonly from: Encoding;
  readonly to: Encoding;
  /** Of halves without a partner, also where `from` takes them. */
  readonly loneHalves: LoneHalvesPolicy;
  /** Of U+0000, however it is spelled. */
  readonly nul: NulPolicy;
  /** Of all else that `from` does not take, and that `to` does not have. */
  readonly errors: 'strict' | Mending;
}

/** A half as all encodings that have it spell it. */
const LONE_HALF = Uint8Array.of(0xed, 0xa0, 0xbd);

/** Whether an encoding has lone halves. */
export const hasLoneHalves = ({ codec }: Encoding): boolean => codec.isValid(LONE_HALF);

/**
 * Makes sure that a repair can do what it is asked to.
 *
 * @throws {@link UsageFailure} where it cannot.
 */
export function checkRepair({ to, loneHalves, nul, errors }: RepairOptions): void {
  if (loneHalves !== 'keep') return;
  if (!hasLoneHalves(to)) {
    throw new UsageFailure(
      `--lone-halves keep needs a target that has them, and ${to.label} has none; use fail, replace or escape`,
    );
  }
  const removing = [
    ...(nul === 'remove' ? ['--nul remove'] : []),
    ...(errors === 'ignore' ? ['--errors ignore'] : []),
  ];
  if (removing.length === 0) return;
  throw new UsageFailure(
    `--lone-halves keep with ${removing.join(' and ')} could make one character of two halves; use replace instead of ${removing[0]?.split(' ')[1]}`,
  );
}
