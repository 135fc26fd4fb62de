/** Bootstrap methods, and the dynamic constants that they make. */
import { ClassFileError } from './error.js';
import { constant, type Layout, list } from './layout.js';
import type { Pool } from './pool.js';
import { Tag } from './tag.js';
import type { Walk } from './walk.js';

/** @see The Java Virtual Machine Specification, table 4.4-C */
const loadable = constant(
  'Integer',
  'Float',
  'Long',
  'Double',
  'Class',
  'String',
  'MethodHandle',
  'MethodType',
  'Dynamic',
);
const handle = constant('MethodHandle');
const arguments_ = list(loadable);

/** The attribute `BootstrapMethods`. */
export const bootstrapMethods: Layout = (walk) => {
  const { reader } = walk;
  if (walk.bootstrapMethods) reader.refuse('invalid-value', 'there was one before');
  const offsets: number[] = [];
  walk.bootstrapMethods = offsets;
  for (let left = reader.u2(); left > 0; left--) {
    offsets.push(reader.offset);
    handle(walk);
    arguments_(walk);
  }
};

/**
 * Checks that dynamic constants and call sites have bootstrap methods, and that no constant is needed
 * to make itself, which a JVM says when it first makes it.
 *
 * @see The Java Virtual Machine Specification, sections 4.7.23 and 5.4.3.6
 */
export function checkBootstraps({ pool, bootstrapMethods: methods = [] }: Walk): void {
  for (let index = 1; index < pool.count; index++) {
    const tag = pool.tags[index];
    if (tag !== Tag.Dynamic && tag !== Tag.InvokeDynamic) continue;
    const method = methodOf(pool, index);
    if (method < methods.length) continue;
    const what = `there is no bootstrap method ${method} for the constant ${index}`;
    throw new ClassFileError('invalid-index', (pool.offsets[index] as number) + 1, what);
  }
  checkCycles(pool, methods);
}

/** A bootstrap method whose arguments are being looked at. */
interface Visit {
  readonly method: number;
  /** Where the next argument is, in bytes from the start of the file. */
  next: number;
  /** Behind the last argument. */
  readonly end: number;
}

/** Visits what arguments lead to, depth first, each bootstrap method once. */
function checkCycles(pool: Pool, methods: readonly number[]): void {
  const UNSEEN = 0;
  const OPEN = 1;
  const DONE = 2;
  const states = new Uint8Array(methods.length);
  // Not by recursion: there may be tens of thousands in a row.
  const visits: Visit[] = [];
  const open = (method: number): void => {
    states[method] = OPEN;
    const counted = (methods[method] as number) + 2;
    const next = counted + 2;
    visits.push({ method, next, end: next + 2 * pool.u2(counted) });
  };
  for (let first = 0; first < methods.length; first++) {
    if (states[first] === UNSEEN) open(first);
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const { method, next, end } = visit;
      if (next === end) {
        states[method] = DONE;
        visits.pop();
        continue;
      }
      visit.next += 2;
      const index = pool.u2(next);
      if (pool.tags[index] !== Tag.Dynamic) continue;
      const maker = methodOf(pool, index);
      if (states[maker] === OPEN) {
        throw new ClassFileError('cycle', next, `the constant ${index} is needed to make itself`);
      }
      if (states[maker] === UNSEEN) open(maker);
    }
  }
}

/** The index of the bootstrap method of a dynamic constant. */
const methodOf = (pool: Pool, index: number): number =>
  pool.u2((pool.offsets[index] as number) + 1);
