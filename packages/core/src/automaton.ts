/**
 * The state machine of a grammar, in the lineage of Björn Höhrmann's "Flexible and Economical UTF-8
 * Decoder" (2010): byte classes, and a transition table indexed by state + class. Departures:
 *
 * 1. Nothing is written by hand; both tables are derived from the rows.
 * 2. A state *is* what may still follow. States with the same future are one state, so the machine is
 *    minimal; it is acyclic but for acceptance, so this needs no partition refinement (Revuz, 1992).
 * 3. The code point is summed along the transitions (`scale * byte + offset`) and not built by masks
 *    and shifts, so any row that counts in order works, whatever its bytes look like.
 */
import { countSequences, flatten, type Grammar, GrammarError, type Unit } from './grammar.js';

/** The state before a sequence and after a whole one. */
export const ACCEPT = 0;

/** Tables derived from a grammar. States are pre-multiplied: `transitions[state + classes[byte]]`. */
export interface Automaton {
  /** The class of each byte value. */
  readonly classes: Uint8Array;
  /** The number of classes, so the distance between two states. */
  readonly width: number;
  /** The next state by state + class; {@link ACCEPT} is 0. */
  readonly transitions: Uint8Array;
  /** What a transition adds to the code point: `scale * byte + offset`, modulo 2^32. */
  readonly scales: Int32Array;
  readonly offsets: Int32Array;
  /** The state that nothing leaves. */
  readonly reject: number;
  /** The length of the longest sequence in bytes. */
  readonly longest: number;
}

/** What may still follow, as rows: the ranges to come, and the code point of the first sequence. */
interface Suffix {
  readonly ranges: Unit;
  readonly first: number;
}

/** For each byte the next state, and what the byte adds to the code point. */
interface State {
  readonly next: Int32Array;
  readonly adds: Float64Array;
}

const NOWHERE = -1;

/**
 * Derives the byte classes and the transition table of a grammar.
 *
 * @param grammar - The rows.
 * @returns The tables.
 * @throws {@link GrammarError} where the table would have more than 256 cells: a state is a byte.
 */
export function deriveAutomaton(grammar: Grammar): Automaton {
  const suffixes = grammar.rows.map((row) => ({ ranges: flatten(row), first: row.first }));
  const states = deriveStates(suffixes);
  const { classes, members } = deriveClasses(states);
  const width = members.length;
  const reject = states.length * width;
  if (reject + width > 256) {
    throw new GrammarError(
      `The grammar needs ${states.length + 1} states of ${width} byte classes; 256 cells are the limit.`,
    );
  }
  const transitions = new Uint8Array(reject + width).fill(reject);
  const scales = new Int32Array(reject + width);
  const offsets = new Int32Array(reject + width);
  states.forEach(({ next, adds }, state) => {
    members.forEach(({ first, second }, column) => {
      if (next[first] === NOWHERE) return;
      const cell = state * width + column;
      const scale = second === undefined ? 0 : slope(adds, first, second);
      transitions[cell] = (next[first] as number) * width;
      scales[cell] = scale;
      offsets[cell] = (adds[first] as number) - scale * first;
    });
  });
  const longest = Math.max(...suffixes.map(({ ranges }) => ranges.length));
  return { classes, width, transitions, scales, offsets, reject, longest };
}

/** All states, the start (which is acceptance) first. */
function deriveStates(rows: readonly Suffix[]): State[] {
  const states: State[] = [];
  const bySuffixes = new Map<string, number>();
  const byTable = new Map<string, number>();

  const add = (suffixes: readonly Suffix[]): number => {
    const state = deriveState(suffixes, follow);
    // Rows may cut one future in different ways: only the table tells whether two states are alike.
    const table = `${state.next}/${state.adds}`;
    const number = byTable.get(table) ?? states.push(state) - 1;
    byTable.set(table, number);
    return number;
  };

  // Suffixes count from 0 in each state; the least code point belongs to the way that leads there.
  const follow = (suffixes: readonly Suffix[]): { state: number; least: number } => {
    const least = Math.min(...suffixes.map(({ first }) => first));
    if (suffixes.some(({ ranges }) => ranges.length === 0)) return { state: ACCEPT, least };
    const relative = suffixes.map(({ ranges, first }) => ({ ranges, first: first - least }));
    const key = JSON.stringify(relative);
    const state = bySuffixes.get(key) ?? add(relative);
    bySuffixes.set(key, state);
    return { state, least };
  };

  states.push({ next: new Int32Array(), adds: new Float64Array() }); // ACCEPT's place
  states[ACCEPT] = deriveState(rows, follow);
  return states;
}

function deriveState(
  suffixes: readonly Suffix[],
  follow: (suffixes: readonly Suffix[]) => { state: number; least: number },
): State {
  const next = new Int32Array(256).fill(NOWHERE);
  const adds = new Float64Array(256);
  const edges = new Set(
    suffixes.flatMap(({ ranges: [range] }) => (range ? [range.first, range.last + 1] : [])),
  );
  let steps: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    // Inside a range the way stays the same and the code point moves by one step a byte, unless rows
    // that step differently share the byte. (Without this, deriving takes 10 ms instead of 1.)
    if (byte > 0 && !edges.has(byte) && new Set(steps).size <= 1) {
      next[byte] = next[byte - 1] as number;
      adds[byte] = (adds[byte - 1] as number) + (steps[0] ?? 0);
      continue;
    }
    steps = [];
    const rest: Suffix[] = [];
    for (const { ranges, first } of suffixes) {
      const [range, ...later] = ranges;
      if (!range || byte < range.first || byte > range.last) continue;
      const step = countSequences(later);
      steps.push(step);
      rest.push({ ranges: later, first: first + (byte - range.first) * step });
    }
    if (rest.length === 0) continue;
    const { state, least } = follow(rest);
    next[byte] = state;
    adds[byte] = least;
  }
  return { next, adds };
}

/** Two bytes of a class: code points of the others lie on the line through theirs. */
interface ByteClass {
  readonly first: number;
  second?: number;
}

/** Groups the bytes that every state treats alike: same next state, code points on one line. */
function deriveClasses(states: readonly State[]): { classes: Uint8Array; members: ByteClass[] } {
  const members: ByteClass[] = [];
  const classes = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const isAlike = (member: ByteClass): boolean =>
      states.every((state) => fits(state, member, byte));
    // Neighbours are mostly alike, so the last byte's class is asked first.
    const neighbour = members[classes[byte - 1] ?? 0];
    const member = neighbour && isAlike(neighbour) ? neighbour : members.find(isAlike);
    if (member) member.second ??= byte;
    classes[byte] = member ? members.indexOf(member) : members.push({ first: byte }) - 1;
  }
  return { classes, members };
}

function fits({ next, adds }: State, { first, second }: ByteClass, byte: number): boolean {
  if (next[first] !== next[byte]) return false;
  if (next[byte] === NOWHERE) return true;
  return second === undefined
    ? Number.isInteger(slope(adds, first, byte))
    : slope(adds, first, second) === slope(adds, first, byte);
}

/** By how much the code point grows from one byte of a class to the next. */
const slope = (adds: Float64Array, from: number, to: number): number =>
  ((adds[to] as number) - (adds[from] as number)) / (to - from);
