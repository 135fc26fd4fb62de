/** The string type for compiled protocols. */
import { createStringType, type StringOptions, type StringType } from './string.js';

/** A function of ours, or code that calls one. */
export type CompilerType = ['native', StringType[number]] | ['context', string];

/** The argument of `ProtoDefCompiler.addTypes`: types by name, for each of its three compilers. */
export interface CompilerTypes {
  /** The functions that read, by type. */
  readonly Read: Readonly<Record<string, CompilerType>>;
  /** The functions that write, by type. */
  readonly Write: Readonly<Record<string, CompilerType>>;
  /** The functions that measure, by type. */
  readonly SizeOf: Readonly<Record<string, CompilerType>>;
}

/**
 * Makes types for `ProtoDefCompiler.addTypes`, which replace existing types of the same names.
 *
 * {@link createStringType} documents their format and their errors.
 *
 * @param names - The names of the types; words, as they become part of code.
 * @param options - The encoding, and the policy for faults.
 * @returns Types for each of ProtoDef's compilers.
 * @example
 * ```ts
 * import { createCompilerTypes } from '@utf8/mutf8/protodef';
 *
 * const { Read, Write, SizeOf } = createCompilerTypes(['shortString']);
 * Object.keys(Read); // => ['shortStringOfJava', 'shortString']
 * ```
 * @see java.io.DataInput.readUTF; JVMS, section 4.4.7
 */
export function createCompilerTypes(
  names: readonly string[],
  options?: StringOptions,
): CompilerTypes {
  const [read, write, sizeOf] = createStringType(options);
  return {
    Read: nameType(names, read, 'buffer, offset'),
    Write: nameType(names, write, 'value, buffer, offset'),
    SizeOf: nameType(names, sizeOf, 'value'),
  };
}

/**
 * If several types have a name, the compiler prefers one that is code, and code reaches functions through
 * `native`.
 */
const nameType = (
  names: readonly string[],
  type: StringType[number],
  parameters: string,
): Record<string, CompilerType> =>
  Object.fromEntries(
    names.flatMap((name): [string, CompilerType][] => [
      [`${name}OfJava`, ['native', type]],
      [name, ['context', `(${parameters}) => native.${name}OfJava(${parameters})`]],
    ]),
  );
