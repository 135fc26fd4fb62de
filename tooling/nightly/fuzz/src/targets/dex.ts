import { DexError } from '@utf8/classfile/dex';
import { sign } from '@utf8/oracles/android/dex';
import { assemble } from '@utf8/oracles/android/tools';
import { visitDex } from '@utf8/oracles/android/visit';
import { attempt } from '../codec.js';
import { compose } from '../input.js';
import { require, type Target } from '../target.js';

export const target: Target = {
  title: 'DEX files: strings and uses, strictly and leniently',
  maxLength: 8192,
  *seeds() {
    yield compose(assemble('rare.smali', 28), 0);
  },
  run(input) {
    const isSigned = input.below(8) !== 1;
    const bytes = Buffer.from(input.rest());
    const file = isSigned ? sign(bytes) : bytes;
    const strict = attempt(() => visitDex(file, {}), DexError);
    const errors: DexError[] = [];
    const lenient = attempt(
      () =>
        visitDex(file, { errors: 'backslashreplace', lenient: (error) => void errors.push(error) }),
      DexError,
    );
    if (strict instanceof DexError) return;
    require(!(lenient instanceof DexError), 'lenient refuses what strict reads');
    require(errors.length === 0, 'lenient finds faults in what strict reads');
  },
};
