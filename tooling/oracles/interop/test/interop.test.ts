/** Compares our codecs with other implementations, on inputs from a seed. */
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { choose, isNight, scale, seed } from '../../../tiers/tier.js';
import { type Answer, cut, decodeUnits, encodeUnits, formatBytes } from '../src/answer.js';
import { codecs } from '../src/comparisons.js';
import { generateBytes, generateTexts, shortBytes } from '../src/corpus.js';
import { type Peer, ProgramPeer } from '../src/peer.js';
import { programs, rust } from '../src/programs.js';
import { interview, readInterview, writeInterview } from '../src/recorded.js';
import { ask, testPeers } from '../src/suite.js';
import { bynens, cto } from '../src/wtf8.js';

const wanted = [...programs, ...(isNight ? [rust] : [])];
const started = await Promise.all(wanted.map((program) => ProgramPeer.start(program)));
const peers: readonly Peer[] = [...started, cto, bynens];
const jvm = peers.find(({ name }) => name === 'jvm');
afterAll(() => {
  for (const peer of peers) peer.stop();
});

const count = scale(5000);

testPeers(peers, {
  bytes: [...choose([...shortBytes()], 10_000), ...generateBytes(seed, count)],
  texts: [...generateTexts(seed, count)],
});

/** Removes the line about versions, which may differ. */
const withoutAbout = (text: string): string => text.replace(/^# .*\n/, '');

it.each(peers)(
  'the recorded answers are those of $name; UTF8_RECORD=1 records them',
  async (peer) => {
    const text = await interview(peer);
    if (process.env.UTF8_RECORD) writeInterview(peer.name, text);
    expect(withoutAbout(readInterview(peer.name))).toBe(withoutAbout(text));
  },
);

describe('exhaustively, against the JVM', () => {
  it('@utf8/mutf8 writes what writeUTF writes: all 65,536 code units', async () => {
    await compareSpans(jvm as Peer, 'writeUTF', encodeUnits(codecs.mutf8), prefixes(1));
  });

  it('@utf8/mutf8 writes what writeUTF writes: some pairs, and at night all', async () => {
    const pairs = Array.from({ length: 1024 * 4 }, (_, i) =>
      Uint8Array.of(0xd8 | (i >> 10), (i >> 2) & 0xff, 0xdc | (i & 3)),
    );
    await compareSpans(jvm as Peer, 'writeUTF', encodeUnits(codecs.mutf8), choose(pairs, 500));
  });

  it('@utf8/mutf8/data-input reads what readUTF reads: all inputs of 1 and 2 bytes, and some of 3', async () => {
    const tried = [...prefixes(0), ...prefixes(1), ...choose(prefixes(2), 1000)];
    await compareSpans(jvm as Peer, 'readUTF', decodeUnits(codecs['mutf8/data-input']), tried);
  });
});

/** All byte strings of a length. */
function prefixes(length: number): Uint8Array[] {
  return Array.from({ length: 256 ** length }, (_, i) =>
    Uint8Array.from({ length }, (_, at) => (i >> (8 * (length - 1 - at))) & 0xff),
  );
}

/** Compares digests of the answers to each prefix followed by each of the 256 bytes. */
async function compareSpans(
  peer: Peer,
  operation: string,
  answer: Answer,
  starts: readonly Uint8Array[],
): Promise<void> {
  for await (const [first, answers] of ask(peer, `${operation}*`, starts.map(formatBytes), 1000)) {
    for (const [i, line] of answers.entries()) {
      const prefix = starts[first + i] as Uint8Array;
      const input = Uint8Array.of(...prefix, 0);
      let lines = '';
      for (let last = 0; last < 256; last++) {
        input[prefix.length] = last;
        lines += `${cut(answer(input), 'acceptance')}\n`;
      }
      const digest = createHash('sha256').update(lines).digest('hex');
      if (line !== `ok ${digest}`) expect.fail(`differs behind ${formatBytes(prefix)}`);
    }
  }
}
