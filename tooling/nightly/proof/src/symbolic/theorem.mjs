/**
 * Proves, for inputs of any length, that what a validator accepts is what the rows accept.
 *
 * 1. Symbolic runs yield, for each byte of the input, conditions that must be 0. They are the same for each
 *    byte of each block, and depend on the byte and a few before it: call them the window of the byte.
 * 2. In a block of ASCII, and at the end, the validator asks for less. Trying all windows shows that this
 *    amounts to the same, as if spaces stood after the end.
 * 3. So the validator is an automaton, whose state is the last bytes. Going through all pairs of its states
 *    and those of the rows shows that both accept the same.
 *
 * Bytes are of one class where neither the rows nor any part of a condition tells them apart.
 */
import { deriveClasses } from '../classes.mjs';
import * as e from './expression.mjs';
import { Machine } from './machine.mjs';

const BLOCK = 64;
const SPACE = 0x20;

/** Thrown if a proof fails; describes the problem. */
export class Disproof extends Error {}

/**
 * Proves it for one subject.
 *
 * @param {import('../subjects.mjs').Subject} subject
 * @param {{ tails?: readonly number[] }} [options] The lengths of last blocks to look at; all by default.
 * @returns The extent of the proof: classes of bytes, the length of windows, runs, pairs of states.
 * @throws {Disproof} If it is not so.
 */
export function prove(subject, { tails = Array.from({ length: BLOCK }, (_, i) => i) } = {}) {
  const machine = new Machine(subject.wasm, subject.accept);
  // A last block comes first, or after another one.
  const lengths = [3 * BLOCK, ...tails.flatMap((tail) => [tail, BLOCK + tail])];
  const runs = lengths
    .filter((length) => length > 0)
    .flatMap((length) => [...machine.runAll(length)].map((run) => ({ ...simplify(run), length })));
  for (const run of runs) checkReach(run);
  const window = findWindow(runs);
  const size = Math.max(...window.map((each) => 1 - each.inputs[0]));
  const representatives = refine(subject, runs);
  const checker = new Checker(window, size, representatives, subject.refused.length > 0);
  for (const run of runs) {
    if (run.result === 'doubt') checker.checkDoubt(run);
    else if (run.result === run.length || run.result === 'opaque') checker.checkAcceptance(run);
    else throw new Disproof(`${run.result} of ${run.length} bytes are accepted without a doubt`);
  }
  const states = compareAutomata(subject, window, size, representatives);
  return { classes: representatives.length, window: size, runs: runs.length, states };
}

/** Checks that nothing depends on what lies around the input. */
function checkReach({ length, blocks }) {
  for (const { lanes } of blocks.flat()) {
    const beyond = lanes.flatMap(({ inputs }) => inputs).find((i) => i < 0 || i >= length);
    if (beyond !== undefined) throw new Disproof(`byte ${beyond} of ${length} is looked at`);
  }
}

/** Parts a condition into bytes that must all be 0, or in blocks of ASCII those whose upper bit must be. */
function* listAtoms({ kind, lanes, holds }) {
  for (const lane of lanes) {
    if (kind === 'any' && !holds) yield* split(lane, 'or');
    else if (kind === 'upper' && !holds) {
      for (const part of split(lane, 'or')) yield e.and(part, e.constantOf(0x80));
    } else if (kind === 'all' && holds) {
      for (const part of split(lane, 'min')) yield e.equal(part, e.constantOf(0));
    }
  }
}

function* split(expression, op) {
  if (expression.op === op) for (const arg of expression.args) yield* split(arg, op);
  else if (expression.op !== 'constant' || expression.constant !== 0) yield expression;
}

/** Simplifies a run by the known bits of ASCII blocks. */
function simplify(run) {
  const blocks = run.blocks.map((block, i) => {
    if (block.length === 0 || !isAscii(block)) return block;
    const isInBlock = (index) => Math.floor(index / BLOCK) === i - 1;
    const [first, ...others] = block;
    return [
      first,
      ...others.map((condition) => ({
        ...condition,
        lanes: condition.lanes.map((lane) => e.assumeAscii(lane, isInBlock)),
      })),
    ];
  });
  return { ...run, blocks };
}

const atomsOf = (conditions) => conditions.flatMap((condition) => [...listAtoms(condition)]);

/** Tells whether a block was treated as ASCII, which is the first condition. */
const isAscii = ([first]) => first.kind === 'upper' && !first.holds;

/**
 * Finds the conditions of a byte, with that byte at index 0: those of the second block, where no block is
 * ASCII, and where what is rare has been looked at. They must be the same for each byte, up to the third block.
 */
function findWindow(runs) {
  const accepted = runs.filter(
    ({ result, length, blocks }) =>
      length === 3 * BLOCK &&
      result !== 'doubt' &&
      blocks.slice(1, 4).every((block) => !isAscii(block)),
  );
  // The last condition of a block is the one that counts.
  const last = accepted.find(({ blocks }) =>
    blocks.slice(1, 4).every((block) => block.length === Math.max(...lengthsOf(accepted))),
  );
  const byIndex = new Map();
  for (const block of last.blocks.slice(2, 4)) {
    for (const atom of atomsOf([block.at(-1)])) {
      const own = byIndex.get(lastOf(atom)) ?? [];
      byIndex.set(lastOf(atom), [...own, e.shift(atom, -lastOf(atom))]);
    }
  }
  const window = byIndex.get(BLOCK);
  for (let i = BLOCK; i < 3 * BLOCK; i++) {
    const own = byIndex.get(i) ?? [];
    if (own.length !== window.length || own.some((atom) => !window.includes(atom))) {
      throw new Disproof(`byte ${i} is not looked at as byte ${BLOCK} is`);
    }
  }
  return window;
}

const lengthsOf = (runs) => runs.flatMap(({ blocks }) => blocks.slice(1, 4).map((b) => b.length));

/** One byte of each class. */
function refine({ read, refused }, runs) {
  const unary = new Set();
  for (const { blocks } of runs) {
    for (const { kind, lanes } of blocks.flat()) {
      for (const atom of listAtoms({ kind, lanes, holds: kind === 'all' })) {
        // Of a condition as a whole it only matters whether it is 0.
        const parts = atom.inputs.length === 1 ? [e.isNotZero(atom)] : e.listUnary(atom);
        for (const part of parts) unary.add(e.shift(part, -part.inputs[0]));
      }
    }
  }
  const tests = [...unary].map(valuesOf);
  const seen = new Map();
  deriveClasses([...read, ...refused]).forEach((members, i) => {
    // The space represents its class, since it is after the end.
    for (const byte of [SPACE, ...members].filter((each) => members.includes(each))) {
      const signature = `${i} ${tests.map((values) => values[byte])}`;
      if (!seen.has(signature)) seen.set(signature, byte);
    }
  });
  return [...seen.values()];
}

/** Returns the value of an expression of one byte for each byte. */
function valuesOf(part) {
  const values = new Uint8Array(256);
  for (let bit = 0; bit < 8; bit++) {
    const isClear = e.compileZero([e.and(part, e.constantOf(1 << bit))], 0, 1);
    for (let byte = 0; byte < 256; byte++) if (!isClear(byte)) values[byte] |= 1 << bit;
  }
  return values;
}

/** Checks that what runs ask for amounts to the windows. */
class Checker {
  #window;
  #size;
  #representatives;
  #waits;
  #windows = new Map();
  /** Results that have been proved already. */
  #shown = new Set();

  constructor(window, size, representatives, waits) {
    this.#waits = waits;
    this.#window = window;
    this.#size = size;
    this.#representatives = representatives;
  }

  /** Proves that accepted input satisfies the window of each byte, with spaces around the input. */
  checkAcceptance({ length, blocks }) {
    const atoms = groupByLast(atomsOf(blocks.flat()));
    for (let i = 0; i < length + this.#size; i++) {
      this.#imply(atoms, this.#windowAt(i), i, length, 'is accepted here and nowhere else');
    }
  }

  /** Proves that input in doubt violates the windows, because the last condition requires nothing else. */
  checkDoubt({ length, blocks }) {
    const conditions = blocks.flat();
    const { kind, lanes, holds } = conditions.at(-1);
    if (kind !== 'any' || !holds) throw new Disproof('a run doubts for another reason');
    const wanted = [...listAtoms({ kind, lanes, holds: false })];
    // Further facts: the bytes that are ASCII.
    const known = conditions.filter((condition) => condition.kind === 'upper');
    const atoms = atomsOf(known);
    for (let i = 0; i < length + this.#size; i++) atoms.push(...this.#windowAt(i));
    const grouped = groupByLast(atoms.filter(({ op }) => op !== 'constant'));
    for (const atom of wanted) {
      // At the end, a high surrogate may wait for the next unit.
      if (this.#waits && length - lastOf(atom) <= 3 && atom.inputs.length > 1) continue;
      this.#imply(grouped, [atom], lastOf(atom) + this.#size - 1, length, 'is doubted here alone');
    }
  }

  #windowAt(i) {
    const made = this.#windows.get(i) ?? this.#window.map((each) => e.shift(each, i));
    this.#windows.set(i, made);
    return made;
  }

  /** Shows that atoms imply others which depend on no byte after `i`, by trying all windows. */
  #imply(atoms, wanted, i, length, wrong) {
    // Facts about a byte that wanted ones depend on may depend on earlier bytes.
    const earliest = Math.min(...wanted.map((each) => each.inputs[0] ?? i));
    const from = Math.min(i - this.#size + 1, earliest) - this.#size + 1;
    const known = [];
    for (let j = from; j <= i; j++) {
      known.push(...(atoms.get(j) ?? []).filter((atom) => atom.inputs[0] >= from));
    }
    const missing = wanted.filter((atom) => !known.includes(atom));
    if (missing.length === 0) return;
    const relative = (list) => list.map((atom) => e.shift(atom, -i));
    const [first, last] = [0 - i, length - 1 - i];
    const isSpace = (j) => j < first || j > last;
    const names = (list) => relative(list).map(({ id }) => id);
    const spaces = Array.from({ length: i - from + 1 }, (_, k) => isSpace(from - i + k));
    const key = `${names(known)} / ${names(missing)} / ${spaces}`;
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    const before = relative(known);
    const after = relative(missing);
    const span = Math.max(
      2,
      ...[...before, ...after].map((each) => lastOf(each) - each.inputs[0] + 1),
    );
    /** Possible strings at a byte, by their last bytes: conditions depend on no more. */
    let strings = new Strings(this.#representatives, span);
    spaces.forEach((space, k) => {
      const place = from - i + k;
      strings = strings.extend(
        space ? [SPACE] : this.#representatives,
        compileAt(before, place, span),
        compileAt(after, place, span),
      );
    });
    const example = strings.findFailing();
    if (example) throw new Disproof(`${format(example)}, up to byte ${i} of ${length}, ${wrong}`);
  }
}

/** A set of strings: their last bytes, and true for those that fail one of some conditions. */
class Strings {
  #bytes;
  #span;
  #known;

  constructor(bytes, span, known) {
    this.#bytes = bytes;
    this.#span = span;
    this.#known = known ?? new Uint8Array(2 * bytes.length ** (span - 1));
    // At first it is as if the first byte of all stood everywhere: no condition looks at it.
    if (!known) this.#known[0] = 1;
  }

  /** Returns the strings that continue with one of some bytes, if the known facts allow it. */
  extend(choices, knows, holds) {
    const base = this.#bytes.length;
    const next = new Uint8Array(this.#known.length);
    const indices = choices.map((byte) => this.#bytes.indexOf(byte));
    this.#known.forEach((isThere, key) => {
      if (!isThere) return;
      const window = this.#read(key);
      const rest = (key >> 1) % base ** (this.#span - 2);
      for (const index of indices) {
        window[this.#span - 1] = this.#bytes[index];
        if (!knows(...window)) continue;
        const fails = key & 1 || !holds(...window);
        next[2 * (rest * base + index) + (fails ? 1 : 0)] = 1;
      }
    });
    return new Strings(this.#bytes, this.#span, next);
  }

  findFailing() {
    const found = this.#known.findIndex((isThere, key) => isThere && key & 1);
    return found === -1 ? undefined : this.#read(found).slice(0, this.#span - 1);
  }

  /** The last bytes but one, with room for the next. */
  #read(key) {
    const window = new Array(this.#span);
    let rest = key >> 1;
    for (let i = this.#span - 2; i >= 0; i--) {
      window[i] = this.#bytes[rest % this.#bytes.length];
      rest = Math.floor(rest / this.#bytes.length);
    }
    return window;
  }
}

/** Compiles what depends on a byte and none after it, as a function of the last bytes. */
function compileAt(atoms, place, span) {
  const own = atoms.filter((atom) => lastOf(atom) === place).map((atom) => e.shift(atom, -place));
  return e.compileZero(own, 1 - span, span);
}

/** The last byte that an expression depends on. */
const lastOf = ({ inputs }) => inputs.at(-1);

function groupByLast(atoms) {
  const groups = new Map();
  for (const atom of atoms) {
    const group = groups.get(lastOf(atom)) ?? [];
    if (!group.includes(atom)) groups.set(lastOf(atom), [...group, atom]);
  }
  return groups;
}

const format = (bytes) => Buffer.from(bytes).toString('hex');

/** Goes through all pairs of states that the windows and the rows can be in at once. */
function compareAutomata({ read, refused }, window, size, representatives) {
  const isOk = e.compileZero(window, 1 - size, size);
  const spaces = new Array(size - 1).fill(SPACE);
  const rows = new Rows(read, refused);
  const start = { last: spaces, row: rows.start, example: [] };
  const seen = new Set();
  const pending = [start];
  for (let state = pending.pop(); state; state = pending.pop()) {
    const key = `${state.last ?? 'none'} / ${state.row.key}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const isAccepted = state.last !== undefined && endsWell(isOk, state.last, size);
    if (isAccepted !== state.row.accepts) {
      throw new Disproof(
        `${format(state.example)} is ${isAccepted ? 'accepted' : 'refused'}, and should not be`,
      );
    }
    if (!state.last && state.row === rows.dead) continue;
    for (const byte of representatives) {
      const next = state.last && [...state.last, byte];
      pending.push({
        last: next && isOk(...next) ? next.slice(1) : undefined,
        row: rows.step(state.row, byte),
        example: [...state.example, byte],
      });
    }
  }
  return seen.size;
}

/** Tells whether the conditions hold with spaces after the end. */
function endsWell(isOk, last, size) {
  const bytes = [...last, ...new Array(size).fill(SPACE)];
  return bytes.slice(size - 1).every((_, i) => isOk(...bytes.slice(i, i + size)));
}

/**
 * The rows as an automaton: its states are what has been read of a sequence, and whether the sequence before
 * it may be refused together with it.
 */
class Rows {
  #read;
  #refused;
  dead = { key: 'dead', accepts: false };
  start = { key: '', pending: [], open: false, accepts: true };

  constructor(read, refused) {
    this.#read = read;
    // Units side by side: each of three bytes.
    this.#refused = refused.map(({ ranges }) => [ranges.slice(0, 3), ranges.slice(3)]);
  }

  step(state, byte) {
    if (state === this.dead) return state;
    const pending = [...state.pending, byte];
    const matches = ({ ranges }) => startsWith(ranges, pending);
    const candidates = this.#read.filter(matches);
    if (candidates.length === 0) return this.dead;
    if (candidates.some(({ ranges }) => ranges.length === pending.length)) {
      const isUnit = (unit) => startsWith(unit, pending) && unit.length === pending.length;
      if (state.open && this.#refused.some(([, low]) => isUnit(low))) return this.dead;
      const open = this.#refused.some(([high]) => isUnit(high));
      return { key: `${open}`, pending: [], open, accepts: true };
    }
    return { key: `${pending} ${state.open}`, pending, open: state.open, accepts: false };
  }
}

const startsWith = (ranges, bytes) =>
  bytes.length <= ranges.length &&
  bytes.every((byte, i) => ranges[i].first <= byte && byte <= ranges[i].last);
