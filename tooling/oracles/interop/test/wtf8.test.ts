/**
 * Compares WTF-8 with the packages of npm and, at night, the crate wtf8: on some of each space, and at night on all. A
 * listed disagreement is predicted, not left out.
 */
import { Wtf8Decoder, Wtf8DecoderStream, Wtf8EncoderStream } from '@cto.af/wtf8';
import { transcode } from '@utf8/core';
import * as strict from '@utf8/strict';
import * as wtf8 from '@utf8/wtf8';
import * as lite from '@utf8/wtf8/lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, isNight, scale, seed } from '../../../tiers/tier.js';
import { formatBytes, formatUnits, type Reader } from '../src/answer.js';
import { generateBytes, generateTexts } from '../src/corpus.js';
import { disagreements } from '../src/disagreements.js';
import { ProgramPeer } from '../src/peer.js';
import { rust as program } from '../src/programs.js';
import { Random } from '../src/random.js';
import { readAs } from '../src/reading.js';
import { decodeByBynens, encodeByBynens, encodeByCto, replaceByCto } from '../src/wtf8.js';

const count = scale(10_000);

let rust: ProgramPeer;

/** Returns a reader that models a package by the list of disagreements. */
function readLike(peer: string, operation: string): Reader {
  const entries = disagreements.filter(
    (entry) => entry.peers.includes(peer) && operation in entry.answers,
  );
  const rows = entries.flatMap((entry) => entry.rows ?? []);
  const byBytes = entries.some((entry) => entry.byBytes);
  return readAs(wtf8.grammar, rows, byBytes);
}

const ctoReader = readLike('cto', 'wtf8.replace');
const bynensReader = readLike('bynens', 'wtf8.decode');

/** Asks the crate about texts, and returns the unexpected answers, the shortest first. */
async function findDifferences(
  operation: string,
  texts: readonly string[],
  expect: (text: string) => string,
): Promise<string[]> {
  const lines: string[] = [];
  for (let i = 0; i < texts.length; i += 1000) {
    const block = texts.slice(i, i + 1000);
    const answers = await rust.ask(operation, block.map(formatUnits));
    for (const [j, text] of block.entries()) {
      const expected = `ok ${expect(text)}`;
      if (answers[j] !== expected) lines.push(`${formatUnits(text)}: ${answers[j]}, ${expected}`);
    }
  }
  return lines.toSorted((a, b) => a.length - b.length).slice(0, 10);
}

const encode = (text: string): string => formatBytes(wtf8.encode(text));

const toText = (units: Uint8Array): string => Buffer.from(units).swap16().toString('utf16le');

const units = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));

const highs = units(0xd800, 0xdbff);
const lows = units(0xdc00, 0xdfff);

/** All code points, one at a time, those of each block between ASCII letters. */
const codePoints = Array.from({ length: 0x110000 / 0x400 }, (_, block) =>
  Array.from({ length: 0x400 }, (_, i) => String.fromCodePoint(block * 0x400 + i)),
);

/** All pairs, those of each high surrogate in a row. */
const pairs = highs.map((high) => lows.map((low) => high + low).join(''));

/** All pairs, each with the lone surrogates that can be next to it. */
const crowdedPairs = highs.map((high) =>
  lows.map((low) => `${high}${high}${low}${low}A${low}${high}`).join('A'),
);

describe('@utf8/wtf8 writes what the packages of npm write', () => {
  it.each([
    ['@cto.af/wtf8', encodeByCto],
    ['wtf-8', encodeByBynens],
  ])('%s: code points and pairs', (_, theirs) => {
    for (const block of choose(codePoints, 200)) {
      for (const text of block) {
        if (encode(text) !== formatBytes(theirs(text))) expect.fail(formatUnits(text));
      }
    }
    for (const text of choose([...pairs, ...crowdedPairs], 400)) {
      if (encode(text) !== formatBytes(theirs(text))) expect.fail(formatUnits(text.slice(0, 9)));
    }
  });
});

describe('@utf8/wtf8 writes what the crate wtf8 writes', { tags: ['night'] }, () => {
  beforeAll(async () => {
    rust = await ProgramPeer.start(program);
  });
  afterAll(() => rust.stop());

  const texts = [...generateTexts(seed, count)].map(toText);

  it('all code points', async () => {
    const blocks = codePoints.map((block) => block.join('A'));
    expect(await findDifferences('wtf8.encode', blocks, encode)).toEqual([]);
    expect(await findDifferences('wtf8.units', blocks, formatUnits)).toEqual([]);
  });

  it('all pairs, and the lone surrogates beside them', async () => {
    for (const block of [pairs, crowdedPairs]) {
      expect(await findDifferences('wtf8.encode', block, encode)).toEqual([]);
      expect(await findDifferences('wtf8.push', block, encode)).toEqual([]);
    }
  });

  it('code units, read from what was written', async () => {
    const read = (text: string): string => formatUnits(wtf8.decode(wtf8.encode(text)));
    expect(await findDifferences('wtf8.units', texts, read)).toEqual([]);
  });

  it('as UTF-8, with U+FFFD for lone surrogates', async () => {
    const lossy = (text: string): string =>
      formatBytes(transcode(wtf8.encode(text), wtf8, strict, { errors: 'replace' }));
    expect(await findDifferences('wtf8.lossy', texts, lossy)).toEqual([]);
  });

  it('two random texts of lone surrogates, joined', async () => {
    const random = new Random(seed);
    const surrogates = (): string =>
      Array.from({ length: random.below(5) }, () =>
        random.pick(random.below(2) ? highs : lows),
      ).join('');
    const parts = Array.from({ length: 20_000 }, () => [surrogates(), surrogates()] as const);
    await checkConcat(parts);
  });

  it('two texts of 64 kinds, joined: all 4,096 pairs', async () => {
    const atoms = ['', 'A', '\ud7ff', '\u{10ffff}', '\ud800', '\udbff', '\udc00', '\udfff'];
    const kinds = atoms.flatMap((first) => atoms.map((second) => first + second));
    await checkConcat(kinds.flatMap((first) => kinds.map((second) => [first, second] as const)));
  });
});

/** Checks `concat` by the crate, and by what encoding the whole gives. */
async function checkConcat(parts: readonly (readonly [string, string])[]): Promise<void> {
  const ours = ([first, second]: readonly [string, string]): string =>
    formatBytes(wtf8.concat(wtf8.encode(first), wtf8.encode(second)));
  for (const pair of parts) {
    if (ours(pair) !== encode(pair.join(''))) expect.fail(pair.map(formatUnits).join(' '));
  }
  const questions = parts.map(
    ([first, second]) => String.fromCharCode(first.length) + first + second,
  );
  const differences = await findDifferences('wtf8.concat', questions, (question) => {
    const end = 1 + question.charCodeAt(0);
    return ours([question.slice(1, end), question.slice(end)]);
  });
  expect(differences).toEqual([]);
}

describe('@utf8/wtf8 reads what the packages of npm read', () => {
  it('@cto.af/wtf8: all inputs of 1 and 2 bytes, and some of 3', () => {
    // A line feed ends an open sequence, so many inputs fit into one call. No listed row is that short.
    const LF = 0x0a;
    const numbers = Array.from({ length: 0x10000 }, (_, i) => i);
    for (const first of [...numbers.slice(0, 0x100), ...choose(numbers.slice(0x100), 2000)]) {
      const input = new Uint8Array(256 * 4).fill(LF);
      for (let last = 0; last < 256; last++) {
        const at = last * 4;
        if (first < 0x100) input.set([first, last], at);
        else input.set([first >> 8, first & 0xff, last], at);
      }
      const ours = wtf8.decode(input, { errors: 'replace' });
      if (joinReplacements(replaceByCto([input])) !== joinReplacements(ours)) {
        expect.fail(`differs after ${first.toString(16)}`);
      }
    }
  });

  it('both: one input of every class of bytes, to length 3, and at night 4', () => {
    const classes = [
      0x00, 0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xaf, 0xb0, 0xbf, 0xc0, 0xc2, 0xe0, 0xe1, 0xed,
      0xee, 0xf0, 0xf1, 0xf4, 0xf5, 0xf8, 0xff,
    ];
    checkClasses([[]], classes, isNight ? 4 : 3);
  });

  it('both: what can be the six-byte form of a pair, and what is after it', () => {
    checkClasses([[0xed]], [0x41, 0x80, 0x9f, 0xa0, 0xb0, 0xbf, 0xed], 5);
    const pair = [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80];
    checkClasses([pair, [...pair.slice(0, 3), ...pair]], [0x41, 0x80, 0xa0, 0xb0, 0xbf, 0xed], 4);
  });

  it('@cto.af/wtf8 drops a U+FEFF after ASCII too, not only at the start', () => {
    // WHATWG Encoding, "decode": the mark is what the input begins with.
    const bytes = Uint8Array.of(0x41, 0xef, 0xbb, 0xbf, 0x42);
    expect(new Wtf8Decoder().decode(bytes)).toBe('AB');
    expect(new wtf8.TextDecoder().decode(bytes)).toBe('A\ufeffB');
    expect(new Wtf8Decoder().decode(bytes.subarray(1))).toBe('B');
    expect(new wtf8.TextDecoder().decode(bytes.subarray(1))).toBe('B');
  });

  it('wtf-8: code points and pairs', () => {
    const texts = [...codePoints.map((block) => block.join('A')), ...pairs, ...crowdedPairs];
    for (const text of choose(texts, 600)) {
      const bytes = wtf8.encode(text);
      if (decodeByBynens(bytes) !== text || wtf8.decode(bytes) !== text) {
        expect.fail(formatUnits(text.slice(0, 9)));
      }
    }
  });

  it.each([
    ['@utf8/wtf8', wtf8],
    ['@utf8/wtf8/lite', lite],
  ])('@cto.af/wtf8: at every split, %s', (_, codec) => {
    for (const bytes of generateBytes(seed, count / 10)) {
      const ours = codec.decode(bytes, { errors: 'replace' });
      const theirs = ctoReader.decode(bytes);
      for (let at = 0; at <= bytes.length; at++) {
        const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
        const decoder = new codec.Decoder({ errors: 'replace' });
        const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
        if (text + decoder.decode() !== ours || replaceByCto(chunks) !== theirs) {
          expect.fail(`split at ${at}: ${formatBytes(bytes)}`);
        }
      }
    }
  });

  it('@cto.af/wtf8: streams of any chunks', async () => {
    const random = new Random(seed);
    const texts = [...generateTexts(seed, 500)].map(toText);
    for (const text of texts) {
      const chunks = cutAnywhere(random, text);
      const [ours, theirs] = await Promise.all([
        collect(chunks, new wtf8.EncoderStream()),
        collect(chunks, new Wtf8EncoderStream()),
      ]);
      const written = Buffer.concat(ours as Uint8Array[]);
      expect(formatBytes(written)).toBe(formatBytes(Buffer.concat(theirs as Uint8Array[])));
      expect(formatBytes(written)).toBe(encode(text));
      const bytes = Array.from(written, (byte) => Uint8Array.of(byte));
      const [read, readByThem] = await Promise.all([
        collect(bytes, new wtf8.DecoderStream()),
        collect(bytes, new Wtf8DecoderStream('wtf-8', { fatal: true, ignoreBOM: true })),
      ]);
      expect([read.join(''), readByThem.join('')]).toEqual([text, text]);
    }
  });
});

/** Makes one U+FFFD of those in a row: how many there are of one fault is listed. */
const joinReplacements = (text: string): string => text.replace(/\ufffd+/g, '\ufffd');

/** Checks some beginnings followed by all strings over some bytes, up to a length. */
function checkClasses(
  beginnings: readonly number[][],
  bytes: readonly number[],
  length: number,
): void {
  const { stackTraceLimit } = Error;
  // Most inputs are refused, and traces of the stack take most of the time.
  Error.stackTraceLimit = 0;
  try {
    let strings = beginnings;
    for (let i = 0; i < length; i++) {
      strings = strings.flatMap((string) => bytes.map((byte) => [...string, byte]));
      for (const string of strings) checkReading(Uint8Array.from(string));
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Checks the reading of both packages: as listed, and like ours for input that we accept. */
function checkReading(bytes: Uint8Array): void {
  const text = wtf8.findFault(bytes) ? undefined : wtf8.decode(bytes);
  const byCto = replaceByCto([bytes]);
  const byBynens = attempt(() => decodeByBynens(bytes));
  const isAsListed =
    byCto === ctoReader.decode(bytes) &&
    byBynens === (bynensReader.findFault(bytes) ? undefined : bynensReader.decode(bytes)) &&
    (text === undefined || (text === byCto && text === byBynens));
  if (!isAsListed) expect.fail(formatBytes(bytes));
}

function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Cuts a text into one to four chunks, between any code units. */
function cutAnywhere(random: Random, text: string): string[] {
  const cuts = Array.from({ length: random.below(4) }, () => random.below(text.length + 1));
  const ends = [...cuts.toSorted((a, b) => a - b), text.length];
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

async function collect(
  chunks: readonly unknown[],
  pair: { readonly readable: ReadableStream<unknown>; readonly writable: WritableStream<never> },
): Promise<unknown[]> {
  const source = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as never);
      controller.close();
    },
  });
  const results: unknown[] = [];
  for await (const chunk of source.pipeThrough(pair as never) as ReadableStream<unknown>) {
    results.push(chunk);
  }
  return results;
}
