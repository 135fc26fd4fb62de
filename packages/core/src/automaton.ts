/**
 * The state machine of a grammar, in the lineage of Björn Höhrmann's "Flexible and Economical UTF-8
 * Decoder" (2010): byte classes, and a transition table indexed by state + class. Departures:
 *
 * 1. Nothing is written by hand; both tables are derived from the rows.
 * 2. A state *is* what may still follow. States with the same future are one state, so the machine is
 *    minimal; it is acyclic but for acceptance, so this needs no partition refinement (Revuz, 1992).
 * 3. The code point is summed along the way, each byte adding what it is worth in its state, and not
 *    built by masks and shifts; so any row that counts in order works, whatever its bytes look like.
 */
import type { Engine } from './engine.js';
import { countSequences, flatten, type Grammar, GrammarError, type Unit } from './grammar.js';
import { unpackRows } from './tables.js';

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
  /** What a byte adds to the code point, modulo 2^32: `values[bases[state] + byte]`. */
  readonly values: Int32Array;
  /** Where in `values` a state's 256 begin, by state. */
  readonly bases: Uint16Array;
  /** The state that nothing leaves. */
  readonly reject: number;
}

/** What may still follow, as rows: the ranges to come, and the code point of the first sequence. */
interface Suffix {
  readonly ranges: Unit;
  readonly first: number;
}

/** For each byte the next state, and what the byte adds to the code point. */
interface State {
  readonly next: Int32Array;
  readonly values: Float64Array;
}

const NOWHERE = -1;

/**
 * Derives the byte classes and the transition table of a grammar.
 *
 * @param grammar - The rows.
 * @returns The tables.
 * @throws {@link GrammarError} where the table would have more than 256 cells: a state is a byte.
 */
export function deriveAutomaton(grammar: Pick<Grammar, 'rows'>): Automaton {
  const suffixes = grammar.rows.map((row) => ({ ranges: flatten(row), first: row.first }));
  const states = deriveStates(suffixes);
  // Bytes are of one class where they lead every state to the same next one.
  const columns = new Map<string, number>();
  const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
    const column = states.map(({ next }) => next[byte]).join();
    if (!columns.has(column)) columns.set(column, columns.size);
    return columns.get(column) as number;
  });
  const width = columns.size;
  const reject = states.length * width;
  if (reject + width > 256) {
    throw new GrammarError(
      `The grammar needs ${states.length + 1} states of ${width} byte classes; 256 cells are the limit.`,
    );
  }
  const transitions = new Uint8Array(reject + width).fill(reject);
  const values = new Int32Array((states.length + 1) * 256);
  const bases = new Uint16Array(reject + width);
  states.forEach((state, i) => {
    values.set(state.values, i * 256);
    bases[i * width] = i * 256;
    state.next.forEach((next, byte) => {
      if (next !== NOWHERE) transitions[i * width + (classes[byte] as number)] = next * width;
    });
  });
  return { classes, width, transitions, values, bases, reject };
}

/** All states, the start (which is acceptance) first. */
function deriveStates(rows: readonly Suffix[]): State[] {
  const states: State[] = [];
  const bySuffixes = new Map<string, number>();
  const byTable = new Map<string, number>();

  const add = (suffixes: readonly Suffix[]): number => {
    const state = deriveState(suffixes, follow);
    // Rows may cut one future in different ways: only the table tells whether two states are alike.
    const table = `${state.next}/${state.values}`;
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

  states.push({ next: new Int32Array(), values: new Float64Array() }); // ACCEPT's place
  states[ACCEPT] = deriveState(rows, follow);
  return states;
}

function deriveState(
  suffixes: readonly Suffix[],
  follow: (suffixes: readonly Suffix[]) => { state: number; least: number },
): State {
  const next = new Int32Array(256).fill(NOWHERE);
  const values = new Float64Array(256);
  const edges = new Set(
    suffixes.flatMap(({ ranges: [range] }) => (range ? [range.first, range.last + 1] : [])),
  );
  let steps: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    // Inside a range the way stays the same and the code point moves by one step a byte, unless rows
    // that step differently share the byte. (Without this, the first derivation in a process takes
    // 10 ms instead of 3.)
    if (byte > 0 && !edges.has(byte) && new Set(steps).size <= 1) {
      next[byte] = next[byte - 1] as number;
      values[byte] = (values[byte - 1] as number) + (steps[0] ?? 0);
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
    values[byte] = least;
  }
  return { next, values };
}

const automata = new WeakMap<Engine, Automaton>();

/** The automaton of an engine. Kept here and not in the engine: only counting and transcoding ask for it. */
export function automatonOf(engine: Engine): Automaton {
  const automaton =
    automata.get(engine) ?? deriveAutomaton({ rows: unpackRows(engine.tables.rows) });
  automata.set(engine, automaton);
  return automaton;
}

/** The index behind the last whole sequence before the first that the automaton refuses. */
export function findDoubt(
  { classes, transitions, reject }: Automaton,
  source: Uint8Array,
  from: number,
  to: number,
): number {
  let boundary = from;
  let state = ACCEPT;
  for (let i = from; i < to; ) {
    state = transitions[state + (classes[source[i++] as number] as number)] as number;
    if (state === ACCEPT) boundary = i;
    else if (state === reject) break;
  }
  return boundary;
}
