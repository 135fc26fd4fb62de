/**
 * Kind of a string in a class file, by its use.
 *
 * - `literal`: a string of the program, which `ldc` loads or a constant field contains, unless it is one
 *   of the following; also a `CONSTANT_String` to which nothing known refers.
 * - `recipe`: the shape of a concatenation (`StringConcatFactory`), with U+0001 where an argument goes.
 * - `switch-label`: a case of a `switch` over strings or patterns. In code, the hash code next to it was
 *   computed by the compiler.
 * - `record-components`: the names of a record's components, for `ObjectMethods`.
 * - `lambda`: a string in `$deserializeLambda$`, by which serialized lambdas are found.
 * - `enum-constant`: the name of an enum constant, by which `valueOf` and serialization find it.
 * - `bootstrap-argument`: a string argument of any other bootstrap method.
 * - `name`: of a class, interface, field, method, module, package, parameter, local variable, record
 *   component, element of an annotation or constant of an enum. Arrays have class names like `[I`.
 * - `descriptor`: a type of a field or a method, of an annotation, or of a class in an annotation.
 * - `signature`: a generic type, in `Signature` and `LocalVariableTypeTable`.
 * - `annotation`: a string as a value in an annotation, or as the default of one.
 * - `kotlin-metadata`: a string in `kotlin.Metadata`.
 * - `scala-signature`: a string in `scala.reflect.ScalaSignature` or `ScalaLongSignature`.
 * - `attribute`: the name of an attribute, such as `Code`.
 * - `source`: the origin or target of a class: the name of its source file, versions of modules, the
 *   platform (`ModuleTarget`) and the algorithm of hashes (`ModuleHashes`).
 * - `unused`: nothing known refers to it, though an unknown attribute may.
 */
export type StringKind =
  | 'literal'
  | 'recipe'
  | 'switch-label'
  | 'record-components'
  | 'lambda'
  | 'enum-constant'
  | 'bootstrap-argument'
  | 'name'
  | 'descriptor'
  | 'signature'
  | 'annotation'
  | 'kotlin-metadata'
  | 'scala-signature'
  | 'attribute'
  | 'source'
  | 'unused';

/**
 * All kinds, in the order in which they are listed for a string.
 *
 * @example
 * ```ts
 * import { kinds } from '@utf8/classfile';
 *
 * kinds[0]; // => 'literal'
 * ```
 */
export const kinds: readonly StringKind[] = [
  'literal',
  'recipe',
  'switch-label',
  'record-components',
  'lambda',
  'enum-constant',
  'bootstrap-argument',
  'name',
  'descriptor',
  'signature',
  'annotation',
  'kotlin-metadata',
  'scala-signature',
  'attribute',
  'source',
  'unused',
];

/** A set of kinds as bits: bit n for `kinds[n]`. */
export type KindSet = number;

/** Returns the set of one kind. */
export const setOf = (kind: StringKind): KindSet => 1 << kinds.indexOf(kind);

/**
 * Returns the set of some kinds.
 *
 * @throws TypeError if a kind does not exist.
 */
export function joinKinds(list: readonly StringKind[]): KindSet {
  let set = 0;
  for (const kind of list) {
    if (!kinds.includes(kind)) {
      throw new TypeError(
        `Unknown kind of strings, ${String(kind)}: expected one of ${kinds.join(', ')}.`,
      );
    }
    set |= setOf(kind);
  }
  return set;
}

const lists = new Map<KindSet, readonly StringKind[]>();

/** Returns the kinds of a set in their order; `unused` for the empty one. The lists are shared. */
export function listKinds(set: KindSet): readonly StringKind[] {
  let list = lists.get(set);
  if (!list) {
    list = Object.freeze(set ? kinds.filter((_, bit) => set & (1 << bit)) : ['unused' as const]);
    lists.set(set, list);
  }
  return list;
}
