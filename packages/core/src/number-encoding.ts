import { Encoding } from './encoding.js';

/**
 * The encoding of a grammar in which surrogates are numbers. No string contains two such numbers side by
 * side that are not the pair that they encode, so no surrogate becomes text.
 */
export class NumberEncoding extends Encoding {
  override isText(codePoint: number): boolean {
    return super.isText(codePoint) && codePoint >> 11 !== 0xd800 >> 11;
  }
}
