/** Second scan after a repair, to find remaining problems and to check the database's integrity. */
import { type Look, look } from '../look/look.js';
import type { LookReport } from '../report.js';

/** Findings after a repair, and problems that the integrity check found. */
export interface Proof {
  readonly left: LookReport;
  readonly problems: readonly string[];
}

/** Counts the text that is left, by the same rules as before, and has the server check its integrity. */
export async function prove(task: Omit<Look, 'weighs' | 'onRow'>): Promise<Proof> {
  // Collisions and references no longer matter.
  const left = await look({ ...task, weighs: false });
  return { left, problems: await task.server.checkIntegrity() };
}
