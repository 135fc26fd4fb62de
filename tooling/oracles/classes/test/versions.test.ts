/** Compares the encoding of strings in class files of different versions with HotSpot's. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replaceStrings } from '@utf8/classfile';
import { expect, it } from 'vitest';
import { choose, scale, seed } from '../../../tiers/tier.js';
import { formatBytes, formatUnits } from '../../interop/src/answer.js';
import { generateBytes, shortBytes } from '../../interop/src/corpus.js';
import { jdk } from '../../src/jdk.js';
import { inFolder } from '../../src/program.js';
import { useJvm } from '../src/jvm.js';
import { findArtifact } from '../src/maven.js';
import { readConstant, withCode } from '../src/version.js';

const jvm = await useJvm();

it.each([47, 48, 61])(
  'HotSpot takes the same strings in version %i, for the same',
  async (major) => {
    const inputs = [...choose([...shortBytes()], 5000), ...generateBytes(seed, scale(3000))];
    let accepted = 0;
    for (let i = 0; i < inputs.length; i += 5000) {
      const block = inputs.slice(i, i + 5000);
      const answers = await jvm.ask(`class${major}`, block.map(formatBytes));
      for (const [at, bytes] of block.entries()) {
        const theirs = answers[at]?.startsWith('ok') ? answers[at] : 'fault';
        const ours = readConstant(major, bytes);
        if (ours !== theirs)
          expect.fail(`${formatBytes(bytes)}: they say ${answers[at]}, we: ${ours}`);
        if (ours !== 'fault') accepted++;
      }
    }
    expect(accepted).toBeGreaterThan(inputs.length / 50);
    expect(accepted).toBeLessThan(inputs.length);
  },
);

it.each([0, 3])(
  'HotSpot runs long code of version 45.%i, as it is and rewritten',
  async (minor) => {
    const old = withCode(minor, true, 'old');
    const renamed = replaceStrings(withCode(minor, true, 'texts'), () => '😀\0');
    const files = [old, replaceStrings(old, () => '😀\0'), renamed];
    const answers = await jvm.ask('call', files.map(formatBytes));
    expect(answers).toEqual(['old', '😀\0', '😀\0'].map((text) => `ok ${formatUnits(text)}`));
  },
);

// The HotSpot of JDK 17 refuses it.
it.each([0, 2])('Vineflower reads short code of version 45.%i, as it is and rewritten', (minor) => {
  const old = withCode(minor, false, 'old');
  const renamed = replaceStrings(withCode(minor, false, 'texts'), () => '😀\0');
  for (const [file, literal] of [
    [old, '"old"'],
    [replaceStrings(old, () => 'newer'), '"newer"'],
    [renamed, String.raw`"\ud83d\ude00\u0000"`],
  ] as const) {
    expect(decompile(file)).toContain(`new String[]{${literal}}`);
  }
});

/** Returns the source of a class, by Vineflower. */
function decompile(file: Uint8Array): string {
  return inFolder((folder) => {
    const [input, output] = [path.join(folder, 'A.class'), path.join(folder, 'source')];
    writeFileSync(input, file);
    jdk.run('java', ['-jar', findArtifact('vineflower'), input, output]);
    return readFileSync(path.join(output, 'A.java'), 'utf8');
  });
}
