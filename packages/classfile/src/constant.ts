import type { Pool } from './pool/pool.js';
import { nameOf } from './pool/tag.js';
import type { ClassString } from './strings.js';

/** The place of a constant. */
export interface ConstantPlace {
  /** Its index in the constant pool. */
  readonly index: number;
  /** Offset of its tag, in bytes from the start of the class file. */
  readonly offset: number;
}

/**
 * A constant. Tags are those of the specification without their first word, and so are the fields.
 *
 * @see The Java Virtual Machine Specification, section 4.4
 */
export type Constant = ConstantPlace &
  (
    | {
        /** Kind of the constant. */
        readonly tag: 'Utf8';
        /** The string. */
        readonly string: ClassString;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'Integer' | 'Float' | 'Double';
        /** The number. */
        readonly value: number;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'Long';
        /** The number. */
        readonly value: bigint;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'Class' | 'Module' | 'Package';
        /** The index of the name in the constant pool: of a Utf8. */
        readonly nameIndex: number;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'String';
        /** The index of the text in the constant pool: of a Utf8. */
        readonly stringIndex: number;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'Fieldref' | 'Methodref' | 'InterfaceMethodref';
        /** The index of the class in the constant pool. */
        readonly classIndex: number;
        /** The index of the name and the descriptor in the constant pool: of a NameAndType. */
        readonly nameAndTypeIndex: number;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'NameAndType';
        /** The index of the name in the constant pool: of a Utf8. */
        readonly nameIndex: number;
        /** The index of the descriptor in the constant pool: of a Utf8. */
        readonly descriptorIndex: number;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'MethodHandle';
        /** Kind of the reference, from 1 to 9, as in table 5.4.3.5-A. */
        readonly referenceKind: number;
        /** The index of the field or method in the constant pool. */
        readonly referenceIndex: number;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'MethodType';
        /** The index of the descriptor in the constant pool: of a Utf8. */
        readonly descriptorIndex: number;
      }
    | {
        /** Kind of the constant. */
        readonly tag: 'Dynamic' | 'InvokeDynamic';
        /** The index in the class's attribute `BootstrapMethods`, from 0. */
        readonly bootstrapMethodAttrIndex: number;
        /** The index of the name and the descriptor in the constant pool: of a NameAndType. */
        readonly nameAndTypeIndex: number;
      }
  );

/** Creates one constant of a pool that has been checked. */
export function createConstant(pool: Pool, index: number, string: () => ClassString): Constant {
  const { bytes } = pool;
  const offset = pool.offsets[index] as number;
  const tag = nameOf(pool.tags[index] as number);
  const entry = { index, offset };
  const at = offset + 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  const u2 = (position: number): number => view.getUint16(position);
  switch (tag) {
    case 'Utf8':
      return { tag, ...entry, string: string() };
    case 'Integer':
      return { tag, ...entry, value: view.getInt32(0) };
    case 'Float':
      return { tag, ...entry, value: view.getFloat32(0) };
    case 'Long':
      return { tag, ...entry, value: view.getBigInt64(0) };
    case 'Double':
      return { tag, ...entry, value: view.getFloat64(0) };
    case 'Class':
    case 'Module':
    case 'Package':
      return { tag, ...entry, nameIndex: u2(0) };
    case 'String':
      return { tag, ...entry, stringIndex: u2(0) };
    case 'Fieldref':
    case 'Methodref':
    case 'InterfaceMethodref':
      return { tag, ...entry, classIndex: u2(0), nameAndTypeIndex: u2(2) };
    case 'NameAndType':
      return { tag, ...entry, nameIndex: u2(0), descriptorIndex: u2(2) };
    case 'MethodHandle':
      return { tag, ...entry, referenceKind: bytes[at] as number, referenceIndex: u2(1) };
    case 'MethodType':
      return { tag, ...entry, descriptorIndex: u2(0) };
    case 'Dynamic':
    case 'InvokeDynamic':
      return { tag, ...entry, bootstrapMethodAttrIndex: u2(0), nameAndTypeIndex: u2(2) };
  }
}
