/** Counts for engines that run a program many times over and add up what each run says on stderr. */

/** Whose form the counts have. */
export const counterForms = ['hadoop'] as const;

export type CounterForm = (typeof counterForms)[number];

/**
 * The numbers among statistics, as Hadoop Streaming takes them: `reporter:counter:group,name,amount`,
 * where the name is the way to the number, such as `faults.surrogate`.
 *
 * @see Hadoop Streaming, "How do I update counters in streaming applications?"
 */
export function formatCounters(stats: object): string {
  return list(JSON.parse(JSON.stringify(stats)), '').join('');
}

function list(value: unknown, name: string): string[] {
  if (typeof value === 'number') return [`reporter:counter:utf8,${name},${value}\n`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    list(inner, name === '' ? key : `${name}.${key}`),
  );
}
