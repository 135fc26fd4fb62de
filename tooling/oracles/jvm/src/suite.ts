/** Tests of each consumer, whether it runs or its answers are recorded. */
import { expect, it } from 'vitest';
import { formatBytes, formatUnits } from '../../interop/src/answer.js';
import type { Peer } from '../../interop/src/peer.js';
import { Random } from '../../interop/src/random.js';
import type { Consumer } from './consumers.js';

/** Answers without what faults are about. */
async function ask(
  peer: Pick<Peer, 'ask'>,
  operation: string,
  inputs: readonly string[],
): Promise<string[]> {
  const answers: string[] = [];
  for (let i = 0; i < inputs.length; i += 5000) {
    answers.push(...(await peer.ask(operation, inputs.slice(i, i + 5000))));
  }
  expect(answers).toHaveLength(inputs.length);
  return answers.map((answer) => (answer.startsWith('fault') ? 'fault' : answer));
}

function outcome(run: () => string): string {
  try {
    return `ok ${run()}`;
  } catch (error) {
    if (error instanceof RangeError || (error as Error).name === 'DecodeError') return 'fault';
    throw error;
  }
}

/** The first that differ, short. */
const differ = (lines: readonly string[]): string[] =>
  lines
    .toSorted((a, b) => a.length - b.length)
    .slice(0, 8)
    .map((line) => line.slice(0, 300));

/** Tests the conversion of texts, their encoding, and the reading of damaged frames. */
export function testConsumer(
  consumer: Consumer,
  peer: Pick<Peer, 'ask'>,
  { texts, frames: count, seed }: { texts: readonly string[]; frames: number; seed: number },
): (inputs: readonly string[]) => Promise<void> {
  const { operation, write, read, becomes = (text) => text } = consumer;
  const show = (frame: { text: string; next: number }, length: number): string =>
    `${formatUnits(frame.text)} ${consumer.tellsNext ? frame.next : length}`;

  const alike = (line: string): string =>
    consumer.replaces ? line.replaceAll(/(fffd)+/g, 'fffd') : line;

  async function check(inputs: readonly string[]): Promise<void> {
    const wrong: string[] = [];
    const written = await ask(peer, `${operation}.write`, inputs.map(formatUnits));
    for (const [i, theirs] of written.entries()) {
      const text = inputs[i] as string;
      const ours = outcome(() => formatBytes(write(text)));
      if (ours !== theirs) wrong.push(`writes ${formatUnits(text)}: ${theirs}, we ${ours}`);
      if (theirs === 'fault') continue;
      const bytes = Buffer.from(theirs.slice(3), 'hex');
      const back = outcome(() => show(read(bytes), bytes.length));
      const expected = `ok ${formatUnits(becomes(text))} ${bytes.length}`;
      if (back !== expected) wrong.push(`wrote ${theirs}: we read ${back}`);
    }
    const frames = inputs.flatMap((text) => {
      const frame = outcome(() => formatBytes(write(text)));
      return frame === 'fault' ? [] : [[text, frame.slice(3)] as const];
    });
    for (const rest of consumer.tellsNext ? ['', '61ff00'] : ['']) {
      const answers = await ask(
        peer,
        `${operation}.read`,
        frames.map(([, frame]) => frame + rest),
      );
      for (const [i, theirs] of answers.entries()) {
        const [text, frame] = frames[i] as (typeof frames)[0];
        const expected = `ok ${formatUnits(becomes(text))} ${frame.length / 2}`;
        if (theirs !== expected) wrong.push(`reads ${frame}: ${theirs}`);
      }
    }
    expect(differ(wrong)).toEqual([]);
  }

  it(`writes and reads ${texts.length} texts as we do`, async () => {
    await check(texts);
  });

  it(`reads as we do what is damaged, ${count} frames`, async () => {
    const random = new Random(seed);
    const from = consumer.exactFrom ?? 0;
    const frames = texts.slice(-count).map((text) => {
      const frame = Buffer.from(write(text));
      for (let times = random.below(3); times >= 0 && frame.length > from; times--) {
        frame[random.between(from, frame.length - 1)] = random.below(256);
      }
      return random.below(4) === 0
        ? frame.subarray(0, random.between(Math.min(from, frame.length), frame.length))
        : frame;
    });
    const wrong: string[] = [];
    let wellFormed = 0;
    for (const [i, theirs] of (
      await ask(peer, `${operation}.read`, frames.map(formatBytes))
    ).entries()) {
      const frame = frames[i] as Uint8Array;
      const ours = outcome(() => show(read(frame), frame.length));
      if (ours !== 'fault') wellFormed++;
      if (alike(ours) !== alike(theirs) && (ours !== 'fault' || consumer.exactFrom !== undefined)) {
        wrong.push(`${formatBytes(frame)}: ${theirs}, we ${ours}`);
      }
    }
    expect(differ(wrong)).toEqual([]);
    expect(wellFormed).toBeGreaterThan(count / 50);
  });

  return check;
}
