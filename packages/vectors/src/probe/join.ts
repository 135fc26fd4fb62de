/** Joins many inputs to one, each between marks that delimit its answer. */
import type { Answer } from './answer.js';
import type { Input } from './input.js';

const toBytes = (text: string): number[] => Array.from(text, (c) => c.charCodeAt(0));

const open = (i: number): number[] => toBytes(`{${i}}`);
const close = (i: number): number[] => toBytes(`{/${i}}\n`);

export function joinInputs(inputs: readonly Input[]): Uint8Array {
  return Uint8Array.from(inputs.flatMap(({ bytes }, i) => [...open(i), ...bytes, ...close(i)]));
}

function indexOf(text: readonly number[], part: readonly number[], from: number): number {
  for (let i = from; i <= text.length - part.length; i++) {
    if (part.every((value, j) => text[i + j] === value)) return i;
  }
  return -1;
}

/** Splits a joined answer; returns undefined for inputs without marks in it. */
export function splitAnswer(answer: Answer, count: number): (Answer | undefined)[] {
  const { text = [] } = answer;
  let at = 0;
  return Array.from({ length: count }, (_, i) => {
    const start = indexOf(text, open(i), at);
    if (start < 0) return undefined;
    const from = start + open(i).length;
    const end = indexOf(text, close(i).slice(0, -1), from);
    if (end < 0) return undefined;
    at = end;
    return { text: text.slice(from, end) };
  });
}
