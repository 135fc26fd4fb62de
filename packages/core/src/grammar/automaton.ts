/**
 * The state machine of a grammar, in the lineage of Björn Höhrmann's "Flexible and Economical UTF-8
 * Decoder" (2010): byte classes, and a transition table indexed by state + class. Departures:
 *
 * 1. Nothing is written by hand; both tables are derived from the rows.
 * 2. A state *is* the set of suffixes that may still follow. Equal sets are one state, so the machine is
 *    minimal; it is acyclic except for acceptance, so this needs no partition refinement (Revuz, 1992).
 * 3. It counts and compares but computes no code points: rows do that, by mixed-radix arithmetic.
 */
import type { Grammar } from './grammar.js';
import { GrammarError } from './grammar-error.js';
import { flatten, type Unit } from './row.js';

/** The state before a sequence and after a whole one. */
export const ACCEPT = 0;

/** A state machine as arrays. States are pre-multiplied: `transitions[state + classes[byte]]`. */
export interface Automaton {
  /** The class of each byte value. */
  readonly classes: Uint8Array;
  /** The number of classes, which is the distance between two states. */
  readonly width: number;
  /** The next state by state + class; 0 accepts. */
  readonly transitions: Uint8Array;
  /** The state of malformed bytes, which no transition leaves. */
  readonly reject: number;
}

const NOWHERE = -1;

/**
 * Derives the byte classes and the transitions of a grammar's rows. `!` rows are ignored, because they
 * concern two sequences.
 *
 * @param grammar - The rows.
 * @returns The machine.
 * @throws GrammarError if there are more than 256 transitions: a state is a byte.
 * @example
 * ```ts
 * import { deriveAutomaton } from '@utf8/core/internal';
 * import { grammar } from '@utf8/strict';
 *
 * const { classes, transitions, reject } = deriveAutomaton(grammar);
 * let state = 0;
 * for (const byte of [0xe2, 0x82, 0xac]) state = transitions[state + classes[byte]!]!;
 * state; // => 0
 * transitions[classes[0xff]!]; // => reject
 * ```
 */
export function deriveAutomaton(grammar: Pick<Grammar, 'rows'>): Automaton {
  const states = deriveStates(grammar.rows.map(flatten));
  // Bytes are of one class if every state has the same next state for them.
  const columns = new Map<string, number>();
  const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
    const column = states.map((next) => next[byte]).join();
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
  states.forEach((state, i) => {
    state.forEach((next, byte) => {
      if (next !== NOWHERE) transitions[i * width + (classes[byte] as number)] = next * width;
    });
  });
  return { classes, width, transitions, reject };
}

/** Derives all states, each as the next one by byte; the start (which is acceptance) comes first. */
function deriveStates(rows: readonly Unit[]): Int32Array[] {
  const states: Int32Array[] = [new Int32Array()];
  const bySuffixes = new Map<string, number>();
  const byTable = new Map<string, number>();

  const add = (suffixes: readonly Unit[]): number => {
    const state = deriveState(suffixes, follow);
    // Different rows may describe the same suffixes, so states are compared by their tables.
    const table = String(state);
    const number = byTable.get(table) ?? states.push(state) - 1;
    byTable.set(table, number);
    return number;
  };

  const follow = (suffixes: readonly Unit[]): number => {
    if (suffixes.some((ranges) => ranges.length === 0)) return ACCEPT;
    // Not as JSON, which calls a `toJSON` that other code may have added to arrays.
    const key = suffixes
      .map((ranges) => ranges.map(({ first, last }) => `${first}-${last}`).join())
      .join(';');
    const state = bySuffixes.get(key) ?? add(suffixes);
    bySuffixes.set(key, state);
    return state;
  };

  states[ACCEPT] = deriveState(rows, follow);
  return states;
}

/** Derives a state from the ranges that may still follow. */
function deriveState(
  suffixes: readonly Unit[],
  follow: (suffixes: readonly Unit[]) => number,
): Int32Array {
  const next = new Int32Array(256).fill(NOWHERE);
  const edges = new Set(
    suffixes.flatMap(([range]) => (range ? [range.first, range.last + 1] : [])),
  );
  for (let byte = 0; byte < 256; byte++) {
    if (byte > 0 && !edges.has(byte)) {
      next[byte] = next[byte - 1] as number;
      continue;
    }
    const rest = suffixes.flatMap(([range, ...later]) =>
      range && range.first <= byte && byte <= range.last ? [later] : [],
    );
    if (rest.length > 0) next[byte] = follow(rest);
  }
  return next;
}

/** Finds the end of the last whole sequence before the first one that the automaton rejects. */
export function findAcceptedEnd(
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
