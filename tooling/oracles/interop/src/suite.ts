/** Compares our codecs with peers: all comparisons, and all listed disagreements. */
import { describe, expect, it } from 'vitest';
import { type Answer, cut, formatBytes } from './answer.js';
import { type CodecName, type Comparison, codecs, comparisons } from './comparisons.js';
import { type Disagreement, disagreements } from './disagreements.js';
import type { Peer } from './peer.js';
import { readAs, sampleRow } from './reading.js';

/** Inputs for peers: bytes, and the code units of texts as UTF-16BE. */
export interface Inputs {
  readonly bytes: readonly Uint8Array[];
  readonly texts: readonly Uint8Array[];
}

/** The samples of a disagreement that peers are asked about: its example, and some of each row. */
const listSamples = ({ example, rows = [] }: Disagreement): Uint8Array[][] => [
  [Buffer.from(example.replaceAll(' ', ''), 'hex')],
  ...rows.map(sampleRow),
];

/** Returns all samples of disagreements about bytes, or about texts. */
export const listAllSamples = (input: Comparison['input']): Uint8Array[] =>
  disagreements
    .filter((entry) => (entry.like ? 'texts' : 'bytes') === input)
    .flatMap((entry) => listSamples(entry).flat());

const isListed = (entry: Disagreement, { peer, operation, codec }: Comparison): boolean =>
  entry.peers.includes(peer) && entry.codecs.includes(codec) && operation in entry.answers;

/** Returns the model of the peer's answer, if the peer is known to differ at all. */
function predict(comparison: Comparison): Answer | undefined {
  const entries = disagreements.filter((entry) => isListed(entry, comparison));
  if (entries.length === 0) return undefined;
  if (comparison.input === 'texts') {
    const like = entries.find((entry) => entry.like)?.like;
    return like && comparison.answer(codecs[like]);
  }
  const rows = entries.flatMap((entry) => entry.rows ?? []);
  const byBytes = entries.some((entry) => entry.byBytes);
  return comparison.answer(readAs(codecs[comparison.codec].grammar, rows, byBytes));
}

const answerOf = ({ answer, codec }: Comparison): Answer => answer(codecs[codec]);

/** Asks for a block of answers while the one before is looked at. */
export async function* ask(
  peer: Peer,
  operation: string,
  digits: readonly string[],
  size: number,
): AsyncGenerator<[first: number, answers: string[]]> {
  let next = peer.ask(operation, digits.slice(0, size));
  for (let start = 0; start < digits.length; start += size) {
    const answers = await next;
    next = peer.ask(operation, digits.slice(start + size, start + 2 * size));
    yield [start, answers];
  }
}

/** Compares one operation of a peer with one of our codecs on all inputs. */
async function compare(comparison: Comparison, peer: Peer, inputs: Inputs): Promise<void> {
  const { operation, sight, input } = comparison;
  const answer = answerOf(comparison);
  const known = predict(comparison);
  const bytes = inputs[input];
  const digits = bytes.map(formatBytes);
  const unlisted: string[] = [];
  for await (const [first, answers] of ask(peer, operation, digits, 5000)) {
    for (const [i, line] of answers.entries()) {
      const item = bytes[first + i] as Uint8Array;
      const ours = cut(answer(item), sight);
      const theirs = cut(line, sight);
      if (theirs === ours) continue;
      const expected = known && cut(known(item), sight);
      if (theirs === expected) continue;
      const listed = expected === undefined ? '' : `, and as listed: ${expected}`;
      unlisted.push(`${digits[first + i]}: they say ${theirs}, we: ${ours}${listed}`);
    }
  }
  const shortest = [...new Set(unlisted)].sort((a, b) => a.length - b.length).slice(0, 20);
  expect(shortest, `${unlisted.length} unlisted, with ${peer.about}`).toEqual([]);
}

/** Checks that the example is right, and that every row still makes a difference. */
async function checkEntry(entry: Disagreement, comparison: Comparison, peer: Peer): Promise<void> {
  const { operation, sight } = comparison;
  const answer = answerOf(comparison);
  const known = predict(comparison) as Answer;
  for (const [i, sample] of listSamples(entry).entries()) {
    const lines = await peer.ask(operation, sample.map(formatBytes));
    const theirs = lines.map((line) => cut(line, sight));
    const ours = sample.map((bytes) => cut(answer(bytes), sight));
    const message = `${operation}: ${sample.map(formatBytes)}`;
    expect(theirs, message).toEqual(sample.map((bytes) => cut(known(bytes), sight)));
    expect(theirs, message).not.toEqual(ours);
    if (i === 0) expect({ theirs: theirs[0], ours: ours[0] }).toEqual(entry.answers[operation]);
  }
}

/** Compares all operations of some peers with our codecs. */
export function testPeers(peers: readonly Peer[], inputs: Inputs): void {
  for (const peer of peers) {
    for (const comparison of comparisons.filter((each) => each.peer === peer.name)) {
      const { codec, operation } = comparison;
      it(`@utf8/${codec} does as ${peer.name} ${operation}, but for the list`, async () => {
        await compare(comparison, peer, inputs);
      });
    }
  }

  describe('a listed disagreement still happens:', () => {
    for (const entry of disagreements) {
      for (const peer of peers.filter(({ name }) => entry.peers.includes(name))) {
        it(`${peer.name} ${entry.codecs.join(' ')} ${entry.example}`, async () => {
          for (const operation of Object.keys(entry.answers)) {
            for (const codec of entry.codecs) {
              const comparison = comparisons.find(
                (each) =>
                  each.peer === peer.name && each.operation === operation && each.codec === codec,
              );
              if (!comparison)
                return expect.fail(`${peer.name} ${operation} ${codec} is not compared`);
              await checkEntry(entry, comparison, peer);
            }
          }
        });
      }
    }
  });
}

/** Lists the compared operations of a peer, with their inputs. */
export function listOperations(peer: string): ReadonlyMap<string, Comparison['input']> {
  const own = comparisons.filter((each) => each.peer === peer);
  return new Map(own.map(({ operation, input }) => [operation, input]));
}

export type { CodecName };
