/** A stream of objects that Java wrote, and what its ObjectInputStream meets in it. */
import { fileURLToPath } from 'node:url';
import type { DataString } from '@utf8/classfile/data';

/** The path of the recorded files, without their extension. */
export const recordedStream: string = fileURLToPath(new URL('recorded/objects', import.meta.url));

/** Returns what `tooling/oracles/jvm/peers/Streams.java` prints of the same strings. */
export const describeObjects = (strings: readonly DataString[]): string =>
  strings
    .filter(({ kinds }) => !kinds.includes('descriptor'))
    .map(({ kinds, string }) => {
      const units = Array.from({ length: Math.min(40, string.length) }, (_, i) =>
        string.charCodeAt(i).toString(16).padStart(4, '0'),
      );
      return `${kinds} ${units.join('')} ${string.length}\n`;
    })
    .join('');
