/**
 * Java's strings for ProtoDef, and so for prismarine-nbt: the format of `writeUTF` instead of a `pstring`
 * with `countType: 'u16'`.
 *
 * @packageDocumentation
 */
export { type CompilerType, type CompilerTypes, createCompilerTypes } from './compiler.js';
export { PartialReadError } from './error.js';
export { type PrismarineNbt, register } from './prismarine.js';
export { createStringType, type StringOptions, type StringType } from './string.js';
