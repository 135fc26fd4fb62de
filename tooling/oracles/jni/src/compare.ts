/** Compares our functions with the answers of others. */
import { packFrames, readFrames } from './frame.js';
import { showBytes, showText, toText, toUnits } from './unit.js';

/** Answers arguments by a function that makes texts of them, in frames of code units. */
export const answerTexts = (frames: Buffer, make: (bytes: Uint8Array) => string): Buffer =>
  packFrames(Array.from(readFrames(frames), (bytes) => toUnits(make(bytes))));

/**
 * Compares two answers to the same arguments.
 *
 * @returns How many there are.
 * @throws Error that shows the first that differs.
 */
export function compareAnswers(frames: Buffer, ours: Buffer, theirs: Buffer): number {
  const same = ours.equals(theirs);
  const answers = readFrames(theirs);
  const expected = readFrames(ours);
  let count = 0;
  for (const bytes of readFrames(frames)) {
    count++;
    if (same) continue;
    const [answer, own] = [answers.next().value, expected.next().value];
    if (!answer || !own) throw new Error(`only ${count - 1} answers`);
    if (own.equals(answer)) continue;
    const [mine, other] = [own, answer].map((units) => showText(toText(units)));
    throw new Error(`${showBytes(bytes)}: ${mine}, but they say ${other}`);
  }
  if (!same) throw new Error(`more than ${count} answers`);
  return count;
}
