/**
 * The suite that every codec inherits: `testCodec('CESU-8', cesu8)`. It asks the oracle what the grammar says, and the
 * codec, by every name that it has, whether it does that.
 */
import {
  type Codec,
  DecodeError,
  EncodeError,
  type ErrorPolicy,
  type Fault,
  type Grammar,
  pairSurrogates,
  Transcoder,
  transcode,
} from '@utf8/core';
import { encodeByRows } from '@utf8/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choose, isNight, scale, seed } from '../../tiers/tier.js';
import {
  classBytes,
  combinations,
  corruptions,
  edgeCodePoints,
  hasSurrogates,
  sampleText,
} from './cases.js';
import { isText, Oracle } from './oracle.js';

const LF = 0x0a;
/** Long enough to reach past every block that a kernel works in, on either side. */
const PADDINGS = Array.from({ length: 34 }, (_, i) => i);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export interface SuiteOptions {
  /** Tries fewer inputs before the night, where another codec of the same grammar tries all of them. */
  readonly isSampled?: boolean;
}

/**
 * Registers the suite for a codec.
 *
 * @param title - The heading of the tests: the codec, and its kernel.
 * @param codec - The codec to test.
 * @param options - Its special properties.
 */
export function testCodec(
  title: string,
  codec: Codec,
  { isSampled = false }: SuiteOptions = {},
): void {
  const { grammar } = codec;
  const oracle = new Oracle(grammar);
  const hasAcceptOnlyRows = grammar.rows.some((row) => !row.writes);
  const keepsSurrogates = hasSurrogates(grammar);
  const containsAll = grammar.domain !== 'bmp';
  // With surrogates the pairs have edges too.
  const paired = pairSurrogates(grammar);
  // Two surrogates may be another form of what four bytes spell.
  const hasOtherForms = [grammar, paired].some(({ rows }) => rows.some((row) => !row.writes));
  const corrupted = [...corruptions(grammar), ...(paired === grammar ? [] : corruptions(paired))];
  const malformed = choose(corrupted, isSampled ? 200 : 2000);
  const streamed = choose(malformed, isSampled ? 100 : 600);
  const sample = Uint8Array.from(
    Array.from(sampleText(grammar), (character) =>
      encodeCodePoint(codec, character.codePointAt(0) as number),
    ).flat(),
  );

  const checkLaws = (numRuns: number): void => {
    const options = { numRuns, seed };
    const classes = classBytes(grammar);
    const bytes = fc
      .array(fc.oneof(fc.constantFrom(...classes), fc.integer({ min: 0, max: 255 })), {
        maxLength: 64,
      })
      .map((list) => Uint8Array.from(list));
    fc.assert(
      fc.property(bytes, (input) => {
        checkReading(codec, oracle, input);
        if (hasAcceptOnlyRows) return;
        const escaped = codec.decode(input, { errors: 'surrogateescape' });
        expect(hex(codec.encode(escaped, { errors: 'surrogateescape' }))).toBe(hex(input));
      }),
      options,
    );
    const text = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });
    fc.assert(
      fc.property(text, fc.nat(20), (units, room) => {
        const expected = keepsSurrogates ? units : substituteLost(units, containsAll);
        const encoded = codec.encode(units, { errors: 'replace' });
        expect(codec.decode(encoded)).toBe(expected);
        expect(codec.byteLength(units, { errors: 'replace' })).toBe(encoded.length);
        expect(encoded.buffer.byteLength).toBe(encoded.length);
        checkEncodeInto(codec, units, room);
        checkLost(codec, units, expected);
      }),
      options,
    );
  };

  describe(title, () => {
    it.each([0, 1, 2, 3, 4])(
      'reads inputs of every class of bytes, of length %i, alike by every name',
      (length) => {
        const inputs = [...combinations(classBytes(grammar), length)];
        for (const bytes of choose(inputs, isSampled ? 100 : length < 4 ? 2000 : 500)) {
          checkReading(codec, oracle, Uint8Array.from(bytes));
        }
      },
    );

    it('reads longer inputs of every class of bytes, behind each lead of a long sequence', {
      tags: ['night'],
    }, () => {
      const classes = classBytes(grammar);
      const lengths = grammar.rows.map(({ units }) => units.flat().length);
      const length = Math.max(...lengths) + (grammar.rows.some((row) => row.units[1]) ? 1 : 0);
      if (length <= 4) return;
      const leads = new Set(
        grammar.rows.flatMap(({ units }, i) =>
          (lengths[i] as number) > 4 ? [units[0]?.[0]?.first as number] : [],
        ),
      );
      for (const lead of leads) {
        const lines: number[] = [];
        const checkLines = (): void => {
          const input = Uint8Array.from(lines.splice(0));
          if (codec.decode(input, { errors: 'replace' }) !== oracle.replace(input)) {
            expect.fail(`wrong text for a line of ${hex(input).slice(0, 99)}…`);
          }
        };
        for (const rest of combinations(classes, length - 1)) {
          lines.push(lead, ...rest, LF);
          if (lines.length >= 1 << 16) checkLines();
        }
        checkLines();
      }
    });

    it('decodes and encodes code points as row arithmetic does', () => {
      // The oracle's answers, all in one text and one byte string, so that both directions stream.
      const blocks = [...codePointBlocks(grammar)];
      for (const block of choose(blocks, isSampled ? 8 : 50)) {
        const bytes = block.flatMap((codePoint) => encodeByRows(grammar, codePoint) as number[]);
        const input = Uint8Array.from(bytes);
        expect(codec.isValid(input)).toBe(true);
        expectSame(Array.from(codec.decodeCodePoints(input)), block, `from ${block[0]} on`);
        expect(hex(codec.encodeCodePoints(block))).toBe(hex(input));
        if (!isText(grammar.domain, block.at(-1))) continue;
        const text = block.map((codePoint) => String.fromCodePoint(codePoint)).join('');
        expect(codec.decode(input) === text).toBe(true);
        expect(hex(codec.encode(text))).toBe(hex(input));
        expect(codec.byteLength(text)).toBe(input.length);
      }
    });

    it('reads each edge sequence, each truncation and each corruption alike by every name', () => {
      for (const bytes of malformed) checkReading(codec, oracle, bytes);
    });

    it('finds the same behind 0 to 33 bytes of ASCII, and before them', () => {
      malformed.forEach((bytes, i) => {
        const before = new Uint8Array(bytes.length + 33).fill(0x41);
        before.set(bytes);
        const { text: expected, faults } = oracle.readAll(before);
        const first = faults[0]?.offset;
        // By day, each input has a few, and every one its inputs.
        const paddings = isNight
          ? PADDINGS
          : PADDINGS.filter((padding) => (padding + i) % 11 === 0);
        for (const padding of paddings) {
          const input = new Uint8Array(padding + before.length).fill(0x41);
          input.set(before, padding);
          if (codec.decode(input, { errors: 'replace' }) !== 'A'.repeat(padding) + expected) {
            expect.fail(`differs behind ${padding} bytes: ${hex(bytes)}`);
          }
          const found = codec.findFault(input)?.offset;
          if (found !== (first === undefined ? undefined : padding + first)) {
            expect.fail(`finds ${found} behind ${padding} bytes: ${hex(bytes)}`);
          }
        }
      });
    });

    it('decodes a text of every kind at every size and every offset in memory', () => {
      const fail = (name: string, from: number, to: number): void =>
        expect.fail(`${name} of bytes ${from} to ${to}`);
      const twice = new Uint8Array(sample.length * 4);
      for (let i = 0; i < 4; i++) twice.set(sample, i * sample.length);
      for (let from = 0; from < 40; from += isSampled ? 13 : 1) {
        for (let to = from; to < twice.length; to += 1 + (to >> 6)) {
          const view = new Uint8Array(twice.buffer, from, to - from);
          const { text, faults } = oracle.readAll(view);
          if (codec.decode(view, { errors: 'replace' }) !== text) fail('decode', from, to);
          if (codec.isValid(view) !== (faults.length === 0)) fail('isValid', from, to);
        }
      }
    });

    it('gives the one-shot result for every split and for single bytes', () => {
      for (const bytes of [...streamed, sample]) {
        const expected = oracle.replace(bytes);
        for (let at = 0; at <= bytes.length; at++) {
          const decoder = new codec.Decoder({ errors: 'replace' });
          const head = decoder.decode(bytes.subarray(0, at), { stream: true });
          if (head + decoder.decode(bytes.subarray(at)) !== expected) {
            expect.fail(`split at ${at}: ${hex(bytes)}`);
          }
        }
        const decoder = new codec.Decoder({ errors: 'replace' });
        let text = '';
        for (const byte of bytes) text += decoder.decode(Uint8Array.of(byte), { stream: true });
        expect(text + decoder.decode()).toBe(expected);
      }
    });

    it('names faults of a stream by their offset in the stream', () => {
      for (const bytes of streamed) {
        const expected = oracle.faults(bytes);
        for (let at = 0; at <= bytes.length; at++) {
          const faults: Fault[] = [];
          const errors: ErrorPolicy = (fault) => {
            if (fault.reason !== 'unrepresentable') faults.push(fault);
            return '';
          };
          const decoder = new codec.Decoder({ errors });
          decoder.decode(bytes.subarray(0, at), { stream: true });
          decoder.decode(bytes.subarray(at));
          expectSame(faults, expected, `split at ${at}: ${hex(bytes)}`);
        }
      }
    });

    it('transcodes to itself, and at every split, without a change', () => {
      for (const bytes of streamed) {
        const whole = transcode(bytes, codec, codec, { errors: 'replace' });
        const expected = hex(whole);
        expect(codec.isValid(whole)).toBe(true);
        if (!hasOtherForms && oracle.faults(bytes).length === 0) {
          expect(expected).toBe(hex(bytes));
        }
        for (let at = 0; at <= bytes.length; at++) {
          const transcoder = new Transcoder(codec, codec, { errors: 'replace' });
          const parts = [
            transcoder.push(bytes.subarray(0, at)),
            transcoder.push(bytes.subarray(at)),
            transcoder.flush(),
          ];
          if (parts.map(hex).join('') !== expected) {
            expect.fail(`split at ${at}: ${hex(bytes)}`);
          }
        }
      }
    });

    it('round-trips every byte string under surrogateescape', () => {
      if (hasAcceptOnlyRows) return;
      for (const bytes of streamed) {
        const text = codec.decode(bytes, { errors: 'surrogateescape' });
        expect(hex(codec.encode(text, { errors: 'surrogateescape' }))).toBe(hex(bytes));
      }
    });

    it('holds its laws on random bytes and texts', () => checkLaws(scale(isSampled ? 500 : 3000)));
  });
}

/** Works like `toEqual`, but is fast for equal values: the suite compares millions of small results. */
function expectSame(actual: unknown, expected: unknown, message: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    expect(actual, message).toEqual(expected);
    expect.fail(`${message}: the order of keys differs`);
  }
}

/** Every function that reads, against the oracle, on one input. */
function checkReading(codec: Codec, oracle: Oracle, bytes: Uint8Array): void {
  const message = hex(bytes);
  const { characters, faults, text } = oracle.readAll(bytes);
  const copy = bytes.slice();
  const fail = (what: string): void => expect.fail(`${what}: ${message}`);

  if (codec.decode(bytes, { errors: 'replace' }) !== text) fail('decode');
  if (codec.decodedLength(bytes, { errors: 'replace' }) !== text.length) fail('decodedLength');
  if (codec.isValid(bytes) !== (faults.length === 0)) fail('isValid');
  expectSame([...codec.faults(bytes)], faults, message);
  expectSame(codec.findFault(bytes), faults[0], message);
  if (codec.countCodePoints(bytes) !== characters.length) fail('countCodePoints');
  const codePoints = characters.map(({ codePoint }) => codePoint ?? 0xfffd);
  expectSame(Array.from(codec.decodeCodePoints(bytes, { errors: 'replace' })), codePoints, message);
  const first = characters.find(({ codePoint }) => !isText(codec.grammar.domain, codePoint));
  if (first) {
    const error = catchError(() => codec.decode(bytes));
    if (!(error instanceof DecodeError)) throw new Error(`decode threw no DecodeError: ${message}`);
    const { offset, length, reason, incomplete, encoding } = error;
    const expected =
      first.codePoint === undefined
        ? faults[0]
        : {
            offset: first.offset,
            length: first.length,
            reason: 'unrepresentable',
            incomplete: false,
          };
    expectSame({ offset, length, reason, incomplete }, expected, message);
    if (encoding !== codec.name) fail('encoding');
  }
  const boundaries = new Set([...characters.map(({ offset }) => offset), bytes.length]);
  for (let index = 0; index <= bytes.length; index++) {
    let [floor, ceil] = [index, index];
    while (!boundaries.has(floor)) floor--;
    while (!boundaries.has(ceil)) ceil++;
    if (codec.floorBoundary(bytes, index) !== floor) fail(`floorBoundary at ${index}`);
    if (codec.ceilBoundary(bytes, index) !== ceil) fail(`ceilBoundary at ${index}`);
    if (codec.truncate(bytes, index).length !== floor) fail(`truncate to ${index}`);
  }
  if (codec.compare(bytes, copy) !== 0) fail('compare');
  const shorter = codePoints.slice(0, -1);
  const end = characters.at(-1)?.offset ?? 0;
  if (oracle.readCharacters(bytes.slice(0, end)).length === shorter.length && end < bytes.length) {
    if (codec.compare(bytes.subarray(0, end), bytes) !== -1) fail('compare with less');
    if (codec.compare(bytes, bytes.subarray(0, end)) !== 1) fail('compare with more');
  }
  if (hex(bytes) !== message) fail('the input was written to');
}

function catchError(action: () => unknown): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

function checkEncodeInto(codec: Codec, text: string, room: number): void {
  const target = new Uint8Array(room + 2).fill(0xaa);
  const { read, written } = codec.encodeInto(text, target.subarray(0, room), { errors: 'replace' });
  const whole = codec.encode(text, { errors: 'replace' });
  expect(hex(target.subarray(0, written))).toBe(hex(whole.subarray(0, written)));
  expect(Array.from(target.subarray(room))).toEqual([0xaa, 0xaa]);
  const head = codec.encode(text.slice(0, read), { errors: 'replace' });
  expect(head.length).toBe(written);
  // The next character must not have fitted.
  const next = String.fromCodePoint(text.codePointAt(read) ?? 0);
  if (read < text.length) {
    expect(codec.encode(next, { errors: 'replace' }).length).toBeGreaterThan(room - written);
  }
}

/** A text with U+FFFD for each character that an encoding without surrogates, or to U+FFFF, loses. */
const substituteLost = (text: string, containsAll: boolean): string =>
  containsAll ? text.toWellFormed() : text.toWellFormed().replace(/[^\0-\uffff]/gu, '\ufffd');

/** The first character that is lost is the one that an error names. */
function checkLost(codec: Codec, text: string, expected: string): void {
  if (text === expected) {
    expect(codec.decode(codec.encode(text))).toBe(text);
    return;
  }
  const characters = Array.from(text);
  const kept = Array.from(expected);
  const lost = characters.findIndex((character, i) => character !== kept[i]);
  const offset = characters.slice(0, lost).join('').length;
  const error = catchError(() => codec.encode(text));
  expect(error).toBeInstanceOf(EncodeError);
  expect((error as EncodeError).offset).toBe(offset);
  expect((error as EncodeError).codePoint).toBe(text.codePointAt(offset));
}

/** Numbers of a domain in blocks: all below U+110000, and above it those at the edges of rows. */
function* codePointBlocks(grammar: Grammar): Generator<number[]> {
  const { domain } = grammar;
  const last = domain === 'code units' || domain === 'bmp' ? 0xffff : 0x10ffff;
  const keepsSurrogates = hasSurrogates(grammar);
  // Blocks end where low surrogates begin, which would else pair with the high one before them.
  for (let start = 0; start <= last; start += 0x400) {
    const block = Array.from({ length: 0x400 }, (_, i) => start + i);
    const held = block.filter((c) => keepsSurrogates || c < 0xd800 || c > 0xdfff);
    if (held.length > 0) yield held;
  }
  // Numbers, not text: any two may follow each other.
  if (domain === '31 bits') yield Array.from({ length: 0x800 }, (_, i) => 0xd800 + i);
  if (domain !== 'ucs-4' && domain !== '31 bits') return;
  yield edgeCodePoints(grammar).filter((c) => c > 0x10ffff && c <= 0x7fffffff);
}

function encodeCodePoint(codec: Codec, codePoint: number): number[] {
  const units = String.fromCodePoint(codePoint).split('');
  return codec.grammar.domain === 'code units'
    ? units.flatMap((unit) => encodeByRows(codec.grammar, unit.charCodeAt(0)) as number[])
    : (encodeByRows(codec.grammar, codePoint) as number[]);
}
