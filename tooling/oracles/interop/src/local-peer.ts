/** A peer that answers in the test's own process. */
import type { Answer } from './answer.js';
import type { Peer } from './peer.js';

/**
 * Makes a peer of some functions.
 *
 * @param about - The implementation and its version.
 */
export function createLocalPeer(
  name: string,
  about: string,
  operations: Readonly<Record<string, Answer>>,
): Peer {
  return {
    name,
    about,
    ask: async (operation, inputs) => {
      const answer = operations[operation];
      if (!answer) return inputs.map(() => `unknown ${operation}`);
      return inputs.map((input) => answer(Buffer.from(input, 'hex')));
    },
    stop: () => {},
  };
}
