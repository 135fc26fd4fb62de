/**
 * Files that are not what the format says, as aapt prints them. `UTF8_RECORD=1` records the answers for
 * packages/classfile/test/android.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  folder,
  readPrinted,
  readRecorded,
} from '../../../../packages/classfile/test/android/recorded.js';
import {
  type Answers,
  manifests,
  readAnswers,
  tables,
} from '../../../../packages/classfile/test/android/tricks.js';
import { zip } from '../../../../packages/classfile/test/zip.js';
import { inFolder } from '../../src/program.js';
import { listTree, listValues } from '../src/aapt.js';

const MANIFEST = 'AndroidManifest.xml';

/** Asks aapt about files that are stored in an archive with some names. */
const ask = (files: Readonly<Record<string, Buffer>>, print: (apk: string) => string[]): string[] =>
  inFolder((temporary) => {
    const apk = path.join(temporary, 'app.apk');
    const items = Object.entries(files).map(([name, bytes]) => ({ name, bytes, method: 0 }));
    writeFileSync(apk, zip(items));
    return print(apk);
  });

/** Asks about each trick, and keeps the answers that differ from the usual one. */
const askAll = (
  files: Readonly<Record<string, Buffer>>,
  usual: string,
  print: (bytes: Buffer) => string[],
): Answers['tables'] => {
  const [, lines] = readPrinted(usual) as [string[], string[]];
  const answers = Object.entries(files).map(([name, bytes]) => [name, print(bytes)] as const);
  return Object.fromEntries(answers.filter(([, answer]) => `${answer}` !== `${lines}`));
};

it('aapt prints what is recorded', () => {
  const manifest = readRecorded('manifest.axml');
  const answers: Answers = {
    manifests: askAll(manifests, 'manifest.axml', (bytes) =>
      ask({ [MANIFEST]: bytes }, (apk) => listTree(apk, MANIFEST)),
    ),
    tables: askAll(tables, 'utf-8.arsc', (bytes) =>
      ask({ [MANIFEST]: manifest, 'resources.arsc': bytes }, listValues),
    ),
  };
  if (process.env.UTF8_RECORD) {
    writeFileSync(`${folder}tricks.json`, `${JSON.stringify(answers, undefined, 2)}\n`);
  }
  expect(readAnswers()).toEqual(answers);
});

it.each([
  ['stored', 0],
  ['deflated', 8],
])('aapt reads what is marked as encrypted and is not, %s', (_, method) => {
  const bytes = readRecorded('manifest.axml');
  const [, lines] = readPrinted('manifest.axml') as [string[], string[]];
  const item = { name: MANIFEST, bytes, method, claims: { flags: 1 } };
  const printed = inFolder((temporary) => {
    const apk = path.join(temporary, 'app.apk');
    writeFileSync(apk, zip([item]));
    return listTree(apk, MANIFEST);
  });
  expect(printed).toEqual(lines);
});
