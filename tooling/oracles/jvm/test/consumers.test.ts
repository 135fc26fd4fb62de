/**
 * Compares every row of the table of packages/mutf8/README.md with the consumer itself, both ways. At night all of
 * them, and before that those of the JDK, which need no jars. `UTF8_RECORD=1` records answers at night.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { isNight, scale, seed } from '../../../tiers/tier.js';
import { generateTexts } from '../../interop/src/corpus.js';
import type { Peer } from '../../interop/src/peer.js';
import { consumers } from '../src/consumers.js';
import { file, listen, readAnswers, recordedInputs, toText } from '../src/recorded.js';
import { type JavaProgram, useJava } from '../src/start.js';
import { testConsumer } from '../src/suite.js';
import { edges, textsOfLength } from '../src/texts.js';

const count = scale(500);

/** Edges, random ones and, at night, each code unit alone. */
const texts: readonly string[] = [
  ...edges,
  ...Array.from({ length: isNight ? 0x10000 : 0 }, (_, unit) => String.fromCharCode(unit)),
  ...Array.from(generateTexts(seed, count), toText),
];

const wanted = consumers.filter(({ program }) => isNight || program.jars.length === 0);
const peers = new Map<JavaProgram, Peer>();
for (const program of new Set(wanted.map((consumer) => consumer.program))) {
  peers.set(program, await useJava(program));
}

const recorded = existsSync(file) ? readAnswers() : new Map<string, string>();
const heard = new Map<string, string>();
if (process.env.UTF8_RECORD) {
  afterAll(() => {
    const lines = Array.from(heard, (line) => line.join(': '));
    writeFileSync(file, `${lines.join('\n')}\n`);
  });
}

describe.each(wanted)('$name', (consumer) => {
  const peer = peers.get(consumer.program) as Peer;
  const check = testConsumer(consumer, peer, { texts, frames: count, seed });

  it.each(consumer.lengths)('likewise at %i code units', async (length) => {
    for (const text of textsOfLength(length)) {
      expect(text).toHaveLength(length);
      if (!consumer.isOther?.(text)) await check([text]);
    }
  });

  describe('of the recorded inputs', () => {
    testConsumer(consumer, listen(consumer.name, peer, heard), recordedInputs);

    it('the recorded answers are its own', () => {
      const own = [...heard].filter(([key]) => key.startsWith(`${consumer.name} |`));
      expect(own.length).toBeGreaterThan(100);
      if (process.env.UTF8_RECORD) return;
      expect(own.filter(([key, answer]) => recorded.get(key) !== answer)).toEqual([]);
    });
  });
});
