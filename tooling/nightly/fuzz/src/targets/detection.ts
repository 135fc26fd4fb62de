import { codecFor, Detector, detect } from '@utf8/detect';
import { split } from '@utf8/explain';
import { compose } from '../input.js';
import { require, requireEqual, type Target } from '../target.js';
import { vectorInputs } from '../vectors.js';

export const target: Target = {
  title: 'which encodings bytes are in, cut anywhere, and their sequences',
  maxLength: 1024,
  *seeds() {
    for (const [i, bytes] of vectorInputs().entries()) yield compose(bytes, i % 7, 2, i, i * 3, 0);
  },
  run(input) {
    const times = input.below(7);
    const places = Array.from({ length: input.below(6) }, () => input.below(0x1_0000));
    const rest = input.rest();
    const bytes = Buffer.concat(Array.from({ length: 1 + times ** 2 }, () => rest));
    const report = detect(bytes);
    const detector = new Detector();
    const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
      (a, b) => a - b,
    );
    for (const [i, end] of ends.entries()) detector.push(bytes.subarray(ends[i - 1] ?? 0, end));
    requireEqual(JSON.stringify(detector.finish()), JSON.stringify(report), 'a stream');
    for (const { label, isWellFormed, fault } of report.variants) {
      const codec = codecFor(label);
      requireEqual(isWellFormed, codec.isValid(bytes), `${label} is well-formed`);
      const first = codec.findFault(bytes);
      if (first && fault) requireEqual(fault.offset, first.offset, `the first fault in ${label}`);
    }
    let end = 0;
    const sequences = split(bytes, 0, true);
    let next = sequences.next();
    for (; !next.done; next = sequences.next()) {
      requireEqual(next.value.offset, end, 'a gap between sequences');
      require(next.value.bytes.length > 0, 'an empty sequence');
      end += next.value.bytes.length;
    }
    requireEqual(end, bytes.length, 'bytes in sequences');
  },
};
