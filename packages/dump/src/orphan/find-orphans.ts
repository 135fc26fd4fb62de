/** Finds all rows that refer to rejected ones, however far: the rows that refer to these are orphans, too. */
import { segments } from '../cut/segments.js';
import { countTo } from '../cut/start.js';
import { UsageError } from '../error.js';
import type { DeclaredReference, Format } from '../format/format.js';
import { findFormat } from '../format/registry.js';
import { listReferences } from '../format/sql/keys.js';
import { openInput } from '../open/input.js';
import { runInOrder, SpareMemory } from '../pool/pool.js';
import type { FormatChoice, RepairChoice } from '../pool/work.js';
import { createTrace, type OrphanPlace, type Traced, type TraceTask } from './trace.js';

/** Rejected keys and orphans of a file. */
export interface FoundOrphans {
  readonly references: readonly DeclaredReference[];
  /** The keys of all rejected rows that others may refer to, packed. */
  readonly keys: readonly string[];
  /** In order. */
  readonly orphans: readonly OrphanPlace[];
}

/** The most keys, and the most orphans, in memory. */
const MOST = 1_000_000;

/**
 * Reads a file once more than the longest chain of references has links.
 *
 * @throws {@link UsageError} if more rows are rejected than fit into memory.
 */
export async function findOrphans(
  file: string,
  choice: FormatChoice,
  repair: RepairChoice,
  jobs: number,
): Promise<FoundOrphans> {
  const format = findFormat(choice.name, choice.options);
  const references = await readReferences(file, format);
  const keys = new Set<string>();
  let orphans: OrphanPlace[] = [];
  for (let known = -1; known < keys.size && references.length > 0; ) {
    known = keys.size;
    orphans = [];
    const task: TraceTask = { task: 'trace', format: choice, repair, references, keys: [...keys] };
    const source = await openInput(file);
    try {
      const spare = new SpareMemory();
      const cuts = segments(source, format, { allocate: jobs > 1 ? spare.take : undefined });
      const each = withNothing(cuts);
      for await (const [, found] of runInOrder(each, task, createTrace, jobs, spare)) {
        const traced = found as Traced;
        for (const key of traced.keys) keys.add(key);
        for (const orphan of traced.orphans) orphans.push(orphan);
        if (Math.max(keys.size, orphans.length) > MOST) {
          throw new UsageError(
            `more than ${MOST} rejected rows, or rows that refer to them; choose another policy`,
          );
        }
      }
      await source.verify();
    } finally {
      await source.close();
    }
  }
  return { references, keys: [...keys], orphans };
}

async function readReferences(file: string, format: Format): Promise<readonly DeclaredReference[]> {
  if (!format.sql) return [];
  const source = await openInput(file);
  try {
    const { state } = await countTo(source, format, Number.POSITIVE_INFINITY);
    return state ? listReferences(state) : [];
  } finally {
    await source.close();
  }
}

async function* withNothing(cuts: ReturnType<typeof segments>) {
  for await (const segment of cuts) yield [segment, undefined] as [typeof segment, undefined];
}
