/** A decoder that accepts one overlong form, E0 9F BF, which is U+07FF. */
import * as strict from '@utf8/strict';
import { checkReading } from '../../src/codec.js';
import type { Target } from '../../src/target.js';
import { edgeWords } from '../../src/words.js';

/** The bytes, with that form as the one that is right. */
function accept(bytes: Uint8Array): Uint8Array {
  const accepted: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0xe0 && bytes[i + 1] === 0x9f && bytes[i + 2] === 0xbf) {
      accepted.push(0xdf, 0xbf);
      i += 2;
    } else accepted.push(bytes[i] as number);
  }
  return Uint8Array.from(accepted);
}

const isValid: typeof strict.isValid = (bytes) => strict.isValid(accept(bytes as Uint8Array));
const codec: typeof strict = { ...strict, isValid };

export const target: Target = {
  title: 'a decoder with a fault',
  maxLength: 24,
  *seeds() {
    yield Buffer.from('a text, and é, and 漢');
  },
  run(input) {
    checkReading(codec, input.spell(edgeWords(strict.grammar)), 0);
  },
};
