/** What `--kind` takes. */
import type { StringKind } from '@utf8/classfile';
import { UsageFailure } from '../failure.js';

/** Each kind with what it is, for the help; in the order in which they are listed. */
const meanings: Readonly<Record<StringKind, string>> = {
  literal: 'a string of the program',
  name: 'a name of a class, field, method, variable, …',
  descriptor: 'a type of a field or a method',
  signature: 'a generic type',
  annotation: 'a string in an annotation',
  'kotlin-metadata': 'a string in kotlin.Metadata',
  'scala-signature': 'a string in a signature of Scala',
  attribute: 'the name of an attribute, such as Code',
  source: 'the name of the source file, versions of modules',
  unused: 'nothing known refers to it',
};

/** The kinds that there are. */
export const kinds = Object.keys(meanings) as readonly StringKind[];

/** The kinds, one a line, for the help. */
export const kindsHelp: string = Object.entries(meanings)
  .map(([kind, meaning]) => `  ${kind.padEnd(16)} ${meaning}`)
  .join('\n');

/**
 * Adds the kinds of one `--kind` to those of the others.
 *
 * @param list - With commas between them.
 * @throws {@link UsageFailure} where there is no such kind.
 */
export function addKinds(list: string, others: readonly StringKind[] = []): readonly StringKind[] {
  const added = list.split(',').map((name) => {
    const kind = kinds.find((kind) => kind === name.trim());
    if (kind) return kind;
    throw new UsageFailure(
      `there is no kind ${JSON.stringify(name.trim())}; there are ${kinds.join(', ')}`,
    );
  });
  return [...others, ...added];
}
