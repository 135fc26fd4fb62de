/**
 * Names in heap dumps of HotSpot, and what NetBeans' profiler reads of them.
 *
 * @module-tag night
 */
import { readFileSync } from 'node:fs';
import { encode } from '@utf8/mutf8';
import * as strict from '@utf8/strict';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../../src/program.js';
import { askRead, askWrite } from '../src/ask.js';
import { heap } from '../src/consumers.js';
import { readHprof } from '../src/hprof.js';
import { useJava } from '../src/start.js';
import { edges } from '../src/texts.js';

const folder = makeFolder();
afterAll(() => removeFolder(folder));
const peer = await useJava({ ...heap, arguments: [folder] });

/** Tells whether the JVM allows the name of a field: any but the empty one, and those with these characters. */
const isName = (text: string): boolean => text !== '' && !/[.;[/]/.test(text);

const names = [
  ...new Set([
    ...edges,
    ...Array.from({ length: 0x1000 }, (_, i) => String.fromCharCode(16 * i)),
    'é'.repeat(32_767),
    'a'.repeat(65_535),
  ]),
].filter(isName);

describe('HPROF', () => {
  let file = '';

  it('of HotSpot has names in Modified UTF-8', async () => {
    for (const name of names) await askWrite(peer, 'names', name);
    file = String(await askWrite(peer, 'names', ''));
    const { format, texts } = readHprof(readFileSync(file));
    expect(format).toBe('JAVA PROFILE 1.0.2');
    expect(names.filter((name) => !texts.has(name))).toEqual([]);
  });

  it('is read as UTF-8 by NetBeans’ profiler, which replaces the rest', async () => {
    const read = (await askRead(peer, 'names', Buffer.from(file))) as string;
    const collapse = (text: string): string => text.replaceAll(/\ufffd+/g, '\ufffd');
    const fields = read.split('/').map(collapse);
    const lossy = names.map((name) => collapse(strict.decode(encode(name), { errors: 'replace' })));
    expect(lossy.filter((name) => !fields.includes(name))).toEqual([]);
    expect(fields).not.toContain('😀');
  });
});
