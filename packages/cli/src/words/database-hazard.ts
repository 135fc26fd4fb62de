/** The hazards of a repair in a database as words of a command line. */
import { type Hazard, type HazardActions, hazardActions, hazards } from '@utf8/database';
import { UsageError } from '../option/usage-error.js';

/** Such as `no-key`. */
const spell = (hazard: Hazard): string => hazard.replaceAll(' ', '-');

/** The values of `--on`, such as `collision=suffix`. */
export const hazardChoices: readonly string[] = hazards.flatMap((hazard) =>
  hazardActions[hazard].map((action) => `${spell(hazard)}=${action}`),
);

/** Reads the values of `--on`. */
export function readActions(words: readonly string[] = []): Partial<HazardActions> {
  const actions = new Map<string, string>();
  for (const word of words) {
    const [name = '', action = ''] = word.split('=');
    const hazard = hazards.find((each) => spell(each) === name) as string;
    const known = actions.get(hazard);
    if (known !== undefined && known !== action) {
      throw new UsageError(`--on ${name}=${known} and ${word} contradict each other; use one`);
    }
    actions.set(hazard, action);
  }
  return Object.fromEntries(actions);
}

/**
 * Says what to do about rows with a hazard that are skipped; empty if there is nothing.
 *
 * @param name - What the hazard is about; for refused values, their kinds.
 */
export function adviseHazard(hazard: Hazard, name: string, on: Partial<HazardActions>): string {
  if (hazard === 'refused') {
    const flags = name.split(', ').flatMap((kind) => policies.get(kind) ?? []);
    return flags.length > 0 ? `repaired with ${[...new Set(flags)].join(' and ')}` : '';
  }
  const [action, what] = advice[hazard];
  if (action === undefined) return what;
  const word = `--on ${spell(hazard)}=${action}`;
  return on[hazard] === action ? `${word} cannot change them` : `${word} ${what}`;
}

/** A policy that accepts a kind of finding. */
const policies: ReadonlyMap<string, string> = new Map([
  ['unpaired surrogate', '--unpaired-surrogates escape'],
  ['nul', '--nul replace'],
  ['overlong', '--errors backslashreplace'],
  ['legacy byte', '--errors windows-1252'],
  ['other', '--errors backslashreplace'],
  ['equal JSON keys', '--equal-json-keys keep'],
]);

const advice: Readonly<
  Record<Exclude<Hazard, 'refused'>, readonly [action: string | undefined, what: string]>
> = {
  collision: ['suffix', 'appends ~2, ~3, …, the first that is free'],
  length: [undefined, 'make the column longer, or choose another policy'],
  reference: ['move', 'changes them together with all rows that refer to them'],
  trigger: ['fire', 'changes them, and runs what is named'],
  history: ['accept', 'changes them, and leaves the old values in the history'],
  obstacle: ['alter', 'runs that statement first'],
  'no key': [undefined, 'give the table a primary key'],
};
