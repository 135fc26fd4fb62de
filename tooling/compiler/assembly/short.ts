/** Results of `decodeShort` that are not a number of code units. */
export namespace Short {
  /** Each byte is the code point of its number, and nothing was written. Below it, -2 - n: n bytes are well-formed. */
  export const ASCII = -1;
}
