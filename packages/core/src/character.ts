/**
 * Bytes one character at a time, with what the fast loops leave out: how far a sequence came, and
 * what is a character where there is none.
 */
import { ACCEPT } from './automaton.js';
import type { Engine } from './engine.js';
import { matchUnit } from './units.js';

/** What the state machine read: a whole sequence, or as much as could begin one. */
export interface Sequence {
  /** In bytes, a byte that was refused not counted. */
  length: number;
  codePoint: number;
  /** {@link ACCEPT} after a whole sequence, `reject` after a wrong byte, another state at the end. */
  state: number;
}

/** Runs the state machine over one sequence, and writes what it read to `sequence`. */
export function readSequence(
  { automaton: { classes, transitions, values, bases, reject } }: Engine,
  bytes: Uint8Array,
  offset: number,
  sequence: Sequence,
): void {
  let state = ACCEPT;
  let codePoint = 0;
  let i = offset;
  while (i < bytes.length) {
    const byte = bytes[i] as number;
    codePoint = (codePoint + (values[(bases[state] as number) + byte] as number)) | 0;
    state = transitions[state + (classes[byte] as number)] as number;
    if (state === reject) break;
    i++;
    if (state === ACCEPT) break;
  }
  sequence.length = i - offset;
  sequence.codePoint = codePoint;
  sequence.state = state;
}

/** The code point of what is none. */
export const FAULT = -1;

/**
 * Reads one character, malformed or not, and writes it to `character`: a well-formed sequence is one;
 * in a domain of code units a high half with the low half behind it is one, and so is a lone half;
 * a fault is one, with {@link FAULT} for a code point.
 */
export function readCharacter(
  engine: Engine,
  bytes: Uint8Array,
  offset: number,
  character: Sequence,
): void {
  readSequence(engine.paired, bytes, offset, character);
  if (character.state === ACCEPT) return;
  readSequence(engine, bytes, offset, character);
  if (character.state === ACCEPT) return;
  character.length = matchUnit(engine.units, bytes, offset).length;
  character.codePoint = FAULT;
}
