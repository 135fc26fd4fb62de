/** Hazards: side effects that the repair of a row may have, and the action for each. */
import { UsageError } from '@utf8/dump';
import {
  type AllowedHazard,
  allowedHazards,
  type DatabaseHazard,
  databaseHazards,
  opt,
  phrase,
} from '@utf8/dump/internal';

/** Action for the rows with a hazard. */
export type HazardAction = 'skip' | 'allow' | 'stop';

/** Action for each hazard. */
export type HazardActions = Readonly<Record<DatabaseHazard, HazardAction>>;

/** Hazards despite which rows are written, and hazards that end the run. All others skip the row. */
export interface HazardChoice {
  /** Hazards despite which rows are repaired; none by default. */
  readonly allow?: readonly AllowedHazard[] | undefined;
  /** Hazards that end the run before anything is written; none by default. */
  readonly stopAt?: readonly DatabaseHazard[] | undefined;
}

/** A hazard of one row. */
export interface FoundHazard {
  /** Kind of hazard. */
  readonly hazard: DatabaseHazard;
  /** Object that the hazard concerns: `unique key users_email`, `trigger audit`, `varchar(40)`. */
  readonly name: string;
  /** Name of the column; undefined if the hazard concerns the whole table. */
  readonly column: string | undefined;
  /** The table of the children, if it is not that of the row. */
  readonly table?: string | undefined;
  /** True if every action except `stop` skips the row, such as for foreign keys of two columns. */
  readonly isFinal?: boolean | undefined;
  /** The value is that of a parent, with which it moves. */
  readonly follows?: boolean | undefined;
}

/** Decision about a row, with the hazard that prevents writing it. */
export type Decision =
  | { readonly is: 'write' }
  | { readonly is: 'skip' | 'stop'; readonly because: FoundHazard };

/**
 * Decides about all hazards.
 *
 * @throws UsageError if a hazard is unknown, or is both in `allow` and in `stopAt`.
 */
export function resolveActions({ allow = [], stopAt = [] }: HazardChoice = {}): HazardActions {
  refuseUnknown('allow', allow, allowedHazards);
  refuseUnknown('stopAt', stopAt, databaseHazards);
  const both = allow.find((hazard) => stopAt.includes(hazard));
  if (both) {
    throw new UsageError(
      phrase`${both} cannot be allowed and end the run; choose one (${opt('stopAt')})`,
    );
  }
  const actions = databaseHazards.map((hazard) => [
    hazard,
    stopAt.includes(hazard)
      ? 'stop'
      : (allow as readonly string[]).includes(hazard)
        ? 'allow'
        : 'skip',
  ]);
  return Object.fromEntries(actions);
}

function refuseUnknown(option: string, chosen: readonly string[], known: readonly string[]): void {
  const unknown = chosen.find((hazard) => !known.includes(hazard));
  if (unknown === undefined) return;
  throw new UsageError(
    phrase`unknown hazard ${JSON.stringify(unknown)}; expected ${known.join(', ')} (${opt(option)})`,
  );
}

/** Decides about a row. */
export function decide(found: readonly FoundHazard[], actions: HazardActions): Decision {
  const stopping = found.find(({ hazard }) => actions[hazard] === 'stop');
  if (stopping) return { is: 'stop', because: stopping };
  const skipping = found.find(({ hazard, isFinal }) => isFinal || actions[hazard] !== 'allow');
  return skipping ? { is: 'skip', because: skipping } : { is: 'write' };
}
