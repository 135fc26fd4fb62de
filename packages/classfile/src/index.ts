/**
 * The strings of JVM class files: reading, finding their uses, and replacing.
 *
 * @packageDocumentation
 */
export { type ClassFile, readClass } from './class.js';
export type { Constant, ConstantPlace } from './constant.js';
export { ClassFileError, type ClassFileReason, type FaultPlace } from './error.js';
export { kinds, type StringKind } from './kind.js';
export { type ReplaceOptions, replaceStrings } from './replace.js';
export { type ClassString, type ReadOptions, readStrings } from './strings.js';
export type {
  BootstrapCaller,
  StringUse,
  UseAnnotation,
  UseBootstrap,
  UseMember,
} from './use/string-use.js';
export { readUses, type UsesOptions } from './uses.js';
