/** Counts for engines that run a program many times and add up what each run reports on stderr. */

/** The forms that engines read. */
export const counterForms = ['hadoop'] as const;

/**
 * Lists numbers by their path, for Hadoop Streaming: `reporter:counter:utf8,faults.surrogate,3`.
 *
 * @see Hadoop Streaming, "How do I update counters in streaming applications?"
 */
export const listCounters = (stats: object): string[] =>
  listNumbers(JSON.parse(JSON.stringify(stats)), '');

function listNumbers(value: unknown, name: string): string[] {
  if (typeof value === 'number') return [`reporter:counter:utf8,${name},${value}`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    listNumbers(inner, name === '' ? key : `${name}.${key}`),
  );
}
