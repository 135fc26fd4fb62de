/**
 * Classes by javac, and what the JDK's class-file API tells of them: recorded, so that they are compared where there is
 * no JDK, too. `UTF8_RECORD=1` records them again.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ClassFileError,
  readStrings,
  readUses,
  replaceStrings,
  type StringKind,
} from '@utf8/classfile';
import { Tally } from '@utf8/oracles/interop/tally';
import { eachWrongByte } from '@utf8/oracles/interop/wrong-byte';
import { describe, expect, it } from 'vitest';
import { compileModern } from '../src/compare.js';
import { compileFixture } from '../src/fixture.js';
import { makeFolder, removeFolder } from '../src/folder.js';
import { jdk } from '../src/jdk.js';
import { viewAll } from '../src/line.js';

const folder = fileURLToPath(new URL('../recorded', import.meta.url));
const classes = [
  ...['Everything', 'Everything$Alone', 'Everything$Circle', 'Everything$Color'],
  ...['Everything$1', 'Literals', 'module-info'],
];

/** Kinds of which any string may be another without a change of any other use. */
const writable: readonly StringKind[] = ['literal', 'annotation', 'source'];

if (process.env.UTF8_RECORD) record();

describe.each(classes)('%s.class', (name) => {
  const file = readFileSync(path.join(folder, `${name}.class`));

  it('has the uses that the JDK tells of', () => {
    const lines = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
    expect(viewAll(file)).toEqual(lines);
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
    for (const changed of eachWrongByte(file, 600)) {
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
    expect(damage((bytes) => replaceStrings(bytes, () => 'another'))).toMatchSnapshot();
  });
});

/** Makes the files anew, and has the JDK tell of them. */
function record(): void {
  const modern = compileModern();
  if (!jdk || !modern) throw new Error('needs a JDK, and Java 25');
  mkdirSync(folder, { recursive: true });
  const made = makeFolder();
  compileFixture(jdk, made);
  for (const name of classes) {
    const file = path.join(made, name === 'module-info' ? '' : 'everything', `${name}.class`);
    const lines = modern.program.run('Uses', [modern.name, file]);
    writeFileSync(path.join(folder, `${name}.class`), readFileSync(file));
    writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(lines.sort(), null, 1)}\n`);
  }
  modern.program.remove();
  removeFolder(made);
}
