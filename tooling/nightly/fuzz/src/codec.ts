/** Invariants of a codec for any input: the oracle's answers, under every name. */

import { type Codec, DecodeError, EncodeError, type ErrorPolicy, type Fault } from '@utf8/core';
import { isText, Oracle } from '../../../conformance/src/oracle.js';
import { require, requireEqual, requireSame } from './target.js';

const oracles = new WeakMap<object, Oracle>();

export function oracleOf({ grammar }: Pick<Codec, 'grammar'>): Oracle {
  let oracle = oracles.get(grammar);
  if (!oracle) {
    oracle = new Oracle(grammar);
    oracles.set(grammar, oracle);
  }
  return oracle;
}

/** Policies whose result the oracle's pieces say, except for surrogates under surrogateescape. */
const writers: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  replace: () => '\ufffd',
  ignore: () => '',
  backslashreplace: (bytes) =>
    Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
};

export const policies: readonly ErrorPolicy[] = [
  'strict',
  ...(Object.keys(writers) as ErrorPolicy[]),
  'surrogateescape',
  ({ reason, length }: Fault) => `<${reason} ${length}>`,
];

/** Returns the result of a function, or its error if that is of a class. */
export function attempt<T, E extends Error>(
  action: () => T,
  expected: abstract new (...args: never[]) => E,
): T | E {
  try {
    return action();
  } catch (error) {
    if (error instanceof expected) return error;
    throw error;
  }
}

const same = (found: unknown, expected: unknown, what: string): void =>
  requireEqual(JSON.stringify(found), JSON.stringify(expected), what);

/** Compares everything that reads with the oracle. */
export function checkReading(codec: Codec, bytes: Uint8Array, index: number): void {
  const oracle = oracleOf(codec);
  const before = Buffer.from(bytes).toString('latin1');
  const faults = oracle.faults(bytes);
  requireEqual(codec.isValid(bytes), faults.length === 0, 'isValid');
  same([...codec.faults(bytes)], faults, 'faults');
  same(codec.findFault(bytes), faults[0], 'findFault');
  let end = 0;
  for (const { offset, length } of faults) {
    require(offset >= end && length > 0, 'faults overlap');
    end = offset + length;
  }
  require(end <= bytes.length, 'a fault beyond the end');
  for (const [policy, write] of Object.entries(writers)) {
    let expected = '';
    for (const { offset, length, codePoint } of oracle.read(bytes)) {
      expected += isText(codec.grammar.domain, codePoint)
        ? String.fromCodePoint(codePoint)
        : write(bytes.subarray(offset, offset + length));
    }
    const errors = policy as ErrorPolicy;
    requireEqual(codec.decode(bytes, { errors }), expected, `decode, ${policy}`);
    requireEqual(codec.decodedLength(bytes, { errors }), expected.length, 'decodedLength');
  }
  const characters = oracle.readCharacters(bytes);
  requireEqual(codec.countCodePoints(bytes), characters.length, 'countCodePoints');
  same(
    Array.from(codec.decodeCodePoints(bytes, { errors: 'replace' })),
    characters.map(({ codePoint }) => codePoint ?? 0xfffd),
    'decodeCodePoints',
  );
  checkStrict(codec, bytes, faults);
  const boundaries = [...characters.map(({ offset }) => offset), bytes.length];
  const floor = boundaries.findLast((each) => each <= index) ?? 0;
  requireEqual(codec.floorBoundary(bytes, index), floor, 'floorBoundary');
  const ceil = boundaries.find((each) => each >= index);
  requireEqual(codec.ceilBoundary(bytes, index), ceil, 'ceilBoundary');
  requireEqual(codec.truncate(bytes, index).length, floor, 'truncate');
  if (codec.grammar.rows.every((row) => row.writes)) {
    const escaped = codec.decode(bytes, { errors: 'surrogateescape' });
    const back = codec.encode(escaped, { errors: 'surrogateescape' });
    requireSame(back, bytes, 'surrogateescape');
  }
  requireEqual(Buffer.from(bytes).toString('latin1'), before, 'the input was written to');
}

function checkStrict(codec: Codec, bytes: Uint8Array, faults: readonly Fault[]): void {
  const pieces = oracleOf(codec).read(bytes);
  const first = pieces.find(({ codePoint }) => !isText(codec.grammar.domain, codePoint));
  const text = attempt(() => codec.decode(bytes), DecodeError);
  if (!first) {
    requireEqual(text, codec.decode(bytes, { errors: 'replace' }), 'decode, strict');
    return;
  }
  require(text instanceof DecodeError, 'decode refuses nothing');
  const { offset, length, reason, incomplete } = text;
  const fault =
    first.codePoint === undefined
      ? faults[0]
      : { ...first, reason: 'unrepresentable', incomplete: false };
  const { offset: at, length: size } = first;
  same(
    { offset, length, reason, incomplete },
    { offset: at, length: size, reason: fault?.reason, incomplete: fault?.incomplete },
    'the error of decode',
  );
}

/** Compares the results of all functions that write, and reads them again. */
export function checkWriting(codec: Codec, text: string, room: number): void {
  const errors = 'replace';
  const oracle = oracleOf(codec);
  const bytes = codec.encode(text, { errors });
  require(bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.length, 'shared memory');
  const isLone = codec.grammar.domain === 'code units' || codec.grammar.domain === 'code points';
  const lossless = isLone ? text : text.toWellFormed();
  const expected =
    codec.grammar.domain === 'bmp' ? lossless.replace(/[^\0-\uffff]/gu, '\ufffd') : lossless;
  requireEqual(oracle.faults(bytes).length, 0, 'faults in what encode writes');
  requireEqual(oracle.replace(bytes), expected, 'encode');
  requireEqual(codec.byteLength(text, { errors }), bytes.length, 'byteLength');
  const target = new Uint8Array(room + 4).fill(0xaa);
  const { read, written } = codec.encodeInto(text, target.subarray(2, room + 2), { errors });
  require(written <= room && read <= text.length, 'encodeInto goes too far');
  require([0, 1, room + 2, room + 3].every((i) => target[i] === 0xaa), 'encodeInto writes beside');
  requireSame(
    target.subarray(2, written + 2),
    codec.encode(text.slice(0, read), { errors }),
    'encodeInto',
  );
  if (read < text.length) {
    const next = String.fromCodePoint(text.codePointAt(read) as number);
    require(codec.encode(next, { errors }).length > room - written, 'encodeInto stops too early');
  }
  const strict = attempt(() => codec.encode(text), EncodeError);
  if (expected === text) {
    require(!(strict instanceof EncodeError), 'encode refuses what it can write');
    requireSame(strict, bytes, 'encode, strict');
  } else {
    require(strict instanceof EncodeError, 'encode refuses nothing');
    const kept = text.slice(0, strict.offset);
    requireEqual(expected.slice(0, strict.offset), kept, 'the offset of the error of encode');
    requireEqual(strict.codePoint, text.codePointAt(strict.offset), 'the code point of the error');
  }
}
