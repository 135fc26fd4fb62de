/**
 * Bytes that depend on bytes of the input, as expressions. Equal expressions are one object, so that
 * comparing them is cheap, and what cannot be more than a constant becomes one.
 */

/**
 * @typedef {object} Expression
 * @property {string} op
 * @property {readonly Expression[]} args
 * @property {number} constant Of `constant` the value, of `input` the index, of shifts how far.
 * @property {readonly number[] | undefined} table Of `lookup`.
 * @property {number} bits Those that may be set.
 * @property {readonly number[]} inputs The indices of the input that it depends on, ascending.
 * @property {number} id
 * @property {Map<number, Expression>} shifted What {@link shift} has made.
 */

/** @type {Map<string, Expression>} */
const known = new Map();

function make(op, args, { constant = 0, table, bits = 0xff } = {}) {
  const key = `${op} ${constant} ${table ?? ''} ${args.map(({ id }) => id)}`;
  const found = known.get(key);
  if (found) return found;
  const isFixed = op !== 'input' && args.every((arg) => arg.op === 'constant');
  if (isFixed && op !== 'constant') {
    return constantOf(
      compute(
        { op, constant, table },
        args.map((arg) => arg.constant),
      ),
    );
  }
  const inputs =
    op === 'input'
      ? [constant]
      : [...new Set(args.flatMap((arg) => arg.inputs))].sort((a, b) => a - b);
  const id = known.size;
  const made = { op, args, constant, table, bits, inputs, id, shifted: new Map() };
  known.set(key, made);
  return made;
}

export const constantOf = (value) => make('constant', [], { constant: value, bits: value });
export const inputAt = (index) => make('input', [], { constant: index });

const isConstant = ({ op }) => op === 'constant';
const isZero = (e) => e.op === 'constant' && e.constant === 0;
const isOnes = (e) => e.op === 'constant' && e.constant === 0xff;

export function and(a, b) {
  if (isConstant(a)) [a, b] = [b, a];
  if (isZero(b) || (a.bits & b.bits) === 0) return constantOf(0);
  if (isOnes(b) || a === b) return a;
  if (isConstant(b)) {
    if ((a.bits & ~b.constant) === 0) return a;
    // Bits that 16-bit lanes shift over from the other byte are masked away.
    if (a.op === 'or') return or(and(a.args[0], b), and(a.args[1], b));
    if (a.op === 'xor') return xor(and(a.args[0], b), and(a.args[1], b));
    if (a.op === 'and' && isConstant(a.args[1])) {
      return and(a.args[0], constantOf(a.args[1].constant & b.constant));
    }
  }
  const bits = a.bits & b.bits;
  if (isConstant(b)) return make('and', [a, b], { bits });
  // Of a byte that a condition looks at, only the bits that it looks at shall matter.
  return make('and', [and(a, constantOf(bits)), and(b, constantOf(bits))], { bits });
}

export function or(a, b) {
  if (isConstant(a)) [a, b] = [b, a];
  if (isZero(b) || a === b) return a;
  if (isOnes(b)) return b;
  return make('or', [a, b], { bits: a.bits | b.bits });
}

export function xor(a, b) {
  if (isConstant(a)) [a, b] = [b, a];
  if (isZero(b)) return a;
  if (a === b) return constantOf(0);
  return make('xor', [a, b], { bits: a.bits | b.bits });
}

export const not = (a) => xor(a, constantOf(0xff));
export const andNot = (a, b) => (isZero(a) ? a : and(a, not(b)));

/** The bits of `a` where `mask` has them, and those of `b` elsewhere. */
export const select = (a, b, mask) => or(and(a, mask), andNot(b, mask));

export const shiftLeft = (a, by) =>
  by === 0 ? a : make('shl', [a], { constant: by, bits: (a.bits << by) & 0xff });
export const shiftRight = (a, by) =>
  by === 0 ? a : make('shr', [a], { constant: by, bits: a.bits >> by });

export function subtractSaturating(a, b) {
  if (isConstant(b) && b.constant >= a.bits) return constantOf(0);
  return isZero(b) ? a : make('subSat', [a, b]);
}
export const minimum = (a, b) => (a === b ? a : make('min', [a, b]));
export const equal = (a, b) => (a === b ? constantOf(0xff) : make('eq', [a, b]));

/** 255 or 0. */
export const isNotZero = (a) => not(equal(a, constantOf(0)));

/** A byte of a table of sixteen; 0 beyond it. */
export const lookUp = (table, index) =>
  make('lookup', [index], { table, bits: table.reduce((all, byte) => all | byte, 0) });

function compute({ op, constant, table }, [a, b]) {
  switch (op) {
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'shl':
      return (a << constant) & 0xff;
    case 'shr':
      return a >> constant;
    case 'subSat':
      return Math.max(0, a - b);
    case 'min':
      return Math.min(a, b);
    case 'eq':
      return a === b ? 0xff : 0;
    case 'lookup':
      return table[a] ?? 0;
    default:
      throw new Error(`${op} is no operation`);
  }
}

/** Returns the expression for the input some bytes earlier or later. */
export function shift(expression, by) {
  const { op, args, constant, table, bits, inputs, shifted } = expression;
  if (by === 0 || inputs.length === 0) return expression;
  const found = shifted.get(by);
  if (found) return found;
  const made =
    op === 'input'
      ? inputAt(constant + by)
      : make(
          op,
          args.map((arg) => shift(arg, by)),
          { constant, table, bits },
        );
  shifted.set(by, made);
  return made;
}

/** Simplifies an expression if some bytes of the input are known to be ASCII. */
export function assumeAscii(expression, isAscii) {
  const { op, args, constant, table } = expression;
  if (!expression.inputs.some(isAscii)) return expression;
  if (op === 'input') return expression;
  const [a, b] = args.map((arg) => assumeAscii(arg, isAscii));
  switch (op) {
    case 'eq':
      // No byte of ASCII is 80 or more.
      return a.op === 'input' && isAscii(a.constant) && isConstant(b) && b.constant > 0x7f
        ? constantOf(0)
        : equal(a, b);
    case 'and':
      return and(a, b);
    case 'or':
      return or(a, b);
    case 'xor':
      return xor(a, b);
    default:
      return make(op, b ? [a, b] : [a], { constant, table, bits: expression.bits });
  }
}

/** The greatest parts of an expression that depend on one byte of the input. */
export function* listUnary(expression) {
  if (expression.inputs.length === 1) yield expression;
  else for (const arg of expression.args) yield* listUnary(arg);
}

/**
 * Compiles expressions to a function that tells whether all of them are 0.
 *
 * @param {readonly Expression[]} expressions
 * @param {number} from The index of its first argument; the others follow.
 * @param {number} count
 * @returns {(...bytes: number[]) => boolean}
 */
export function compileZero(expressions, from, count) {
  const names = Array.from({ length: count }, (_, i) => `b${from + i}`.replace('-', '_'));
  const write = ({ op, args, constant, table }) => {
    const [a, b] = args.map(write);
    switch (op) {
      case 'constant':
        return `${constant}`;
      case 'input':
        return `b${constant}`.replace('-', '_');
      case 'and':
        return `(${a} & ${b})`;
      case 'or':
        return `(${a} | ${b})`;
      case 'xor':
        return `(${a} ^ ${b})`;
      case 'shl':
        return `((${a} << ${constant}) & 255)`;
      case 'shr':
        return `(${a} >> ${constant})`;
      case 'subSat':
        return `Math.max(0, ${a} - ${b})`;
      case 'min':
        return `Math.min(${a}, ${b})`;
      case 'eq':
        return `(${a} === ${b} ? 255 : 0)`;
      case 'lookup':
        return `([${table}][${a}] ?? 0)`;
      default:
        throw new Error(`${op} is no operation`);
    }
  };
  const body = expressions.map((each) => `${write(each)} === 0`).join(' && ') || 'true';
  return new Function(...names, `return ${body};`);
}
