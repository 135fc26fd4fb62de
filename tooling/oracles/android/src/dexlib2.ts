/** DEX files as lines of text, by dexlib2. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inFolder } from '../../src/program.js';
import { peers, runJava } from './tools.js';

/** Strings and uses as dexlib2 finds them, sorted. */
export function askDexlib2(file: Uint8Array): string[] {
  return inFolder((folder) => {
    const input = path.join(folder, 'classes.dex');
    writeFileSync(input, file);
    return runJava(path.join(peers, 'Uses.java'), input)
      .toString('utf8')
      .trimEnd()
      .split('\n')
      .sort();
  });
}
