/** Constants that refer to nothing: leniently, each costs only what uses it. */
import { type ClassFileError, readStrings, readUses } from '@utf8/classfile';
import { expect, it } from 'vitest';
import { makeClass } from '../../../cli/test/class.js';

// The pool: names at 1 and 3, their classes at 2 and 4; literals at 5, 7 and 9, each with its String after it.
const file = makeClass('A', ['one', 'two', 'three']);
const second = file.indexOf('two') + 3;

it('a string constant without a text costs only itself', () => {
  const bad = Buffer.from(file);
  expect(bad[second]).toBe(8);
  bad.writeUInt16BE(0xeeee, second + 1);
  expect(() => [...readStrings(bad)]).toThrow(/no constant 61166/);
  const told: ClassFileError[] = [];
  const lenient = (error: ClassFileError): void => void told.push(error);
  const literals = Array.from(readStrings(bad, { lenient }))
    .filter(({ kinds }) => kinds.includes('literal'))
    .map(({ string }) => string);
  expect(literals).toEqual(['one', 'three']);
  expect(told.map(({ reason, offset }) => [reason, offset])).toEqual([
    ['invalid-index', second + 1],
  ]);
  const used = Array.from(
    readUses(bad, { lenient, kinds: ['literal'] }),
    ({ string }) => string.string,
  );
  expect(used).toEqual(['one', 'three']);
});

it('any index that is wrong leaves all other strings', () => {
  const strings = Array.from(readStrings(file), ({ string }) => string);
  for (let at = 10; at < file.length - 1; at++) {
    const bad = Buffer.from(file);
    bad.writeUInt16BE(0xeeee, at);
    const told: ClassFileError[] = [];
    let found: string[];
    try {
      const lenient = (error: ClassFileError): void => void told.push(error);
      found = Array.from(readStrings(bad, { errors: 'replace', lenient }), ({ string }) => string);
      for (const _ of readUses(bad, { errors: 'replace', lenient }));
    } catch (error) {
      // A wrong tag or length in the pool leaves no structure after it.
      expect((error as ClassFileError).code).toBe('ERR_CLASS_FILE');
      continue;
    }
    const kept = strings.filter((string) => found.includes(string));
    expect(kept.length, `${at}`).toBeGreaterThanOrEqual(strings.length - 2);
  }
});
