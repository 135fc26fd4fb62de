/** Resources are read as aapt prints them, in UTF-8 and UTF-16, with every locale that Android itself has. */
import { readResources } from '@utf8/classfile/resources';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/program.js';
import { extract, listStrings, listTree, listValues, makers, withApk } from '../src/aapt.js';
import { app } from '../src/app.js';
import { compareLines, printTree, printValues } from '../src/print.js';
import { findFramework } from '../src/tools.js';

const TABLE = 'resources.arsc';

/** Cuts a text at U+0000, as the output of aapt does. */
const upToNul = (text: string): string => text.split('\0')[0] as string;

describe.each(makers)('an APK of %s', (maker) => {
  it('has the strings that aapt prints, in a pool of that encoding', () => {
    withApk(maker, app, (apk) => {
      const file = readResources(extract(apk, TABLE));
      expect(file.type).toBe('table');
      const values = [...file.strings].filter(({ pool }) => pool === 0);
      expect(new Set(values.map(({ encoding }) => encoding))).toEqual(
        new Set([maker === 'aapt, UTF-16' ? 'utf-16' : 'utf-8']),
      );
      expect(values.map(({ string }) => upToNul(string))).toEqual(listStrings(apk));
      expect(values.every(({ fault }) => fault === undefined)).toBe(true);
    });
  });

  it('has the values that aapt prints, each with its name and configuration', () => {
    withApk(maker, app, (apk) => {
      const ours = printValues(readResources(extract(apk, TABLE)));
      expect(compareLines(ours, listValues(apk))).toEqual([]);
      expect(ours.length).toBeGreaterThan(100);
    });
  });

  it.each(['AndroidManifest.xml', 'res/layout/main.xml'])('has a %s as aapt prints it', (entry) => {
    withApk(maker, app, (apk) => {
      const file = readResources(extract(apk, entry));
      expect(file.type).toBe('xml');
      expect(Array.from(file.strings, ({ string }) => string)).toEqual(listStrings(apk, entry));
      const tree = printTree(file);
      expect(tree).toEqual(listTree(apk, entry));
      expect(tree.length).toBeGreaterThan(2);
    });
  });
});

describe('aapt2', () => {
  it('writes six bytes above U+FFFF, which read as one character', () => {
    withApk('aapt2, UTF-8', app, (apk) => {
      const table = extract(apk, TABLE);
      const found = [...readResources(table).strings].find(({ string }) => string === 'two 😀');
      expect(Buffer.from(found?.bytes ?? []).toString('hex')).toBe('74776f20eda0bdedb880');
      const { offset = 0 } = found ?? {};
      expect(table.subarray(offset, offset + 10).toString('hex')).toBe('74776f20eda0bdedb880');
    });
  });
});

describe("Android's own resources", { tags: ['night'] }, () => {
  it('are read as aapt prints them', () => {
    const file = readResources(extract(findFramework(), TABLE));
    const ours = printValues(file);
    expect(ours.length).toBeGreaterThan(100_000);
    expect(compareLines(ours, listValues(findFramework()))).toEqual([]);
    const values = [...file.strings].filter(({ pool }) => pool === 0);
    const theirs = listStrings(findFramework());
    expect(values.length).toBe(theirs.length);
    expect(values.findIndex(({ string }, i) => upToNul(string) !== theirs[i])).toBe(-1);
  });

  it('have XML that aapt prints', () => {
    const entries = run(['unzip', '-Z1', findFramework()]).toString().split('\n');
    const files = entries.filter((entry) => /^res\/(layout|menu|xml|anim).*\.xml$/.test(entry));
    expect(files.length).toBeGreaterThan(100);
    for (const entry of [...files.filter((_, i) => i % 40 === 0), 'AndroidManifest.xml']) {
      const xml = readResources(extract(findFramework(), entry));
      expect(printTree(xml), entry).toEqual(listTree(findFramework(), entry));
    }
  });
});
