/** Replaces prismarine-nbt's own string type. */
import { createCompilerTypes } from './compiler.js';
import { createStringType, type StringOptions } from './string.js';

/** The exports of prismarine-nbt that `register` needs; its types declare ProtoDef's classes as `any`. */
export interface PrismarineNbt {
  /** The compiled protocols; `big` is the protocol of the Java edition. */
  readonly protos: {
    /** The compiled protocol in big-endian order. */
    readonly big: object;
  };
  /**
   * Adds the types of NBT to a compiler.
   *
   * @param type - The format: `big`, `little` or `littleVarint`.
   * @param compiler - A `ProtoDefCompiler`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  addTypesToCompiler(type: any, compiler: any): void;
  /**
   * Adds the types of NBT to an interpreter.
   *
   * @param type - The format: `big`, `little` or `littleVarint`.
   * @param protodef - A `ProtoDef`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  addTypesToInterpreter(type: any, protodef: any): void;
}

/** The names of the types of strings and of tag names. */
const names = ['shortString', 'nbtTagName'];

/**
 * Makes the strings of prismarine-nbt's big-endian format, which is that of Minecraft's Java edition,
 * Modified UTF-8. Those of Bedrock's little-endian formats are UTF-8, and do not change.
 *
 * This applies to `parse`, `parseUncompressed`, `writeUncompressed` and `proto` wherever they are used, and
 * for protocols made with `addTypesToCompiler` and `addTypesToInterpreter` afterwards.
 *
 * @param nbt - The exports of prismarine-nbt 2.
 * @param options - The encoding, and the policy for faults.
 * @throws TypeError if the argument is not prismarine-nbt.
 * @example
 * ```ts
 * import nbt from 'prismarine-nbt';
 * import { register } from '@utf8/mutf8/protodef';
 *
 * register(nbt);
 * const file = nbt.writeUncompressed({ type: 'compound', name: '😀', value: {} });
 * file.toString('hex'); // => '0a0006eda0bdedb88000'
 * nbt.parseUncompressed(file).name; // => '😀'
 * ```
 * @see java.io.DataInput.readUTF; JVMS, section 4.4.7
 */
export function register(nbt: PrismarineNbt, options?: StringOptions): void {
  // The namespace of a CommonJS module cannot be changed; the module itself is its default.
  const target = (nbt as { default?: PrismarineNbt } | undefined)?.default ?? nbt;
  const { readCtx, writeCtx, sizeOfCtx } = (target?.protos?.big ?? {}) as Record<string, object>;
  if (!readCtx || !writeCtx || !sizeOfCtx) {
    throw new TypeError(
      'Expected the exports of prismarine-nbt 2, but the argument has no protos.big.',
    );
  }
  const type = createStringType(options);
  const [read, write, sizeOf] = type;
  const named = <T>(value: T): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, value]));
  // Compiled protocols look up types in these objects at each call.
  Object.assign(readCtx, named(read));
  Object.assign(writeCtx, named(write));
  Object.assign(sizeOfCtx, named(sizeOf));
  const { addTypesToCompiler, addTypesToInterpreter } = target;
  target.addTypesToCompiler = (format, compiler) => {
    addTypesToCompiler(format, compiler);
    if (isBigEndian(format)) compiler.addTypes(createCompilerTypes(names, options));
  };
  target.addTypesToInterpreter = (format, protodef) => {
    addTypesToInterpreter(format, protodef);
    if (isBigEndian(format)) protodef.addTypes(named(type));
  };
}

/** Tells whether a format is big-endian; prismarine-nbt treats every other name so. */
const isBigEndian = (format: unknown): boolean => format !== 'little' && format !== 'littleVarint';
