/** Recorded answers of consumers: packages/mutf8/test/recorded. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateTexts } from '../../interop/src/corpus.js';
import type { Peer } from '../../interop/src/peer.js';
import { edges } from './texts.js';

export const file: string = fileURLToPath(
  new URL('../../../../packages/mutf8/test/recorded/consumers.txt', import.meta.url),
);

export const toText = (units: Uint8Array): string =>
  Buffer.from(units).swap16().toString('utf16le');

/** Inputs whose answers are recorded. */
export const recordedInputs = {
  texts: [...edges, ...Array.from(generateTexts(1, 50), toText)],
  frames: 50,
  seed: 1,
};

type Answers = Map<string, string>;

/** All recorded answers, by consumer and question. */
export const readAnswers = (): Answers =>
  new Map(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );

const keyOf = (consumer: string, operation: string, input: string): string =>
  `${consumer} | ${operation} ${input}`;

/** A peer that answers as recorded. */
export const replay = (consumer: string, answers: Answers): Pick<Peer, 'ask'> => ({
  ask: async (operation, inputs) =>
    inputs.map((input) => {
      const answer = answers.get(keyOf(consumer, operation, input));
      if (answer === undefined) throw new Error(`not recorded: ${operation} ${input}`);
      return answer;
    }),
});

/** A peer whose answers are noted. Its messages are left out. */
export const listen = (consumer: string, peer: Peer, answers: Answers): Pick<Peer, 'ask'> => ({
  async ask(operation, inputs) {
    const lines = await peer.ask(operation, inputs);
    for (const [i, input] of inputs.entries()) {
      const plain = (lines[i] as string).replace(/^fault.*/, 'fault');
      answers.set(keyOf(consumer, operation, input), plain);
    }
    return lines;
  },
});
