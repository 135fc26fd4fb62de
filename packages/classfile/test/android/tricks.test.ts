/**
 * Files that Android reads although they are not what the format says, as aapt prints them: recorded.
 * `tooling/oracles/android` asks again.
 */
import { type ResourceError, readResources } from '@utf8/classfile/resources';
import { describe, expect, it } from 'vitest';
import { printTree, printValues } from '../../../../tooling/oracles/android/src/print.js';
import { readPrinted, readRecorded } from './recorded.js';
import { type Answers, manifests, readAnswers, tables } from './tricks.js';

/** Reads leniently. Returns the file, and the errors that were skipped. */
function read(file: Buffer): [ReturnType<typeof readResources>, ResourceError[]] {
  const errors: ResourceError[] = [];
  return [readResources(file, { lenient: (error) => void errors.push(error) }), errors];
}

const answers: Answers = readAnswers();

describe('a manifest', () => {
  const [, tree] = readPrinted('manifest.axml') as [string[], string[]];

  it.each(Object.entries(manifests))('with %s is read as aapt prints it', (name, bytes) => {
    const [file, errors] = read(bytes);
    expect(file.type).toBe('xml');
    expect(printTree(file)).toEqual(answers.manifests[name] ?? tree);
    expect(errors.map(({ reason, message }) => `${reason}: ${message}`).slice(0, 2)).not.toEqual(
      [],
    );
  });

  it('without a trick has none', () => {
    expect(read(readRecorded('manifest.axml'))[1]).toEqual([]);
    expect(read(readRecorded('layout.axml'))[1]).toEqual([]);
  });
});

describe('a table', () => {
  const [, values] = readPrinted('utf-8.arsc') as [string[], string[]];

  it.each(Object.entries(tables))('with %s is read as aapt prints it', (name, bytes) => {
    const [file, errors] = read(bytes);
    expect(file.type).toBe('table');
    expect(printValues(file)).toEqual(answers.tables[name] ?? values);
    expect(errors).not.toEqual([]);
  });

  it('without a trick has none', () => {
    expect(read(readRecorded('utf-8.arsc'))[1]).toEqual([]);
    expect(read(readRecorded('utf-16.arsc'))[1]).toEqual([]);
  });
});
