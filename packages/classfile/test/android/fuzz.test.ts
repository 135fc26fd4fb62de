/**
 * DEX files and resources with faults: each is read, or refused with a typed error; leniently, all that can be read is
 * read.
 */
import { DexError } from '@utf8/classfile/dex';
import { ResourceError } from '@utf8/classfile/resources';
import { expect, it } from 'vitest';
import { damage } from '../../../../tooling/oracles/android/src/damage.js';
import { sign } from '../../../../tooling/oracles/android/src/dex.js';
import { visitDex, visitResources } from '../../../../tooling/oracles/android/src/visit.js';
import { Random } from '../../../../tooling/oracles/interop/src/random.js';
import { scale, seed } from '../../../../tooling/tiers/tier.js';
import { documents, readRecorded, tables } from './recorded.js';

const count = scale(800);

/** Tells whether a file can be read. Typed errors are expected, others are not. */
function isRead(read: () => unknown, error: typeof DexError | typeof ResourceError): boolean {
  try {
    read();
    return true;
  } catch (thrown) {
    if (thrown instanceof error) return false;
    throw thrown;
  }
}

it.each([
  {
    name: 'DEX files',
    files: ['rare.dex'],
    finish: sign,
    visit: visitDex,
    error: DexError,
    errors: 'backslashreplace',
    // A fault in a header leaves little.
    most: 0.9,
    least: 1 / 50,
  },
  {
    name: 'files of resources',
    files: [...Object.keys(tables), ...Object.keys(documents)],
    finish: (file: Buffer) => file,
    visit: visitResources,
    error: ResourceError,
    errors: 'replace',
    most: 1,
    least: 1 / 20,
  },
] as const)(
  '$name with faults are read, or refused',
  ({ files, finish, visit, error, errors, most, least }) => {
    const random = new Random(seed);
    const sound = files.map(readRecorded);
    const total = Math.min(...sound.map((file) => visit(file, {})));
    let read = 0;
    let saved = 0;
    for (let i = 0; i < count; i++) {
      const file = finish(damage(random, sound));
      try {
        let all = 0;
        const isPassed = isRead(() => {
          all = visit(file, {});
        }, error);
        // Nothing is found after a header that leads nowhere.
        const strictly = isPassed && all > 0;
        let found = 0;
        let faults = 0;
        // What is unusual is no fault: a strict reading passes it.
        const lenient = ({ reason }: DexError | ResourceError): void => {
          if (reason !== 'unusual') faults++;
        };
        const leniently = isRead(() => {
          found = visit(file, { errors, lenient });
        }, error);
        if (strictly && !leniently) throw new Error('leniency refuses what strictness reads');
        // A strict reading passes a wrong header, after which it finds less.
        if (strictly && faults > 0 && found <= all) throw new Error('leniency finds faults');
        if (strictly) read++;
        else if (found > total / 2) saved++;
      } catch (cause) {
        throw new Error(`input ${i} of seed ${seed}: ${file.toString('hex')}`, { cause });
      }
    }
    expect(read).toBeGreaterThan(count * least);
    expect(read).toBeLessThan(count * most);
    expect(saved).toBeGreaterThan(count / 50);
  },
);
