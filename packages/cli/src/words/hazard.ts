/** The hazards of loading as words of a command line. */
import { type Hazard, hazards } from '@utf8/dump';

/** Such as `narrow-column`. */
const spell = (hazard: Hazard): string => hazard.replaceAll(' ', '-');

/** The values of `--allow`. */
export const allowances: readonly string[] = hazards.map(spell);

/** Finds a hazard by its word. */
export const findHazard = (word: string): Hazard =>
  hazards.find((hazard) => spell(hazard) === word) as Hazard;

/** What a server would do with a record, and what to do about it; undefined if the kind is no hazard. */
export function adviseHazard(kind: string): string | undefined {
  const hazard = hazards.find((each) => each === kind);
  return hazard && `${reasons[hazard]}, or accept the loss with --allow ${spell(hazard)}`;
}

const reasons: Readonly<Record<Hazard, string>> = {
  'narrow column':
    'the character set of the column, or that in which the server keeps COMMENT, lacks this character, so the server stores ? or refuses it; change a column to utf8mb4 with --fix-header, or describe the target with --schema',
  'narrow connection':
    'the character set of SET NAMES lacks this character, so the server stores ?; change it to utf8mb4 with --fix-header',
  'partition key':
    'the changed value may belong in another partition, which the server refuses; dump the table with --load-via-partition-root',
  'equal keys':
    'this key becomes equal to another key under its collation, so the server refuses the row or the whole table, with INSERT IGNORE without an error; find both with utf8 scan, and change one of them or the collation',
  'orphaned row':
    'this row refers to a rejected row, and MariaDB loads it without an error; reject it too with --reject-children',
  'over the limit':
    'the repaired text is longer than its column, so the server cuts it off or refuses it; choose another policy',
  'text or binary':
    'nothing in the dump says whether this is text or binary, so it is not repaired; describe its table with --schema, or decide with --assume',
};
