/**
 * Runs a function of a module symbolically: it computes expressions of the input's bytes instead of values,
 * and takes both ways where it branches on one. Everything else is real: the code is what binaryen reads from
 * the published bytes, and memory contains what the module has put there.
 */
import binaryen from 'binaryen';
import * as e from './expression.mjs';

/** Value about which nothing is known: a run that branches on it ends. */
const OPAQUE = Symbol('opaque');

/**
 * A condition on which a run branched: whether some lane is not 0, some lane has its upper bit, or all lanes
 * are not 0.
 *
 * @typedef {object} Condition
 * @property {'any' | 'upper' | 'all'} kind
 * @property {readonly import('./expression.mjs').Expression[]} lanes
 * @property {boolean} holds
 */

class Break {
  constructor(label, value) {
    this.label = label;
    this.value = value;
  }
}

/** Ends a run that branches on an opaque value. */
class Doubt extends Error {}

const UNARY = {
  [binaryen.EqZInt32]: (a) => (typeof a === 'object' ? { ...a, negated: !a.negated } : +(a === 0)),
  [binaryen.AnyTrueVec128]: (lanes) => ({ kind: 'any', lanes, negated: false }),
  [binaryen.BitmaskVecI8x16]: (lanes) => ({ kind: 'upper', lanes, negated: false }),
  [binaryen.AllTrueVecI8x16]: (lanes) => ({ kind: 'all', lanes, negated: false }),
};

const INTEGERS = {
  [binaryen.AddInt32]: (a, b) => (a + b) | 0,
  [binaryen.SubInt32]: (a, b) => (a - b) | 0,
  [binaryen.AndInt32]: (a, b) => a & b,
  [binaryen.OrInt32]: (a, b) => a | b,
  [binaryen.EqInt32]: (a, b) => +(a === b),
  [binaryen.NeInt32]: (a, b) => +(a !== b),
  [binaryen.LtUInt32]: (a, b) => +(a >>> 0 < b >>> 0),
  [binaryen.GtUInt32]: (a, b) => +(a >>> 0 > b >>> 0),
  [binaryen.LeUInt32]: (a, b) => +(a >>> 0 <= b >>> 0),
  [binaryen.GeUInt32]: (a, b) => +(a >>> 0 >= b >>> 0),
};

const VECTORS = {
  [binaryen.AndVec128]: e.and,
  [binaryen.OrVec128]: e.or,
  [binaryen.XorVec128]: e.xor,
  [binaryen.AndNotVec128]: e.andNot,
  [binaryen.SubSatUVecI8x16]: e.subtractSaturating,
  [binaryen.MinUVecI8x16]: e.minimum,
  [binaryen.EqVecI8x16]: e.equal,
};

/** A function of a module, ready to run. */
export class Machine {
  #body;
  #locals;
  #memory;
  /** Offset of the input. */
  #input;

  /**
   * @param {Uint8Array<ArrayBuffer>} wasm
   * @param {string} name The exported function.
   */
  constructor(wasm, name) {
    const module = binaryen.readBinary(wasm);
    const found = Array.from({ length: module.getNumExports() }, (_, i) =>
      binaryen.getExportInfo(module.getExportByIndex(i)),
    ).find((each) => each.name === name);
    const info = binaryen.getFunctionInfo(module.getFunction(found.value));
    this.#body = read(info.body);
    this.#locals = info.vars.map((type) => (type === binaryen.v128 ? zeros() : 0));
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {});
    this.#memory = new Uint8Array(exports.memory.buffer);
    this.#input = exports.INPUT.value;
  }

  /**
   * Runs it on `length` bytes in every way that conditions may come out.
   *
   * @returns {Iterable<{ result: number | 'opaque' | 'doubt', blocks: Condition[][] }>} What it returned, and the
   *   conditions it met from one start of the outer loop to the next.
   */
  *runAll(length) {
    const pending = [[]];
    for (let choices = pending.pop(); choices; choices = pending.pop()) {
      const run = this.#run(length, choices);
      // A run took the first branch of each choice that was not prescribed; the others follow.
      run.taken.forEach((choice, i) => {
        if (i >= choices.length) pending.push([...run.taken.slice(0, i), !choice]);
      });
      yield run;
    }
  }

  #run(length, choices) {
    const state = {
      locals: [this.#input, length, ...this.#locals],
      taken: [],
      choices,
      blocks: [[]],
    };
    let result;
    try {
      result = this.#evaluate(this.#body, state);
      if (result === OPAQUE) result = 'opaque';
    } catch (error) {
      if (error instanceof Break && error.label === RETURN) result = error.value;
      else if (error instanceof Doubt) result = 'doubt';
      else throw error;
    }
    return { result, blocks: state.blocks, taken: state.taken };
  }

  /** Decides which way to go. */
  #isTrue(value, state) {
    if (value === OPAQUE) throw new Doubt();
    if (typeof value === 'number') return value !== 0;
    const { kind, lanes, negated } = value;
    const fixed = decide(kind, lanes);
    if (fixed !== undefined) return fixed !== negated;
    const isSame = (known) => known.kind === kind && known.lanes.every((e, i) => e === lanes[i]);
    const known = state.blocks.flat().find(isSame);
    if (known) return known.holds !== negated;
    const holds = state.choices[state.taken.length] ?? false;
    state.taken.push(holds);
    state.blocks.at(-1).push({ kind, lanes, holds });
    return holds !== negated;
  }

  #evaluate(node, state) {
    const { locals } = state;
    switch (node.id) {
      case binaryen.BlockId:
        return catchBreak(node.name, () => {
          let last;
          for (const child of node.children) last = this.#evaluate(child, state);
          return last;
        });
      case binaryen.LoopId:
        for (;;) {
          // Conditions are kept by the round of the loop that asks for them.
          state.blocks.push([]);
          const again = { label: node.name };
          const value = catchBreak(
            node.name,
            () => this.#evaluate(node.body, state),
            () => again,
          );
          if (value !== again) return value;
        }
      case binaryen.IfId:
        if (this.#isTrue(this.#evaluate(node.condition, state), state)) {
          return this.#evaluate(node.ifTrue, state);
        }
        return node.ifFalse && this.#evaluate(node.ifFalse, state);
      case binaryen.SelectId: {
        const [a, b] = [this.#evaluate(node.ifTrue, state), this.#evaluate(node.ifFalse, state)];
        return this.#isTrue(this.#evaluate(node.condition, state), state) ? a : b;
      }
      case binaryen.BreakId: {
        const value = node.value && this.#evaluate(node.value, state);
        if (!node.condition || this.#isTrue(this.#evaluate(node.condition, state), state)) {
          throw new Break(node.name, value);
        }
        return value;
      }
      case binaryen.ReturnId:
        throw new Break(RETURN, this.#evaluate(node.value, state));
      case binaryen.CallId:
        for (const operand of node.operands) this.#evaluate(operand, state);
        return OPAQUE;
      case binaryen.DropId:
        this.#evaluate(node.value, state);
        return undefined;
      case binaryen.LocalGetId:
        return locals[node.index];
      case binaryen.LocalSetId: {
        const value = this.#evaluate(node.value, state);
        locals[node.index] = value;
        return value;
      }
      case binaryen.ConstId:
        return typeof node.value === 'number' ? node.value : node.value.map(e.constantOf);
      case binaryen.LoadId:
        return this.#load(node, this.#evaluate(node.ptr, state));
      case binaryen.UnaryId:
        return find(UNARY, node.op)(this.#evaluate(node.value, state));
      case binaryen.BinaryId: {
        const [a, b] = [this.#evaluate(node.left, state), this.#evaluate(node.right, state)];
        if (node.op === binaryen.SwizzleVecI8x16) return swizzle(a, b);
        if (Array.isArray(a)) return a.map((lane, i) => find(VECTORS, node.op)(lane, b[i]));
        if (typeof a !== 'number' || typeof b !== 'number') return OPAQUE;
        return find(INTEGERS, node.op)(a, b);
      }
      case binaryen.SIMDTernaryId: {
        const [a, b, c] = [node.a, node.b, node.c].map((part) => this.#evaluate(part, state));
        if (node.op !== binaryen.BitselectVec128) throw unknown(node.op);
        return a.map((lane, i) => e.select(lane, b[i], c[i]));
      }
      case binaryen.SIMDShuffleId: {
        const lanes = [...this.#evaluate(node.left, state), ...this.#evaluate(node.right, state)];
        return node.mask.map((lane) => lanes[lane]);
      }
      case binaryen.SIMDShiftId:
        if (node.op !== binaryen.ShrUVecI16x8) throw unknown(node.op);
        return shiftLanes(this.#evaluate(node.vec, state), this.#evaluate(node.shift, state));
      default:
        throw unknown(node.id);
    }
  }

  #load({ offset, bytes }, place) {
    if (place === OPAQUE) return OPAQUE;
    const at = place + offset;
    const load = (i) =>
      at + i >= this.#input ? e.inputAt(at + i - this.#input) : e.constantOf(this.#memory[at + i]);
    if (bytes === 16) return Array.from({ length: 16 }, (_, i) => load(i));
    // Only code after an error reads single bytes.
    return at >= this.#input || bytes !== 1 ? OPAQUE : this.#memory[at];
  }
}

const RETURN = Symbol('return');

const zeros = () => new Array(16).fill(e.constantOf(0));

function unknown(what) {
  return new Error(`${what} is an operation that the machine does not know`);
}

function find(operations, op) {
  const operation = operations[op];
  if (!operation) throw unknown(op);
  return operation;
}

function catchBreak(label, run, broken = (value) => value) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Break) || error.label !== label || !label) throw error;
    return broken(error.value);
  }
}

/** Picks bytes from a table of constants. */
function swizzle(lanes, indices) {
  if (lanes.some(({ op }) => op !== 'constant')) throw unknown('swizzle of what is no table');
  const table = lanes.map(({ constant }) => constant);
  return indices.map((index) => e.lookUp(table, index));
}

/** Shifts eight lanes of two bytes to the right. */
function shiftLanes(lanes, by) {
  return lanes.map((lane, i) => {
    const own = e.shiftRight(lane, by);
    return i % 2 === 1 ? own : e.or(own, e.shiftLeft(lanes[i + 1], 8 - by));
  });
}

/** Evaluates a condition whose lanes are constants; undefined if it depends on the input. */
function decide(kind, lanes) {
  const fixed = lanes.filter(({ op }) => op === 'constant').map(({ constant }) => constant);
  const isAll = fixed.length === lanes.length;
  if (kind === 'all') {
    if (fixed.includes(0)) return false;
    return isAll ? true : undefined;
  }
  if (fixed.some((byte) => (kind === 'any' ? byte !== 0 : byte > 0x7f))) return true;
  return isAll ? false : undefined;
}

/** Reads an expression of binaryen's, with all that is in it, as plain objects. */
function read(reference) {
  if (!reference) return undefined;
  const info = binaryen.getExpressionInfo(reference);
  const children = CHILDREN[info.id] ?? [];
  for (const name of children) {
    info[name] = Array.isArray(info[name]) ? info[name].map(read) : read(info[name]);
  }
  return info;
}

/** The parts of each kind of expression that are expressions. */
const CHILDREN = {
  [binaryen.BlockId]: ['children'],
  [binaryen.LoopId]: ['body'],
  [binaryen.IfId]: ['condition', 'ifTrue', 'ifFalse'],
  [binaryen.SelectId]: ['ifTrue', 'ifFalse', 'condition'],
  [binaryen.BreakId]: ['condition', 'value'],
  [binaryen.ReturnId]: ['value'],
  [binaryen.CallId]: ['operands'],
  [binaryen.DropId]: ['value'],
  [binaryen.LocalSetId]: ['value'],
  [binaryen.LoadId]: ['ptr'],
  [binaryen.UnaryId]: ['value'],
  [binaryen.BinaryId]: ['left', 'right'],
  [binaryen.SIMDTernaryId]: ['a', 'b', 'c'],
  [binaryen.SIMDShuffleId]: ['left', 'right'],
  [binaryen.SIMDShiftId]: ['vec', 'shift'],
};
