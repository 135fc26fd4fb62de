/** What the instructions of a method load. */
import { setOf } from '../kind.js';
import { Tag, tagSet } from '../pool/tag.js';
import { ACC_ENUM } from './member.js';
import { Code, lengths, Opcode } from './opcode.js';
import { Way } from './places.js';
import type { Walk } from './walk.js';

const literal = setOf('literal');
const lambda = setOf('lambda');
const enumConstant = setOf('enum constant');

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

/** By opcode, the length in bytes; 0 where there is more to look at. */
const steps = lengths.slice();
for (const opcode of interesting) steps[opcode] = 0;

/**
 * The instructions of a method: a length in `u4`, and as many bytes. They are followed one after another
 * as far as they are instructions; what comes after is passed over.
 */
export function instructions(walk: Walk): void {
  const { reader } = walk;
  const length = reader.u4();
  const start = reader.offset;
  reader.skip(length);
  // Many classes have no strings to load, interfaces above all.
  if ((walk.pool.tagSet & STRING) === 0) return;
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

/** Notes what is loaded in one method. */
class Loads {
  readonly #walk: Walk;
  readonly #code: Code;
  readonly #isLambda: boolean;
  readonly #isEnum: boolean;
  /** Whether there are labels to be settled. */
  #compares = false;

  constructor(walk: Walk, code: Code) {
    this.#walk = walk;
    this.#code = code;
    this.#isLambda = isDeserializer(walk);
    this.#isEnum = isEnumInitializer(walk);
  }

  /**
   * Looks at an instruction.
   *
   * @param last - Where the instruction before is; -1 for none.
   * @param lastButOne - Where the one before that is.
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
   * Notes a `CONSTANT_String` that is loaded.
   *
   * @param isNew - Whether it may be the name of a constant of an enum.
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

  /** Notes a string that is compared: the last that was loaded. */
  #compare(index: number): void {
    this.#compares = true;
    this.#walk.labels.addLoad(index, this.#walk.places.list);
  }

  /** Settles what the strings are that the method compares. */
  finish(): void {
    if (this.#compares) this.#walk.labels.finish(this.#walk, this.#code);
  }

  /** Whether an instruction invokes a method of a name, and of a descriptor where one is given. */
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
   * Whether what has been loaded is compared by the next instruction, or by the one after a load of a
   * local variable, as Scala has it.
   */
  #isCompared(at: number): boolean {
    return this.#isComparison(at) || this.#isComparison(at + this.#code.lengthOfLoad(at));
  }

  #isComparison(at: number): boolean {
    return this.#invokes(at, 'equals') || this.#invokes(at, 'areEqual');
  }

  /** Whether an object has just been made, for a constructor to be called on. */
  #isNew(last: number, lastButOne: number): boolean {
    const { bytes } = this.#code;
    return lastButOne >= 0 && bytes[last] === Opcode.dup && bytes[lastButOne] === Opcode.new;
  }

  /** Whether an instruction loads an int that is a constant. */
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

/** Whether the method is the one that javac writes to deserialize lambdas. */
const isDeserializer = ({ pool, memberName, memberDescriptor }: Walk): boolean =>
  pool.hasText(memberName, '$deserializeLambda$') &&
  pool.hasText(memberDescriptor, SERIALIZED_LAMBDA);

/** Whether the method makes the constants of an enum. */
function isEnumInitializer({ pool, memberName, classFlags }: Walk): boolean {
  if (!pool.hasText(memberName, '<clinit>')) return false;
  const superclass = pool.u2(pool.end + 4);
  return (
    (classFlags & ACC_ENUM) !== 0 ||
    (pool.tags[superclass] === Tag.Class &&
      pool.hasText(pool.reference(superclass), 'java/lang/Enum'))
  );
}
