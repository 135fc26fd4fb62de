/** Advice about the hazards of a repair in a database. */
import type { AllowedHazard, DatabaseHazard } from '@utf8/dump/internal';

/**
 * Returns advice about skipped rows with a hazard, or an empty string.
 *
 * @param name - The key or trigger that the hazard concerns; for refused values, their kinds.
 */
export function adviseHazard(
  hazard: DatabaseHazard,
  name: string,
  allow: readonly AllowedHazard[],
): string {
  if (hazard === 'refused') {
    const flags = name.split(', ').flatMap((kind) => policies.get(kind) ?? []);
    if (flags.length === 0 && name === 'inner-length') return lengths;
    return flags.length > 0 ? `add ${[...new Set(flags)].join(' and ')} to repair such text` : '';
  }
  if (hazard === 'too-long') return 'make the column longer, or choose another policy';
  if (hazard === 'no-key') return 'give the table a primary key';
  const word = `--allow ${hazard}`;
  return allow.includes(hazard) ? `${word} cannot change them` : `${word} ${effects[hazard]}`;
}

/** A policy that accepts a kind of finding. */
const policies: ReadonlyMap<string, string> = new Map([
  ['unpaired-surrogate', '--unpaired-surrogates escape'],
  ['nul', '--nul replace'],
  ['overlong', '--errors escape'],
  ['legacy-byte', '--errors windows-1252'],
  ['other', '--errors escape'],
  ['equal-json-keys', '--equal-json-keys keep'],
]);

const lengths =
  'a length such as s:6: would be wrong, and the value is not PHP serialization as a whole; change it by hand, or accept the loss with --inner-lengths keep';

const effects: Readonly<Record<AllowedHazard, string>> = {
  'equal-keys': 'appends ~2, ~3, \u2026, the first that is free',
  'orphaned-row': 'changes them together with all rows that refer to them',
  trigger: 'changes them, and runs the trigger or function',
  history: 'changes them, and leaves the old values in the history',
  'narrow-column': 'runs that statement first',
};
