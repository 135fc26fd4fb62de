/** What a repair of a row may break besides, and what can be done about it. */
import { UsageError } from '@utf8/dump';

/** The actions for each hazard; the first is the default. */
export const hazardActions = {
  /** A unique key, under the collation of its columns. */
  collision: ['skip', 'suffix', 'stop'],
  /** Longer than the column allows. */
  length: ['skip', 'stop'],
  /** A foreign key of text begins or ends at the value. */
  reference: ['skip', 'move', 'stop'],
  /** The table has a trigger on UPDATE. */
  trigger: ['skip', 'fire', 'stop'],
  /** The table is system-versioned, and its history keeps the old row. */
  history: ['skip', 'accept', 'stop'],
  /** The character set of the column lacks characters of the result. */
  obstacle: ['skip', 'alter', 'stop'],
  /** Nothing identifies the row. */
  'no key': ['skip', 'stop'],
  /** A policy, or the server, refuses a value. */
  refused: ['skip', 'stop'],
} as const;

/** A hazard of repairing a row. */
export type Hazard = keyof typeof hazardActions;

/** What is done with a row for each hazard. */
export type HazardActions = { readonly [H in Hazard]: (typeof hazardActions)[H][number] };

/** All hazards, in the order of reports. */
export const hazards = Object.keys(hazardActions) as readonly Hazard[];

/** A hazard of one row. */
export interface FoundHazard {
  /** What may break. */
  readonly hazard: Hazard;
  /** What it is about: `unique key users_email`, `trigger audit`, `varchar(40)`. */
  readonly name: string;
  /** Undefined if it is about the table. */
  readonly column: string | undefined;
  /** The table of the children, if it is not that of the row. */
  readonly table?: string | undefined;
  /** Whether the row is skipped by every action except `stop`, such as for foreign keys of two columns. */
  readonly isFinal?: boolean | undefined;
  /** The value is that of a parent, with which it moves. */
  readonly follows?: boolean | undefined;
}

/** What becomes of a row: the hazard is the one because of which it is not written. */
export type Decision =
  | { readonly is: 'write' }
  | { readonly is: 'skip' | 'stop'; readonly because: FoundHazard };

/**
 * Fills in the default actions.
 *
 * @throws UsageError if there is no such hazard or action.
 */
export function resolveActions(on: Partial<HazardActions> = {}): HazardActions {
  const chosen: Record<string, string> = {};
  for (const hazard of hazards) chosen[hazard] = hazardActions[hazard][0];
  for (const [hazard, action] of Object.entries(on)) {
    if (action === undefined) continue;
    if (!Object.hasOwn(hazardActions, hazard)) {
      throw new UsageError(
        `unknown hazard ${JSON.stringify(hazard)}; expected ${hazards.join(', ')}`,
      );
    }
    const known: readonly string[] = hazardActions[hazard as Hazard];
    if (!known.includes(action)) {
      throw new UsageError(
        `unknown action ${JSON.stringify(action)} for ${hazard}; expected ${known.join(', ')}`,
      );
    }
    chosen[hazard] = action;
  }
  return chosen as unknown as HazardActions;
}

/** Decides about a row. */
export function decide(found: readonly FoundHazard[], actions: HazardActions): Decision {
  const stopping = found.find(({ hazard }) => actions[hazard] === 'stop');
  if (stopping) return { is: 'stop', because: stopping };
  const skipping = found.find(({ hazard, isFinal }) => isFinal || actions[hazard] === 'skip');
  return skipping ? { is: 'skip', because: skipping } : { is: 'write' };
}
