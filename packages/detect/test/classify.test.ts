/** Compares classify with the rows of all grammars. */
import type { Fault, Grammar } from '@utf8/core';
import { decodeByRows } from '@utf8/core/internal';
import { describe, expect, it } from 'vitest';
import { choose, scale, tier } from '../../../tooling/tiers/tier.js';
import {
  CLASS_COUNT,
  classify,
  classKind,
  classLength,
  classOf,
  readCodePoint,
  sequenceKinds,
} from '../src/classify.js';
import { codecFor, labels } from '../src/index.js';

type Kind = (typeof sequenceKinds)[number];
type Classifier = typeof classify;
type Bytes = readonly number[];

const format = (bytes: Iterable<number>): string => Buffer.from([...bytes]).toString('hex');

const codecs = labels.map((label) => codecFor(label));

/** Creates a reader by the rows of a grammar, indexed by lead for speed. */
function reader(label: string): (bytes: Bytes) => ReturnType<typeof decodeByRows> {
  const { domain, rows } = codecFor(label).grammar;
  const byLead = Array.from({ length: 256 }, (_, lead): Grammar => {
    const begins = rows.filter(({ units }) => {
      const [range] = units.flat();
      return range !== undefined && range.first <= lead && lead <= range.last;
    });
    return { domain, rows: begins, refused: [] };
  });
  return (bytes) => decodeByRows(byLead[bytes[0] as number] as Grammar, bytes, 0);
}

const strict = reader('utf-8');
const cesu8 = reader('cesu-8');
const lenient = reader('cesu-8-lenient');
const mutf8 = reader('mutf-8');
const dataInput = reader('mutf-8-lenient');
const rfc2279 = reader('rfc2279');

interface Implied {
  readonly kind: Kind;
  readonly length: number;
  readonly codePoint?: number | undefined;
}

const kindByLength: readonly Kind[] = ['twoByte', 'threeByte', 'fourByte', 'fiveByte', 'sixByte'];

/** Derives the class of the first sequence from the grammars. */
function imply(bytes: Bytes): Implied {
  const scalar = strict(bytes);
  if (scalar) {
    const { codePoint, length } = scalar;
    if (length > 1) return { kind: kindByLength[length - 2] as Kind, length, codePoint };
    return { kind: codePoint === 0 ? 'nul' : 'ascii', length, codePoint };
  }
  const pair = cesu8(bytes);
  if (pair) return { kind: 'pair', ...pair };
  const surrogate = lenient(bytes);
  if (surrogate) {
    const isHigh = surrogate.codePoint < 0xdc00;
    return { kind: isHigh ? 'highSurrogate' : 'lowSurrogate', ...surrogate };
  }
  const nul = mutf8(bytes);
  if (nul) return { kind: 'modifiedNul', ...nul };
  const overlong = dataInput(bytes);
  if (overlong) return { kind: 'overlong', ...overlong };
  const large = rfc2279(bytes);
  if (large) {
    const kind = large.length === 4 ? 'beyondUnicode' : (kindByLength[large.length - 2] as Kind);
    return { kind, ...large };
  }
  return implyFault(bytes);
}

/** Derives the class of malformed bytes. With BF as its second byte, an overlong sequence is well-formed. */
function implyFault(bytes: Bytes): Implied {
  const [lead = 0, second = 0] = bytes;
  const { reason } = findFault('rfc2279', bytes);
  if (reason === 'unexpected-continuation') return { kind: 'unexpectedContinuation', length: 1 };
  if (reason === 'invalid-lead') return { kind: 'invalidLead', length: 1 };
  const faults = ['rfc2279', 'cesu-8-lenient', 'mutf-8-lenient'].map((label) =>
    findFault(label, bytes),
  );
  if (reason === 'overlong' && second >= 0x80 && second <= 0xbf) {
    const patched = [lead, 0xbf, ...bytes.slice(2)];
    const whole = rfc2279(patched);
    if (whole) {
      const codePoint = whole.codePoint - (0xbf - second) * 64 ** (whole.length - 2);
      return { kind: 'overlong', length: whole.length, codePoint };
    }
    faults.push(findFault('rfc2279', patched));
  }
  const cut = faults.filter((fault) => fault.reason === 'truncated');
  return { kind: 'truncated', length: Math.max(...cut.map(({ length }) => length)) };
}

function findFault(label: string, bytes: Bytes): Fault {
  const fault = codecFor(label).findFault(Uint8Array.from(bytes));
  if (fault?.offset !== 0) throw new Error(`${label} finds no fault at the start`);
  return fault;
}

/** The first byte of each range of any row, and the byte after it. */
const edges = [
  ...new Set(
    codecs.flatMap(({ grammar }) =>
      [...grammar.rows, ...grammar.refused].flatMap(({ units }) =>
        units.flat().flatMap(({ first, last }) => [first, last + 1]),
      ),
    ),
  ),
]
  .filter((byte) => byte < 0x100)
  .sort((a, b) => a - b);

/** The first and the last byte of each range between edges: rows treat the bytes of a range alike. */
const representatives = [edges, [...edges.slice(1), 0x100].map((byte) => byte - 1)];

/** The rows of all grammars by lead, including `!` rows, without their `+`. */
const rows = Array.from({ length: 256 }, (_, lead) =>
  codecs
    .flatMap(({ grammar }) => [...grammar.rows, ...grammar.refused])
    .map(({ units }) => units.flat())
    .filter(([range]) => range !== undefined && range.first <= lead && lead <= range.last),
);

/** Tells whether bytes are a proper prefix of a sequence of some grammar, or of an overlong one. */
function isOpen([lead = 0, second, ...others]: Bytes): boolean {
  const begins = (bytes: Bytes): boolean =>
    (rows[lead] as (typeof rows)[number]).some(
      (ranges) =>
        ranges.length > bytes.length &&
        bytes.every((byte, i) => {
          const { first = 0, last = 0 } = ranges[i] ?? {};
          return first <= byte && byte <= last;
        }),
    );
  if (second === undefined) return begins([lead]);
  const isTrail = second >= 0x80 && second <= 0xbf;
  return begins([lead, second, ...others]) || (isTrail && begins([lead, 0xbf, ...others]));
}

const buffer = new Uint8Array(8);

/** Compares a classifier with an expected class; describes the difference. */
function compare(classifier: Classifier, bytes: Bytes, implied: Implied): string | undefined {
  // Bytes after the end must not matter; BF would continue a sequence.
  buffer.fill(0xbf);
  buffer.set(bytes);
  const code = classifier(buffer, 0, bytes.length);
  const kind = sequenceKinds[classKind(code)];
  const length = classLength(code);
  const codePoint =
    implied.codePoint === undefined ? undefined : readCodePoint(buffer, 0, implied.length);
  if (kind === implied.kind && length === implied.length && codePoint === implied.codePoint) return;
  const { kind: wanted, length: wantedLength } = implied;
  return `${format(bytes)}: ${kind} of ${length} U+${codePoint?.toString(16)}, not ${wanted} of ${wantedLength}`;
}

/** Bytes, and the class that the grammars imply. */
interface Case {
  readonly bytes: Bytes;
  readonly implied: Implied;
  readonly isOpen: boolean;
}

function* walk(chosen: Bytes, prefix: Bytes = []): Generator<Case> {
  // By day, a quarter of the last bytes of five and six, where all grammars have the same trails.
  const isLong = tier === 'test' && prefix.length > 2 && (prefix[0] as number) >= 0xf8;
  for (const byte of isLong ? chosen.filter((_, i) => i % 4 === 1) : chosen) {
    const bytes = [...prefix, byte];
    const node = { bytes, implied: imply(bytes), isOpen: isOpen(bytes) };
    yield node;
    if (node.isOpen) yield* walk(chosen, bytes);
  }
}

const trees = representatives.map((chosen) => ({
  chosen,
  cases: [...walk(chosen)],
}));

/** Finds the first difference between a classifier and the grammars. */
function findDifference(classifier: Classifier): string | undefined {
  for (const { chosen, cases } of trees) {
    for (const { bytes, implied, isOpen } of cases) {
      const difference = compare(classifier, bytes, implied);
      if (difference) return difference;
      if (isOpen) continue;
      // Later bytes must not change the class of a complete sequence.
      for (const next of chosen) {
        const followed = compare(classifier, [...bytes, next], implied);
        if (followed) return followed;
      }
    }
  }
  return undefined;
}

describe('classify agrees with the grammars', () => {
  it('classify agrees on all inputs of one and two bytes', () => {
    for (let i = 0; i < 256; i++) {
      expect(compare(classify, [i], imply([i]))).toBeUndefined();
      for (let j = 0; j < 256; j++) {
        const difference = compare(classify, [i, j], imply([i, j]));
        if (difference) expect.fail(difference);
      }
    }
  });

  it('classify agrees on inputs of three bytes', () => {
    const starts = Array.from({ length: 0x10000 }, (_, i) => [i >> 8, i & 0xff]);
    for (const start of choose(starts, scale(10_000))) {
      const settled = isOpen(start) ? undefined : imply(start);
      for (let k = 0; k < 256; k++) {
        const bytes = [...start, k];
        const difference = compare(classify, bytes, settled ?? imply(bytes));
        if (difference) expect.fail(difference);
      }
    }
  });

  it('classify agrees on the edges of all byte ranges, in sequences of any length', () => {
    expect(findDifference(classify)).toBeUndefined();
  });

  it('classify agrees on all sequences of six edges', { tags: ['slow'] }, () => {
    for (const { chosen, cases } of choose(trees, 1)) {
      for (const { bytes, isOpen } of cases) {
        if (isOpen || bytes.length > 5) continue;
        const difference = complete(bytes, chosen);
        if (difference) expect.fail(difference);
      }
    }
  });

  it('a classifier with one wrong class disagrees with the grammars', () => {
    const codes = new Set(
      trees.flatMap(({ cases }) =>
        cases.map(({ bytes }) => classify(Uint8Array.from(bytes), 0, bytes.length)),
      ),
    );
    expect(new Set(Array.from(codes, (code) => sequenceKinds[classKind(code)]))).toEqual(
      new Set(sequenceKinds),
    );
    for (const wrong of choose([...codes], scale(100))) {
      for (const shift of [classOf('nul', 0), 1]) {
        const mutant: Classifier = (bytes, index, end) => {
          const code = classify(bytes, index, end);
          return code === wrong ? (code + shift) % CLASS_COUNT : code;
        };
        expect(findDifference(mutant), sequenceKinds[classKind(wrong)]).toBeDefined();
      }
    }
  });
});

/** Classifies all sequences of six bytes with a complete start; describes the first whose class differs. */
function complete(start: Bytes, chosen: Bytes): string | undefined {
  const code = classify(Uint8Array.from(start), 0, start.length);
  const bytes = new Uint8Array(6);
  bytes.set(start);
  const digits = new Array<number>(6 - start.length).fill(0);
  for (;;) {
    digits.forEach((digit, i) => {
      bytes[start.length + i] = chosen[digit] as number;
    });
    if (classify(bytes, 0, 6) !== code) return format(bytes);
    let i = 0;
    for (; i < digits.length; i++) {
      const next = (digits[i] as number) + 1;
      digits[i] = next === chosen.length ? 0 : next;
      if (next < chosen.length) break;
    }
    if (i === digits.length) return undefined;
  }
}

it('a variant accepts all sequences of a class, or refuses all for one reason', () => {
  const answers = new Map<number, string>();
  for (const { bytes, implied } of trees.flatMap(({ cases }) => cases)) {
    // The reason of a truncated sequence depends on its bytes.
    if (implied.kind === 'truncated') continue;
    const sequence = Uint8Array.from(bytes.slice(0, implied.length));
    const answer = codecs.map(({ findFault }) => findFault(sequence)?.reason ?? 'none').join(' ');
    const code = classify(sequence, 0, sequence.length);
    if (answer !== (answers.get(code) ?? answer)) expect.fail(format(sequence));
    answers.set(code, answer);
  }
});

it('a sequence of a `!` row has one class, and is one fault', () => {
  const refusing = codecs.filter(({ grammar }) => grammar.refused.length > 0);
  expect(refusing.map(({ name }) => name)).toContain('WTF-8');
  for (const { name, grammar, findFault } of refusing) {
    for (const { units } of grammar.refused) {
      for (const edge of ['first', 'last'] as const) {
        const bytes = Uint8Array.from(units.flat(), (range) => range[edge]);
        const code = classify(bytes, 0, bytes.length);
        expect(classLength(code), name).toBe(bytes.length);
        const { length } = bytes;
        expect(findFault(bytes), name).toMatchObject({ offset: 0, length, reason: 'wrong-form' });
      }
    }
  }
});
