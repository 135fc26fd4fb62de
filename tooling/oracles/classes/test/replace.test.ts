/** Class files with other strings, loaded by HotSpot. */
import { type ClassString, readClass, replaceStrings } from '@utf8/classfile';
import * as mutf8 from '@utf8/mutf8';
import { describe, expect, it } from 'vitest';
import { readRecorded } from '../../../../packages/classfile/test/classes/recorded.js';
import { formatBytes, formatUnits } from '../../interop/src/answer.js';
import { useJvm } from '../src/jvm.js';

const jvm = await useJvm();

const texts = {
  'an emoji': '😀',
  'U+0000': 'a\0b',
  'a lone high half': '\ud83dx',
  'a lone low half': 'x\ude00',
  'halves the wrong way round': '\ude00\ud83d',
  Hangul: '한글 \ud7ff\ue000',
  nothing: '',
  '65,535 bytes': `${'😀'.repeat(10_922)}\u00e9x`,
};

describe('HotSpot loads and prints', () => {
  const literals = readRecorded('Literals.class');
  const call = async (file: Uint8Array): Promise<string[]> => {
    const [answer = ''] = await jvm.ask('call', [formatBytes(file)]);
    expect(answer).toMatch(/^ok /);
    return answer.slice(3).split(',');
  };
  const names = ['texts', 'everything/Literals', 'FIELD', 'Code', '()V', 'Ljava/lang/String;'];
  const old = ['literal of a field', 'plain', '', ...names, 'before 1 after'];

  it('what the class has of itself', async () => {
    expect(await call(literals)).toEqual(old.map(formatUnits));
  });

  it.each(Object.entries(texts))('%s', async (name, text) => {
    if (name.endsWith('bytes')) expect(mutf8.byteLength(text)).toBe(65_535);
    const replace = ({ string }: ClassString): string | undefined =>
      string.includes('\u0001') ? undefined : text;
    const changed = replaceStrings(literals, replace);
    const expected = old.map((each) => (each.startsWith('before') ? each : text));
    expect(await call(changed)).toEqual(expected.map(formatUnits));
  });

  it.each(names)('another literal for %j, which is a name too', async (name) => {
    const replace = ({ string }: ClassString): string | undefined =>
      string === name ? `${name}\0😀\ud800` : undefined;
    const changed = replaceStrings(literals, replace);
    // The old one stays, the new one comes.
    expect(readClass(changed).strings.length).toBe(readClass(literals).strings.length + 1);
    const expected = old.map((each) => (each === name ? `${name}\0😀\ud800` : each));
    expect(await call(changed)).toEqual(expected.map(formatUnits));
  });

  it('another text around the place of an argument', async () => {
    const replace = ({ string }: ClassString): string | undefined =>
      string === 'before \u0001 after' ? '한 \u0001 😀' : undefined;
    const changed = replaceStrings(literals, replace, { kinds: ['recipe'] });
    expect((await call(changed)).at(-1)).toBe(formatUnits('한 1 😀'));
  });
});
