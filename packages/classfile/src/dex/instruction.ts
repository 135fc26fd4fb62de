/** Dalvik bytecode, as far as strings need it. */
import { readU2, readU4 } from '../android/cursor.js';

/** The instructions that matter here. */
export const Opcode = {
  Nop: 0x00,
  ConstString: 0x1a,
  ConstStringJumbo: 0x1b,
  PackedSwitch: 0x2b,
  SparseSwitch: 0x2c,
  InvokeVirtual: 0x6e,
  InvokeDirect: 0x70,
  InvokeStatic: 0x71,
  InvokeInterface: 0x72,
  InvokeVirtualRange: 0x74,
  InvokeDirectRange: 0x76,
  InvokeStaticRange: 0x77,
  InvokeInterfaceRange: 0x78,
  InvokeCustom: 0xfc,
  InvokeCustomRange: 0xfd,
} as const;

/**
 * Length of instructions in units of two bytes, by ranges of opcodes. Unknown opcodes have one unit, as in
 * ART.
 *
 * @see Dalvik bytecode, "Summary of bytecode set"
 */
const ranges: readonly (readonly [first: number, last: number, units: number])[] = [
  [0x02, 0x02, 2], // move/from16
  [0x03, 0x03, 3], // move/16
  [0x05, 0x05, 2],
  [0x06, 0x06, 3],
  [0x08, 0x08, 2],
  [0x09, 0x09, 3],
  [0x13, 0x13, 2], // const/16
  [0x14, 0x14, 3], // const
  [0x15, 0x16, 2], // const/high16, const-wide/16
  [0x17, 0x17, 3], // const-wide/32
  [0x18, 0x18, 5], // const-wide
  [0x19, 0x1a, 2], // const-wide/high16, const-string
  [0x1b, 0x1b, 3], // const-string/jumbo
  [0x1c, 0x1c, 2], // const-class
  [0x1f, 0x20, 2], // check-cast, instance-of
  [0x22, 0x23, 2], // new-instance, new-array
  [0x24, 0x26, 3], // filled-new-array, fill-array-data
  [0x29, 0x29, 2], // goto/16
  [0x2a, 0x2c, 3], // goto/32, packed-switch, sparse-switch
  [0x2d, 0x3d, 2], // cmpkind, if-test, if-testz
  [0x44, 0x6d, 2], // arrayop, iinstanceop, sstaticop
  [0x6e, 0x72, 3], // invoke-kind
  [0x74, 0x78, 3], // invoke-kind/range
  [0x90, 0xaf, 2], // binop
  [0xd0, 0xe2, 2], // binop/lit16, binop/lit8
  [0xfa, 0xfb, 4], // invoke-polymorphic
  [0xfc, 0xfd, 3], // invoke-custom
  [0xfe, 0xff, 2], // const-method-handle, const-method-type
];

const units: Uint8Array = /* @__PURE__ */ (() => {
  const table = new Uint8Array(256).fill(1);
  for (const [first, last, count] of ranges) table.fill(count, first, last + 1);
  return table;
})();

/** The second byte of a `nop` that data follows. */
const PACKED = 1;
const SPARSE = 2;
const ARRAY = 3;

/** Returns the length of the instruction or the data at an offset, in bytes, which may exceed the end. */
export function lengthAt(bytes: Uint8Array, offset: number, end: number): number {
  const opcode = bytes[offset] as number;
  const form = bytes[offset + 1] as number;
  if (opcode !== Opcode.Nop || form < PACKED || form > ARRAY || end - offset < 4) {
    return 2 * (units[opcode] as number);
  }
  const second = readU2(bytes, offset + 2);
  if (form === PACKED) return 8 + 4 * second;
  if (form === SPARSE) return 4 + 8 * second;
  if (end - offset < 8) return 8;
  const size = second * readU4(bytes, offset + 4);
  return 8 + size + (size % 2);
}
