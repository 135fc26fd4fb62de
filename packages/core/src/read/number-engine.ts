import { Engine } from './engine.js';

/**
 * The engine of a grammar in which surrogates are numbers. No string contains two such numbers side by
 * side that are not the pair that they spell, so no surrogate becomes text.
 */
export class NumberEngine extends Engine {
  override isText(codePoint: number): boolean {
    return super.isText(codePoint) && codePoint >> 11 !== 0xd800 >> 11;
  }
}
