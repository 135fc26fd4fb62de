/**
 * Our codecs beside other implementations, on inputs that a seed gives: `UTF8_SEED=1` repeats a run,
 * `UTF8_INPUTS=1000000` makes a longer one.
 */
import { createHash } from 'node:crypto';
import type { Codec } from '@utf8/core';
import { afterAll, describe, expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tiers/tier.js';
import { type Answer, cut, decodeUnits, encodeUnits, formatBytes } from '../src/answer.js';
import { type CodecName, type Comparison, codecs, comparisons } from '../src/comparisons.js';
import { generateBytes, generateTexts, shortBytes } from '../src/corpus.js';
import { type Disagreement, disagreements } from '../src/disagreements.js';
import type { Peer } from '../src/peer.js';
import { readAs, sampleRow } from '../src/reading.js';

const count = scale(40_000);

XX;
/** What has been compared, for the line that says how fast that was. */
const pace = { answers: 0, milliseconds: 0 };

afterAll(() => {
  const { answers, milliseconds } = pace;
  const rate = Math.round(answers / (milliseconds / 1000));
  console.log(`${answers} answers of other implementations compared, ${rate} a second`);
  for (const peer of peers.values()) peer.stop();
});

/** Inputs, and the same in hexadecimal digits. */
class Inputs {
  readonly bytes: readonly Uint8Array[];
  readonly digits: readonly string[];

  constructor(...parts: Iterable<Uint8Array>[]) {
    this.bytes = parts.flatMap((part) => Array.from(part));
    this.digits = this.bytes.map(formatBytes);
  }
}

const inputs = {
  bytes: new Inputs(shortBytes(), generateBytes(seed, count)),
  texts: new Inputs(generateTexts(seed, count)),
};

const isListed = (entry: Disagreement, { peer, operation, codec }: Comparison): boolean =>
  entry.peers.includes(peer) && entry.codecs.includes(codec) && operation in entry.answers;

/** What the peer is known to answer, where it is known to differ at all. */
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

/** Asks for a block of answers while it looks at the one before. */
async function* ask(
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
async function compare(comparison: Comparison, peer: Peer): Promise<void> {
  const { operation, sight, input } = comparison;
  const answer = answerOf(comparison);
  const known = predict(comparison);
  const { bytes, digits } = inputs[input];
  const unlisted: string[] = [];
  const start = performance.now();
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
  pace.answers += bytes.length;
  pace.milliseconds += performance.now() - start;
  const shortest = [...new Set(unlisted)].sort((a, b) => a.length - b.length).slice(0, 20);
  expect(shortest, `${unlisted.length} unlisted, with ${peer.about}`).toEqual([]);
}

for (const name of Object.keys(codecs) as CodecName[]) {
  describe(`@utf8/${name}, but for the list, does as`, () => {
    for (const comparison of comparisons.filter(({ codec }) => codec === name)) {
      const peer = peers.get(comparison.peer);
      it.skipIf(!peer)(`${comparison.peer} ${comparison.operation}`, async () => {
        await compare(comparison, peer as Peer);
      });
    }
  });
}

describe('a listed disagreement still happens:', () => {
  for (const entry of disagreements) {
    for (const name of entry.peers) {
      const peer = peers.get(name);
      it.skipIf(!peer)(`${name} ${entry.codecs.join(' ')} ${entry.example}`, async () => {
        for (const operation of Object.keys(entry.answers)) {
          for (const codec of entry.codecs) {
            const comparison = comparisons.find(
              (each) => each.peer === name && each.operation === operation && each.codec === codec,
            );
            if (!comparison) return expect.fail(`${name} ${operation} ${codec} is not compared`);
            await checkEntry(entry, comparison, peer as Peer);
          }
        }
      });
    }
  }
});

/** Checks that the example is right, and that every row still makes a difference. */
async function checkEntry(entry: Disagreement, comparison: Comparison, peer: Peer): Promise<void> {
  const { operation, sight } = comparison;
  const answer = answerOf(comparison);
  const known = predict(comparison) as Answer;
  const example = Buffer.from(entry.example.replaceAll(' ', ''), 'hex');
  for (const sample of [[example], ...(entry.rows ?? []).map(sampleRow)]) {
    const lines = await peer.ask(operation, sample.map(formatBytes));
    const theirs = lines.map((line) => cut(line, sight));
    const ours = sample.map((bytes) => cut(answer(bytes), sight));
    const message = `${operation}: ${sample.map(formatBytes)}`;
    expect(theirs, message).toEqual(sample.map((bytes) => cut(known(bytes), sight)));
    expect(theirs, message).not.toEqual(ours);
    if (sample[0] === example) {
      expect({ theirs: theirs[0], ours: ours[0] }).toEqual(entry.answers[operation]);
    }
  }
}

describe('exhaustively, against the JVM', () => {
  const jvm = peers.get('jvm');

  it.skipIf(!jvm)('@utf8/mutf8 writes what writeUTF writes: all 65,536 code units', async () => {
    await compareSpans(jvm as Peer, 'writeUTF', encodeUnits(codecs.mutf8), prefixes(1));
  });

  it.skipIf(!jvm)('@utf8/mutf8 writes what writeUTF writes: all 1,048,576 pairs', async () => {
    const pairs = Array.from({ length: 1024 * 4 }, (_, i) =>
      Uint8Array.of(0xd8 | (i >> 10), (i >> 2) & 0xff, 0xdc | (i & 3)),
    );
    await compareSpans(jvm as Peer, 'writeUTF', encodeUnits(codecs.mutf8), pairs);
  });

  it.skipIf(!jvm)(
    '@utf8/mutf8/data-input reads what readUTF reads: all inputs of 1 and 2 bytes, and some of 3',
    async () => {
      const tried = [...prefixes(0), ...prefixes(1), ...choose(prefixes(2), 8192)];
      await compareSpans(jvm as Peer, 'readUTF', decodeUnits(codecs['mutf8/data-input']), tried);
    },
  );
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

describe('on every input', () => {
  it('decode(b, replace) is lenient.decode(b, replace).toWellFormed() in CESU-8', () => {
    const { cesu8, 'cesu8/lenient': lenient } = codecs;
    for (const [i, bytes] of inputs.bytes.bytes.entries()) {
      const text = cesu8.decode(bytes, { errors: 'replace' });
      if (text !== lenient.decode(bytes, { errors: 'replace' }).toWellFormed()) {
        expect.fail(inputs.bytes.digits[i]);
      }
    }
  });

  it.each(['strict', 'cesu8', 'cesu8/lenient', 'mutf8', 'wtf8', 'rfc2279'] as const)(
    '@utf8/%s writes again what it has read, byte for byte',
    (name) => {
      const codec: Codec = codecs[name];
      let accepted = 0;
      for (const [i, bytes] of inputs.bytes.bytes.entries()) {
        if (!codec.isValid(bytes)) continue;
        accepted++;
        const again = codec.encodeCodePoints(codec.decodeCodePoints(bytes));
        if (formatBytes(again) !== inputs.bytes.digits[i]) expect.fail(inputs.bytes.digits[i]);
      }
      // Inputs show little where all of them are accepted, or refused.
      expect(accepted / inputs.bytes.bytes.length).toBeGreaterThan(0.1);
      expect(accepted / inputs.bytes.bytes.length).toBeLessThan(0.9);
    },
  );
});
