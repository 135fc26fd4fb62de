/**
 * Classes by javac, and what the JDK's class-file API tells of them: recorded. `tooling/oracles/classes` asks again, and
 * records.
 */
import {
  type ClassFileError,
  readStrings,
  readUses,
  replaceStrings,
  type StringKind,
} from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import { viewAll } from '../../../../tooling/oracles/classes/src/line.js';
import { Tally } from '../../../../tooling/oracles/interop/src/tally.js';
import { eachWrongByte } from '../../../../tooling/oracles/interop/src/wrong-byte.js';
import { readRecorded, readRecordedUses, recorded } from './recorded.js';

/** Kinds whose strings may all change without a change of any other use. */
const writable: readonly StringKind[] = ['literal', 'annotation', 'source'];

describe.each(recorded)('%s.class', (name) => {
  const file = readRecorded(`${name}.class`);

  it('has the uses that the JDK tells of', () => {
    expect(viewAll(file)).toEqual(readRecordedUses(name));
  });

  it('keeps all other uses where those of a kind get another string', () => {
    const kinds = [...new Set(Array.from(readUses(file), ({ kind }) => kind))];
    const describeUses = (bytes: Uint8Array): string[] =>
      Array.from(readUses(bytes), ({ kind, string }) => `${kind} ${string.string}`).sort();
    for (const kind of kinds.filter((each) => writable.includes(each))) {
      const changed = replaceStrings(file, ({ string }) => `${string}!`, { kinds: [kind] });
      const expected = Array.from(readUses(file), (use) =>
        use.kind === kind ? `${kind} ${use.string.string}!` : `${use.kind} ${use.string.string}`,
      );
      expect(describeUses(changed), kind).toEqual(expected.sort());
    }
  });

  /** Does what throws to files with one byte that is another; tells the messages, and how often each came. */
  function damage(read: (file: Buffer) => unknown): string[] {
    const messages = new Tally();
    for (const changed of eachWrongByte(file, 150)) {
      try {
        read(changed);
      } catch (error) {
        const { message, reason } = error as ClassFileError;
        const kind = message
          .replace(/^Malformed [^:]*: |, in .*/g, '')
          .replaceAll(/\d+|"[^"]*"/g, '#');
        messages.add(message, `${reason} ${kind}`);
      }
    }
    return messages.list();
  }

  it('is refused with a byte that is wrong, and says what and where', () => {
    expect(damage((bytes) => [...readUses(bytes)])).toMatchSnapshot();
    expect(damage((bytes) => [...readStrings(bytes)])).toMatchSnapshot();
  });

  it('gets no other strings with a byte that is wrong, and says what and where', () => {
    expect(damage((bytes) => replaceStrings(bytes, () => 'another'))).toMatchSnapshot();
  });
});
