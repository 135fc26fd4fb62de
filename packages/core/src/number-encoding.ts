import { Encoding } from './encoding.js';

/**
 * The encoding of a grammar in which surrogates are numbers. A string would read two adjacent ones as a pair,
 * so no surrogate becomes text.
 */
export class NumberEncoding extends Encoding {
  override isText(codePoint: number): boolean {
    return super.isText(codePoint) && codePoint >> 11 !== 0xd800 >> 11;
  }
}
