/**
 * DEX files and resources with faults: each is read, or refused with a typed error; leniently, whatever
 * else is there is read. `UTF8_SEED=1` repeats a run, `UTF8_INPUTS=1000000` makes a longer one.
 */
import { DexError, type DexOptions } from '@utf8/classfile/dex';
import { ResourceError } from '@utf8/classfile/resources';
import { Random } from '@utf8/oracles/interop/random';
import { expect, it } from 'vitest';
import { scale, seed } from '../../../tiers/tier.js';
import { extract, makers, withApk } from '../src/aapt.js';
import { app } from '../src/app.js';
import { damage } from '../src/damage.js';
import { sign } from '../src/dex.js';
import { assemble, hasAapt, hasDexTools } from '../src/tools.js';
import { visitDex, visitResources } from '../src/visit.js';

const count = scale(4000);

/** Whether a file is read; typed errors are expected, others are not. */
function isRead(read: () => unknown, error: typeof DexError | typeof ResourceError): boolean {
  try {
    read();
    return true;
  } catch (thrown) {
    if (thrown instanceof error) return false;
    throw thrown;
  }
}

it.skipIf(!hasDexTools)(
  `${count} DEX files with faults are read, or refused`,
  { tags: ['slow'], timeout: 120_000 + 50 * count },
  () => {
    const random = new Random(seed);
    const files = [assemble('rare.smali', 28)];
    const total = visitDex(files[0] as Buffer, {});
    let read = 0;
    let saved = 0;
    for (let i = 0; i < count; i++) {
      const file = sign(damage(random, files));
      try {
        const strictly = isRead(() => visitDex(file, {}), DexError);
        const errors: DexError[] = [];
        const lenient: DexOptions = {
          errors: 'backslashreplace',
          lenient: (error) => void errors.push(error),
        };
        let uses = 0;
        const leniently = isRead(() => {
          uses = visitDex(file, lenient);
        }, DexError);
        if (strictly && (!leniently || errors.length > 0)) throw new Error('leniency finds faults');
        if (strictly) read++;
        else if (uses > total / 2) saved++;
      } catch (error) {
        throw new Error(`input ${i} of seed ${seed}: ${file.toString('hex')}`, { cause: error });
      }
    }
    expect(read).toBeGreaterThan(count / 50);
    expect(read).toBeLessThan(count * 0.9);
    expect(saved).toBeGreaterThan(count / 50);
  },
);

it.skipIf(!hasAapt)(
  `${count} files of resources with faults are read, or refused`,
  { tags: ['slow'], timeout: 120_000 + 50 * count },
  () => {
    const random = new Random(seed);
    const small = Object.fromEntries(
      Object.entries(app).filter(([file]) => !file.includes('values-')),
    );
    const files = makers.flatMap((maker) =>
      withApk(maker, small, (apk) =>
        ['resources.arsc', 'AndroidManifest.xml', 'res/layout/main.xml'].map((each) =>
          extract(apk, each),
        ),
      ),
    );
    let read = 0;
    let saved = 0;
    for (let i = 0; i < count; i++) {
      const file = damage(random, files);
      try {
        const strictly = isRead(() => visitResources(file, {}), ResourceError);
        const errors: ResourceError[] = [];
        let found = 0;
        const leniently = isRead(() => {
          const lenient = (error: ResourceError): void => void errors.push(error);
          found = visitResources(file, { errors: 'replace', lenient });
        }, ResourceError);
        if (strictly && (!leniently || errors.length > 0)) throw new Error('leniency finds faults');
        if (strictly) read++;
        else if (found > 10) saved++;
      } catch (error) {
        throw new Error(`input ${i} of seed ${seed}: ${file.toString('hex')}`, { cause: error });
      }
    }
    expect(read).toBeGreaterThan(count / 20);
    expect(saved).toBeGreaterThan(count / 50);
  },
);
