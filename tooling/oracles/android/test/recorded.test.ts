/**
 * The recorded files of packages/classfile/test/android, as dexlib2 and aapt print them. `UTF8_RECORD=1` makes and
 * records them again.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  dexFiles,
  documents,
  folder,
  readPrinted,
  readRecorded,
  tables,
} from '../../../../packages/classfile/test/android/recorded.js';
import { zip } from '../../../../packages/classfile/test/zip.js';
import { inFolder } from '../../src/program.js';
import { extract, listStrings, listTree, listValues, withApk } from '../src/aapt.js';
import { smallApp } from '../src/app.js';
import { askDexlib2 } from '../src/dexlib2.js';
import { assemble, compile, peers, translate } from '../src/tools.js';

const isRecording = Boolean(process.env.UTF8_RECORD);
if (isRecording) record();

it.each(dexFiles)('%s is recorded as dexlib2 prints it', (name) => {
  check(name, askDexlib2(readRecorded(name)));
});

it.each(Object.keys(tables))('%s is recorded as aapt prints it', (name) => {
  const print = (apk: string): string[][] => [listStrings(apk), listValues(apk)];
  check(name, pack(name, 'resources.arsc', print));
});

it.each(Object.entries(documents))('%s is recorded as aapt prints it', (name, entry) => {
  const print = (apk: string): string[][] => [listStrings(apk, entry), listTree(apk, entry)];
  check(name, pack(name, entry, print));
});

function check(name: string, printed: readonly (string | readonly string[])[]): void {
  const [type, lines] = name.endsWith('.dex')
    ? ['txt', printed]
    : ['jsonl', printed.map((list) => JSON.stringify(list))];
  if (isRecording) writeFileSync(`${folder}${name}.${type}`, `${lines.join('\n')}\n`);
  expect(readPrinted(name)).toEqual(printed);
}

/** Puts a recorded file into an archive, which aapt reads. */
const pack = <T>(name: string, entry: string, read: (apk: string) => T): T =>
  inFolder((temporary) => {
    const apk = path.join(temporary, 'app.apk');
    writeFileSync(apk, zip([{ name: entry, bytes: readRecorded(name), method: 0 }]));
    return read(apk);
  });

/** Makes the files. */
function record(): void {
  const source = path.join(peers, 'fixture', 'Everything.java');
  const [everything] = inFolder((temporary) =>
    translate(compile([source], temporary), { minApi: 26 }),
  );
  const write = (name: string, file: Uint8Array): void => writeFileSync(folder + name, file);
  write('everything.dex', everything as Buffer);
  write('rare.dex', assemble('rare.smali', 28));
  for (const [name, maker] of Object.entries(tables)) {
    withApk(maker, smallApp, (apk) => write(name, extract(apk, 'resources.arsc')));
  }
  withApk('aapt, UTF-8', smallApp, (apk) => {
    for (const [name, entry] of Object.entries(documents)) write(name, extract(apk, entry));
  });
}
