import { sampleClasses } from '@utf8/oracles/classes/sample';
import { visit } from '@utf8/oracles/classes/visit';
import { Random } from '@utf8/oracles/interop/random';
import { compose } from '../input.js';
import type { Target } from '../target.js';

export const target: Target = {
  title: 'class files: strings, uses, replacements, strictly and leniently',
  maxLength: 8192,
  *seeds() {
    for (const [i, file] of sampleClasses(1).slice(0, 150).entries()) {
      yield compose(file, i & 0xff, i >> 8);
    }
  },
  run(input) {
    // The parts to visit, and the options, are chosen once for an input.
    const random = new Random(input.below(0x1_0000));
    visit(input.rest(), random);
  },
};
