/** Bootstrap methods, and the dynamic constants that they create. */
import { ClassFileError } from '../error.js';
import { type KindSet, setOf } from '../kind.js';
import type { Pool } from '../pool/pool.js';
import { Tag, tagSet } from '../pool/tag.js';
import { readLoad } from './loads.js';
import { Mark } from './places.js';
import type { Walk } from './walk.js';

/** @see The Java Virtual Machine Specification, table 4.4-C */
const loadable = tagSet(
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
const handle = tagSet('MethodHandle');

/** Kinds of a method's string arguments: the first one, and the others. */
type Arguments = readonly [first: KindSet, others: KindSet];

const plain = setOf('bootstrap-argument');
const any: Arguments = [plain, plain];
const recipe: Arguments = [setOf('recipe'), plain];
const labels: Arguments = [setOf('switch-label'), setOf('switch-label')];
const components: Arguments = [setOf('record-components'), setOf('record-components')];

/** Methods whose arguments have a special kind, by class and name. */
const special: ReadonlyMap<string, ReadonlyMap<string, Arguments>> = new Map([
  ['java/lang/invoke/StringConcatFactory', new Map([['makeConcatWithConstants', recipe]])],
  [
    'java/lang/runtime/SwitchBootstraps',
    new Map([
      ['typeSwitch', labels],
      ['enumSwitch', labels],
    ]),
  ],
  ['java/lang/runtime/ObjectMethods', new Map([['bootstrap', components]])],
]);

/** Returns the indices of the class and of the name of a MethodHandle's method. */
export function handledMethod(pool: Pool, index: number): readonly [owner: number, name: number] {
  const method = pool.reference(index, 2);
  const owner = pool.reference(pool.reference(method));
  return [owner, pool.reference(pool.reference(method, 3))];
}

function argumentsOf(pool: Pool, index: number): Arguments {
  if (index === 0) return any;
  const [owner, name] = handledMethod(pool, index);
  return special.get(pool.textOf(owner))?.get(pool.textOf(name)) ?? any;
}

/** The attribute `BootstrapMethods`. */
export function bootstrapMethods(walk: Walk): void {
  const { reader, pool, places } = walk;
  if (walk.bootstrapMethods) reader.refuse('invalid-value', 'the attribute occurs twice');
  const offsets: number[] = [];
  walk.bootstrapMethods = offsets;
  try {
    for (let left = reader.u2(); left > 0; left--) {
      const { offset } = reader;
      places.list?.mark(Mark.BootstrapMethod, offset);
      const [first, others] = argumentsOf(pool, walk.constant(handle));
      let kind = first;
      for (let more = reader.u2(); more > 0; more--) {
        if (pool.tags[readLoad(walk, loadable, kind)] === Tag.String) kind = others;
      }
      offsets.push(offset);
    }
  } finally {
    places.list?.mark(Mark.Class, reader.offset);
  }
}

/**
 * Checks that dynamic constants and call sites have bootstrap methods, and that no constant depends on
 * itself. A JVM reports the latter when it first resolves the constant.
 *
 * @see The Java Virtual Machine Specification, sections 4.7.23 and 5.4.3.6
 */
export function checkBootstraps(walk: Walk): void {
  const { pool, bootstrapMethods: methods = [] } = walk;
  for (let index = 1; index < pool.count; index++) {
    const tag = pool.tags[index];
    if (tag !== Tag.Dynamic && tag !== Tag.InvokeDynamic) continue;
    const method = methodOf(pool, index);
    if (method < methods.length) continue;
    const what = `there is no bootstrap method ${method} for the constant ${index}`;
    const at = (pool.offsets[index] as number) + 1;
    walk.report(new ClassFileError('invalid-index', at, what, { className: walk.className }));
  }
  checkCycles(walk, methods);
}

/** A bootstrap method whose arguments are being visited. */
interface Visit {
  readonly method: number;
  /** Offset of the next argument, in bytes from the start of the file. */
  next: number;
  /** Offset of the end of the arguments. */
  readonly end: number;
}

/** Visits the constants that arguments lead to, depth first, each bootstrap method once. */
function checkCycles(walk: Walk, methods: readonly number[]): void {
  const { pool, className } = walk;
  const UNSEEN = 0;
  const OPEN = 1;
  const DONE = 2;
  const states = new Uint8Array(methods.length);
  // Not by recursion, since a chain may have tens of thousands of methods.
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
        const what = `the constant ${index} depends on itself`;
        const attribute = 'BootstrapMethods';
        walk.report(new ClassFileError('cycle', next, what, { className, attribute }));
      }
      if (states[maker] === UNSEEN) open(maker);
    }
  }
}

/** Returns the index of a dynamic constant's bootstrap method. */
const methodOf = (pool: Pool, index: number): number =>
  pool.u2((pool.offsets[index] as number) + 1);
