/**
 * What a string of a class file is for.
 *
 * - `literal`: a `CONSTANT_String` refers to it. That is what `ldc` loads, what constant fields hold
 *   (`ConstantValue`), and what bootstrap methods get.
 * - `name`: of a class, interface, field, method, module, package, parameter, local variable, record
 *   component, element of an annotation or constant of an enum. Arrays have class names like `[I`.
 * - `descriptor`: a type of a field or a method, of an annotation, or of a class in an annotation.
 * - `signature`: a generic type, in `Signature` and `LocalVariableTypeTable`.
 * - `annotation`: a string as a value in an annotation, or as the default of one.
 * - `kotlin-metadata`: a string in `kotlin.Metadata`.
 * - `scala-signature`: a string in `scala.reflect.ScalaSignature` or `ScalaLongSignature`.
 * - `attribute`: the name of an attribute, such as `Code`.
 * - `source`: what a class was made from or for: the name of its source file, versions of modules, the
 *   platform (`ModuleTarget`) and the algorithm of hashes (`ModuleHashes`).
 * - `unused`: nothing that is known refers to it, though an unknown attribute may.
 */
export type StringKind =
  | 'literal'
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
 * The kinds that there are, in the order in which they are listed for a string.
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

/** The set of one kind. */
export const setOf = (kind: StringKind): KindSet => 1 << kinds.indexOf(kind);

const lists = new Map<KindSet, readonly StringKind[]>();

/** The kinds of a set in their order; `unused` for the empty one. The lists are shared. */
export function listKinds(set: KindSet): readonly StringKind[] {
  let list = lists.get(set);
  if (!list) {
    list = Object.freeze(set ? kinds.filter((_, bit) => set & (1 << bit)) : ['unused' as const]);
    lists.set(set, list);
  }
  return list;
}
