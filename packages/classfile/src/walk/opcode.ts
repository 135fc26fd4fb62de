/** The lengths of a JVM's instructions, and the opcodes that load constants. */

/** @see The Java Virtual Machine Specification, section 7 */
export const Opcode = {
  iconst_m1: 0x02,
  iconst_5: 0x08,
  bipush: 0x10,
  sipush: 0x11,
  ldc: 0x12,
  ldc_w: 0x13,
  ldc2_w: 0x14,
  aload: 0x19,
  aload_0: 0x2a,
  aload_3: 0x2d,
  dup: 0x59,
  iinc: 0x84,
  ret: 0xa9,
  tableswitch: 0xaa,
  lookupswitch: 0xab,
  invokevirtual: 0xb6,
  invokeinterface: 0xb9,
  invokedynamic: 0xba,
  new: 0xbb,
  wide: 0xc4,
} as const;

/** Length of instructions in bytes; that of `tableswitch`, `lookupswitch` and `wide` depends on operands. */
const rows: readonly (readonly [first: number, last: number, length: number])[] = [
  [0x00, 0x0f, 1], // nop … dconst_1
  [0x10, 0x10, 2], // bipush
  [0x11, 0x11, 3], // sipush
  [0x12, 0x12, 2], // ldc
  [0x13, 0x14, 3], // ldc_w, ldc2_w
  [0x15, 0x19, 2], // iload … aload
  [0x1a, 0x35, 1], // iload_0 … saload
  [0x36, 0x3a, 2], // istore … astore
  [0x3b, 0x83, 1], // istore_0 … lxor
  [0x84, 0x84, 3], // iinc
  [0x85, 0x98, 1], // i2l … dcmpg
  [0x99, 0xa8, 3], // ifeq … jsr
  [0xa9, 0xa9, 2], // ret
  [0xac, 0xb1, 1], // ireturn … return
  [0xb2, 0xb8, 3], // getstatic … invokestatic
  [0xb9, 0xba, 5], // invokeinterface, invokedynamic
  [0xbb, 0xbb, 3], // new
  [0xbc, 0xbc, 2], // newarray
  [0xbd, 0xbd, 3], // anewarray
  [0xbe, 0xbf, 1], // arraylength, athrow
  [0xc0, 0xc1, 3], // checkcast, instanceof
  [0xc2, 0xc3, 1], // monitorenter, monitorexit
  [0xc5, 0xc5, 4], // multianewarray
  [0xc6, 0xc7, 3], // ifnull, ifnonnull
  [0xc8, 0xc9, 5], // goto_w, jsr_w
];

/** Length in bytes by opcode: 0 if it depends on operands, or the opcode does not exist. */
export const lengths: Uint8Array = new Uint8Array(256);
for (const [first, last, length] of rows) lengths.fill(length, first, last + 1);

/** The instructions of one method. */
export class Code {
  readonly bytes: Uint8Array;
  /** Bounds of the code, in bytes from the start of the file. */
  readonly start: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** Returns the length of the instruction at an offset, or 0 if it is invalid or truncated. */
  lengthAt(at: number): number {
    const length = lengths[this.bytes[at] as number] || this.#variableLength(at);
    return length <= this.end - at ? length : 0;
  }

  /**
   * Returns the length of the instruction at an offset if it loads a reference from a local variable,
   * otherwise 0.
   */
  lengthOfLoad(at: number): number {
    const opcode = this.bytes[at] as number;
    const isShort = opcode >= Opcode.aload_0 && opcode <= Opcode.aload_3;
    const isWide = opcode === Opcode.wide && this.bytes[at + 1] === Opcode.aload;
    return isShort || isWide || opcode === Opcode.aload ? this.lengthAt(at) : 0;
  }

  /** Returns the offset of a switch's operands, which are aligned to 4 bytes from the start of the code. */
  operandsOf(at: number): number {
    return at + 4 - ((at - this.start) & 3);
  }

  u2(at: number): number {
    return ((this.bytes[at] as number) << 8) | (this.bytes[at + 1] as number);
  }

  /** Reads a signed four-byte number. */
  i4(at: number): number {
    return (this.u2(at) << 16) | this.u2(at + 2);
  }

  #variableLength(at: number): number {
    const { bytes, end } = this;
    const opcode = bytes[at];
    if (opcode === Opcode.wide)
      return bytes[at + 1] === Opcode.iinc ? 6 : isWide(bytes[at + 1]) ? 4 : 0;
    const operands = this.operandsOf(at);
    if (opcode === Opcode.lookupswitch && operands + 8 <= end) {
      const pairs = this.i4(operands + 4);
      return pairs < 0 ? 0 : operands + 8 + 8 * pairs - at;
    }
    if (opcode === Opcode.tableswitch && operands + 12 <= end) {
      const count = this.i4(operands + 8) - this.i4(operands + 4) + 1;
      return count <= 0 ? 0 : operands + 12 + 4 * count - at;
    }
    return 0;
  }
}

/** Tells whether `wide` may precede an instruction: loads, stores, `ret`. */
const isWide = (opcode = 0): boolean =>
  (opcode >= 0x15 && opcode <= 0x19) || (opcode >= 0x36 && opcode <= 0x3a) || opcode === Opcode.ret;
