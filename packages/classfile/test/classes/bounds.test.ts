/** Class files that are made to take memory: each takes at most so many bytes for each of its own. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  type Bytes,
  dynamic,
  integer,
  list,
  member,
  methodHandle,
  methodref,
  nameAndType,
  string,
  u2,
  u4,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';
import { choose } from '../../../../tooling/tiers/tier.js';

const MOST_BYTES = 64;

/** A file in which something stands many times. */
interface Bomb {
  /** The file without it. */
  readonly file: Uint8Array;
  /** Its distance from the end of the file, in bytes. */
  readonly fromEnd: number;
  readonly unit: Bytes;
  readonly times: number;
}

/** Reads and writes such a file, and says how much memory that took at most. In a process of its own. */
const program = `
import { readFileSync } from 'node:fs';
import { readClass, readStrings, readUses, replaceStrings } from ${JSON.stringify(import.meta.resolve('@utf8/classfile'))};
const { head, tail, unit, times } = JSON.parse(readFileSync(0, 'utf8'));
const file = new Uint8Array(head.length + unit.length * times + tail.length);
file.set(head);
const units = file.subarray(head.length, head.length + unit.length * times);
units.set(unit);
for (let done = unit.length; done < units.length; done *= 2) units.copyWithin(done, 0, done);
file.set(tail, head.length + units.length);
const before = process.memoryUsage.rss();
const strings = [...readStrings(file)].length;
let uses = 0;
let callers = 0;
for (const use of readUses(file)) {
  uses++;
  callers = Math.max(callers, use.bootstrap?.callers.length ?? 0);
}
const longer = ({ string }) => string + '!';
const options = { kinds: ['literal', 'annotation', 'bootstrap-argument'] };
const added = replaceStrings(file, longer, options).length - file.length;
const where = ({ kind, offset }) => kind === 'literal' && offset % 2 === 0;
replaceStrings(file, longer, { where, onKept: () => undefined });
const lenient = [...readStrings(file.subarray(0, -1), { lenient: () => undefined })].length;
const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
const used = (Number(peak) * 1024 - before) / file.length;
console.log(JSON.stringify({ strings, uses, callers, added, lenient, used }));
`;

interface Result {
  readonly strings: number;
  readonly uses: number;
  readonly callers: number;
  readonly added: number;
  readonly lenient: number;
  readonly used: number;
}

function measure({ file, fromEnd, unit, times }: Bomb): Result {
  const at = file.length - fromEnd;
  const input = JSON.stringify({
    head: [...file.subarray(0, at)],
    tail: [...file.subarray(at)],
    unit,
    times,
  });
  const flags = ['--max-old-space-size=1024', '--input-type=module', '-e', program];
  return JSON.parse(execFileSync(process.execPath, flags, { input, stdio: 'pipe' }).toString());
}

/** Creates a class with an annotation that repeats a unit many times before its end. */
function inAnnotation(head: Bytes, unit: Bytes, times: number, end: Bytes): Bomb {
  const annotations = [...u2(1), ...u2(6), ...u2(1), ...u2(1), ...head];
  const content = [...annotations, ...end];
  const file = assemble({
    constants: [utf8('RuntimeVisibleAnnotations'), utf8('LV;')],
    attributes: [attribute(5, content, content.length + unit.length * times)],
  });
  return { file, fromEnd: end.length, unit, times };
}

/** A class with a method in which something stands many times, before an end. */
function inCode(
  constants: readonly Bytes[],
  unit: Bytes,
  times: number,
  end: Bytes,
  attributes: readonly Bytes[] = [],
): Bomb {
  const length = unit.length * times + end.length;
  const rest = [...end, ...list(), ...list()];
  const content = [...u2(9), ...u2(9), ...u4(length), ...rest];
  const code = attribute(7, content, content.length + unit.length * times);
  const file = assemble({
    constants: [utf8('m'), utf8('()V'), utf8('Code'), ...constants],
    methods: [member(5, 6, code)],
    attributes,
  });
  // The part after the methods: the number of attributes, and the attributes.
  return { file, fromEnd: rest.length + 2 + attributes.flat().length, unit, times };
}

const comparison = [
  string(1),
  utf8('equals'),
  utf8('hashCode'),
  utf8('()I'),
  nameAndType(9, 11),
  nameAndType(10, 11),
  methodref(2, 12),
  methodref(2, 13),
];

const bootstrap = [
  string(1),
  nameAndType(5, 6),
  methodref(2, 9),
  methodHandle(6, 10),
  utf8('BootstrapMethods'),
  dynamic(0, 9),
  integer(1),
];

const bombs: Record<string, readonly [Bomb, Partial<Result>]> = {
  'an annotation of 20 million arrays in each other': [
    inAnnotation([], [0x5b, ...u2(1)], 20_000_000, [0x73, ...u2(1)]),
    { uses: 6, added: 5 },
  ],
  'an annotation of 2 million annotations in each other': [
    inAnnotation([], [0x40, ...u2(6), ...u2(1), ...u2(1)], 2_000_000, [0x73, ...u2(1)]),
    { uses: 4_000_006, added: 5 },
  ],
  'an annotation of 6.5 million strings in 100 arrays': [
    inAnnotation(
      [0x5b, ...u2(100)],
      [0x5b, ...u2(0xffff), ...new Array<Bytes>(0xffff).fill([0x73, ...u2(1)]).flat()],
      100,
      [],
    ),
    { uses: 5 + 100 * 0xffff, added: 5 },
  ],
  'a method that loads 5 million literals': [
    inCode([string(1)], [0x12, 8], 5_000_000, []),
    { uses: 5_000_005, added: 5 },
  ],
  'a method that loads 5 million dynamic constants': [
    inCode(
      bootstrap,
      [0x12, 13],
      5_000_000,
      [],
      [attribute(12, list([...u2(11), ...list(u2(8))]))],
    ),
    { callers: 5_000_000, added: 5 },
  ],
  'a method that compares 2 million literals, and has a switch': [
    inCode(
      comparison,
      [0x12, 8, 0xb6, ...u2(14)],
      2_000_000,
      // Four bytes are the alignment of a switch, and the code so far is a multiple of them.
      [0xb6, ...u2(15), 0xab, ...u4(0), ...u4(1), ...u4(65), ...u4(0)],
    ),
    { added: 0 },
  ],
  'a method of a million switches over hash codes': [
    inCode(
      comparison,
      [0xb6, ...u2(15), 0xab, ...u4(0), ...u4(1), ...u4(66), ...u4(0)],
      1_000_000,
      [0x12, 8, 0xb6, ...u2(14)],
    ),
    { added: 5 },
  ],
};

describe.skipIf(!existsSync('/proc/self/status'))(`at most ${MOST_BYTES} bytes a byte`, () => {
  it.each(choose(Object.entries(bombs), 2))('%s', { tags: ['slow'] }, (_, [bomb, expected]) => {
    const result = measure(bomb);
    expect(result).toMatchObject(expected);
    expect(result.lenient).toBe(result.strings);
    expect(result.used).toBeLessThan(MOST_BYTES);
    // One that took nothing would be a measurement that has failed.
    expect(result.used).toBeGreaterThan(0.5);
  });
});
