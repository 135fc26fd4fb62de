/** Reads everything again after a repair: what is left, and whether the database is intact. */
import { type Look, look } from '../look/look.js';
import type { LookReport } from '../report.js';

/** What is left, and what the server's check of integrity says. */
export interface Proof {
  readonly left: LookReport;
  readonly problems: readonly string[];
}

/** Counts what is left, by the same judge as before, and has the server check its integrity. */
export async function prove(task: Omit<Look, 'weighs' | 'onRow'>): Promise<Proof> {
  // What other rows have is of no interest any more.
  const left = await look({ ...task, weighs: false });
  return { left, problems: await task.server.checkIntegrity() };
}
