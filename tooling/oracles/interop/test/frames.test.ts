/** Compares frames with `DataInputStream` and `DataOutputStream`; see `interop.test.ts` for seed and number. */
import * as dataInput from '@utf8/mutf8/data-input';
import { encodeUTF, FrameError, readUTF, writeUTF } from '@utf8/mutf8/framing';
import { afterAll, describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { formatBytes, formatUnits } from '../src/answer.js';
import { generateBytes, generateTexts } from '../src/corpus.js';
import { ProgramPeer } from '../src/peer.js';
import { jvm } from '../src/programs.js';
import { Random } from '../src/random.js';

const count = scale(10_000);

const peer = await ProgramPeer.start(jvm);
afterAll(() => peer.stop());

const toText = (units: Uint8Array): string => Buffer.from(units).swap16().toString('utf16le');

/** The JVM's answers, in blocks that both sides can hold. */
async function ask(operation: string, inputs: readonly Uint8Array[]): Promise<string[]> {
  const answers: string[] = [];
  for (let i = 0; i < inputs.length; i += 5000) {
    const digits = inputs.slice(i, i + 5000).map(formatBytes);
    answers.push(...(await peer.ask(operation, digits)));
  }
  expect(answers).toHaveLength(inputs.length);
  return answers;
}

/** Returns the lines that differ from the JVM's, the shortest first. */
const shortest = (lines: readonly string[]): string[] =>
  lines.toSorted((a, b) => a.length - b.length).slice(0, 10);

describe('a frame is as the JVM has it', () => {
  const units = [...generateTexts(seed, count)];
  const texts = units.map(toText);

  it(`written and read, ${count} texts`, async () => {
    const target = new Uint8Array(100);
    const random = new Random(seed);
    const wrong: string[] = [];
    for (const [i, answer] of (await ask('writeFrame', units)).entries()) {
      const text = texts[i] as string;
      const offset = random.below(8);
      const next = writeUTF(text, target, offset);
      const frame = target.subarray(offset, next);
      const back = readUTF(target, offset);
      const isRight =
        answer === `ok ${formatBytes(frame)}` &&
        Buffer.compare(encodeUTF(text), frame) === 0 &&
        back.text === text &&
        back.next === next;
      if (!isRight) wrong.push(`${formatUnits(text)}: the JVM writes ${answer}`);
    }
    expect(shortest(wrong)).toEqual([]);
  });

  it(`read from ours, ${count} texts`, async () => {
    const random = new Random(seed);
    const frames = texts.map((text) => {
      const frame = encodeUTF(text);
      const isCut = random.below(4) === 0;
      return isCut ? frame.subarray(0, random.below(frame.length)) : Buffer.concat([frame, frame]);
    });
    const wrong: string[] = [];
    for (const [i, answer] of (await ask('readFrame', frames)).entries()) {
      const ours = read(frames[i] as Uint8Array);
      if (ours !== answer) wrong.push(`${formatUnits(texts[i] as string)}: ${answer}, we: ${ours}`);
    }
    expect(shortest(wrong)).toEqual([]);
  });

  it(`read from any bytes, ${count} of them, by data-input`, async () => {
    const random = new Random(seed);
    const frames = Array.from(generateBytes(seed, count), (bytes) => {
      const length = Math.max(0, bytes.length + random.below(5) - 2);
      return Uint8Array.of(length >> 8, length & 0xff, ...bytes);
    });
    const wrong: string[] = [];
    for (const [i, answer] of (await ask('readFrame', frames)).entries()) {
      const frame = frames[i] as Uint8Array;
      const ours = read(frame);
      const theirs = answer.startsWith('fault') ? 'fault' : answer;
      if (ours !== theirs) wrong.push(`${formatBytes(frame)}: ${answer}, we: ${ours}`);
    }
    expect(shortest(wrong)).toEqual([]);
  });

  it('of 65,535 bytes, and no longer', async () => {
    const most = '中'.repeat(21_845);
    for (const text of [most, `${most}a`, '\0'.repeat(32_767), '\0'.repeat(32_768)]) {
      const [answer] = await ask('writeFrame', [Buffer.from(text, 'utf16le').swap16()]);
      if (answer === 'long') expect(() => encodeUTF(text)).toThrow(FrameError);
      else expect(`ok ${formatBytes(encodeUTF(text))}`).toBe(answer);
    }
  });
});

/** Reads a frame as the JDK does, and says what came of it in the JVM's words. */
function read(frame: Uint8Array): string {
  try {
    const { text, next } = readUTF(frame, 0, { codec: dataInput });
    return `ok ${formatUnits(text)} ${next}`;
  } catch (error) {
    return error instanceof FrameError ? 'cut' : 'fault';
  }
}
