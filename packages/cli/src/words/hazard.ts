/** Advice about the hazards of loading a file. */
import { type FileHazard, fileHazards } from '@utf8/dump';

/** Returns the effect of a hazard on a server, and advice; undefined if the kind is not a hazard. */
export function adviseHazard(kind: string): string | undefined {
  const hazard = fileHazards.find((each) => each === kind);
  if (!hazard) return undefined;
  // A column in the declared character set keeps the bytes as they are.
  const otherwise = hazard === 'declared-encoding' ? 'keep it as declared' : 'accept the loss';
  return `${reasons[hazard]}, or ${otherwise} with --allow ${hazard}`;
}

const reasons: Readonly<Record<FileHazard, string>> = {
  'declared-encoding':
    'the dump declares another encoding than UTF-8 for this text, so a server reads other characters; declare UTF-8 with --fix-header',
  'unstated-encoding':
    'the dump does not state the encoding of its text, so the client or the server chooses one; state it with --fix-header',
  'narrow-column':
    'the character set of the column, or that in which the server keeps COMMENT, lacks this character, so the server stores ? or refuses it; change a column to utf8mb4 with --fix-header, or describe the target with --schema',
  'narrow-connection':
    'the character set of SET NAMES lacks this character, so the server stores ?; change it to utf8mb4 with --fix-header',
  'partition-key':
    'the changed value may belong in another partition, which the server refuses; dump the table with --load-via-partition-root',
  'equal-keys':
    'this key becomes equal to another key under its collation, so the server refuses the row or the whole table, with INSERT IGNORE without an error; find both with utf8 scan, and change one of them or the collation',
  'orphaned-row':
    'this row refers to a rejected row, and MariaDB loads it without an error; reject it too with --reject-children',
  'too-long':
    'the repaired text is longer than its column, so the server cuts it off or refuses it; choose another policy',
  'text-or-binary':
    'nothing in the dump says whether this is text or binary, so it is not repaired; describe its table with --schema, or decide with --assume',
  'inner-length':
    "a length in the value, such as PHP's s:6:, would be wrong, and is not counted again, since the value is not PHP serialization as a whole, or --inner-lengths fail forbids it; set the record aside with --rejects FILE",
};
