/** The constants that the instructions of a method load. */
import { setOf } from '../kind.js';
import { Tag, tagSet } from '../pool/tag.js';
import { findCodeForm } from './code-form.js';
import { ACC_ENUM } from './member.js';
import { Code, lengths, Opcode } from './opcode.js';
import { Way } from './places.js';
import type { Walk } from './walk.js';

const literal = setOf('literal');
const lambda = setOf('lambda');
const enumConstant = setOf('enum-constant');

/** The opcodes of interest, which are few. */
const interesting: readonly number[] = [
  Opcode.ldc,
  Opcode.ldc_w,
  Opcode.ldc2_w,
  Opcode.invokedynamic,
  Opcode.tableswitch,
  Opcode.lookupswitch,
];

const STRING = tagSet('String');

/** Length in bytes by opcode; 0 if the instruction is of interest. */
const steps = lengths.slice();
for (const opcode of interesting) steps[opcode] = 0;

/**
 * The beginning of an attribute `Code`, up to the instructions of the method. Instructions are followed up to
 * the first invalid one; bytes after it are skipped.
 */
export function instructions(walk: Walk): void {
  const { reader, pool } = walk;
  const form = findCodeForm(pool, reader.offset, reader.end);
  reader.skip(2 * form);
  const length = form === 1 ? reader.u2() : reader.u4();
  const start = reader.offset;
  reader.skip(length);
  // Many classes load no strings, above all interfaces.
  if ((pool.tagSet & STRING) === 0) return;
  const { bytes, offset: end } = reader;
  const code = new Code(bytes, start, end);
  const loads = new Loads(walk, code);
  let last = -1;
  let lastButOne = -1;
  let at = start;
  while (at < end) {
    let step = steps[bytes[at] as number] as number;
    if (step === 0) {
      step = code.lengthAt(at);
      if (step === 0) break;
      loads.visit(at, step, last, lastButOne);
    }
    lastButOne = last;
    last = at;
    at += step;
  }
  loads.finish();
}

/** Records the strings that one method loads. */
class Loads {
  readonly #walk: Walk;
  readonly #code: Code;
  readonly #isLambda: boolean;
  readonly #isEnum: boolean;
  /** True if there are labels to settle. */
  #compares = false;

  constructor(walk: Walk, code: Code) {
    this.#walk = walk;
    this.#code = code;
    this.#isLambda = isDeserializer(walk);
    this.#isEnum = isEnumInitializer(walk);
  }

  /**
   * Visits an instruction.
   *
   * @param last - The offset of the previous instruction; -1 for none.
   * @param lastButOne - The offset of the instruction before that; -1 for none.
   */
  visit(at: number, size: number, last: number, lastButOne: number): void {
    const opcode = this.#code.bytes[at] as number;
    if (opcode === Opcode.tableswitch || opcode === Opcode.lookupswitch) {
      if (last >= 0 && this.#invokes(last, 'hashCode', '()I')) {
        this.#compares = true;
        this.#walk.labels.addSwitch(at);
      }
      return;
    }
    if (opcode === Opcode.wide) return;
    const { pool, places } = this.#walk;
    const index =
      opcode === Opcode.ldc ? (this.#code.bytes[at + 1] as number) : this.#code.u2(at + 1);
    const tag = pool.tags[index];
    if (tag === Tag.Dynamic || tag === Tag.InvokeDynamic) {
      places.list?.add(literal, Way.Call, at + 1);
    } else if (tag === Tag.String && (opcode === Opcode.ldc || opcode === Opcode.ldc_w)) {
      const isNew = this.#isEnum && this.#isNew(last, lastButOne);
      this.#load(index, at, size, isNew);
    }
  }

  /**
   * Records a `CONSTANT_String` that is loaded.
   *
   * @param isNew - True if it may be the name of an enum constant.
   */
  #load(index: number, at: number, size: number, isNew: boolean): void {
    const { pool, places } = this.#walk;
    const way = size === 2 ? Way.Narrow : Way.Wide;
    const text = pool.reference(index);
    places.load(index, at + 1, way);
    if (this.#isLambda) places.settle(lambda, text);
    else if (this.#isCompared(at + size)) this.#compare(text);
    else if (isNew && this.#isInteger(at + size)) places.settle(enumConstant, text);
    else places.settle(literal, text);
  }

  /** Records a string that is compared: the last that was loaded. */
  #compare(index: number): void {
    this.#compares = true;
    this.#walk.labels.addLoad(index, this.#walk.places.list);
  }

  /** Settles the kinds of the strings that the method compares. */
  finish(): void {
    if (this.#compares) this.#walk.labels.finish(this.#walk, this.#code);
  }

  /** Tells whether an instruction invokes a method with a name and, if given, a descriptor. */
  #invokes(at: number, name: string, descriptor?: string): boolean {
    const { bytes, end } = this.#code;
    const opcode = bytes[at] as number;
    if (opcode < Opcode.invokevirtual || opcode > Opcode.invokeinterface || at + 3 > end) {
      return false;
    }
    const { pool } = this.#walk;
    const method = this.#code.u2(at + 1);
    const tag = pool.tags[method];
    if (tag !== Tag.Methodref && tag !== Tag.InterfaceMethodref) return false;
    const nameAndType = pool.reference(method, 3);
    return (
      pool.hasText(pool.reference(nameAndType), name) &&
      (descriptor === undefined || pool.hasText(pool.reference(nameAndType, 3), descriptor))
    );
  }

  /**
   * Tells whether the next instruction compares the loaded value, or, as in Scala, the one after a load of a
   * local variable.
   */
  #isCompared(at: number): boolean {
    return this.#isComparison(at) || this.#isComparison(at + this.#code.lengthOfLoad(at));
  }

  #isComparison(at: number): boolean {
    return this.#invokes(at, 'equals') || this.#invokes(at, 'areEqual');
  }

  /** Tells whether an object has just been created, whose constructor follows. */
  #isNew(last: number, lastButOne: number): boolean {
    const { bytes } = this.#code;
    return lastButOne >= 0 && bytes[last] === Opcode.dup && bytes[lastButOne] === Opcode.new;
  }

  /** Tells whether an instruction loads a constant int. */
  #isInteger(at: number): boolean {
    const { bytes, end } = this.#code;
    if (at >= end || this.#code.lengthAt(at) === 0) return false;
    const opcode = bytes[at] as number;
    if (opcode >= Opcode.iconst_m1 && opcode <= Opcode.iconst_5) return true;
    if (opcode === Opcode.bipush || opcode === Opcode.sipush) return true;
    const { tags } = this.#walk.pool;
    if (opcode === Opcode.ldc) return tags[bytes[at + 1] as number] === Tag.Integer;
    return opcode === Opcode.ldc_w && tags[this.#code.u2(at + 1)] === Tag.Integer;
  }
}

const SERIALIZED_LAMBDA = '(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;';

/** Tells whether the method is the one that javac writes to deserialize lambdas. */
const isDeserializer = ({ pool, memberName, memberDescriptor }: Walk): boolean =>
  pool.hasText(memberName, '$deserializeLambda$') &&
  pool.hasText(memberDescriptor, SERIALIZED_LAMBDA);

/** Tells whether the method creates the constants of an enum. */
function isEnumInitializer({ pool, memberName, classFlags }: Walk): boolean {
  if (!pool.hasText(memberName, '<clinit>')) return false;
  const superclass = pool.u2(pool.end + 4);
  return (
    (classFlags & ACC_ENUM) !== 0 ||
    (pool.tags[superclass] === Tag.Class &&
      pool.hasText(pool.reference(superclass), 'java/lang/Enum'))
  );
}
