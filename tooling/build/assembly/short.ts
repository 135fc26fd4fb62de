/** What `decodeShort` returns where that is no number of code units. */
export namespace Short {
  /** Each byte is the character of its number, so that nothing was written. */
  export const ASCII = -1;
  /** Something is not well-formed. */
  export const DOUBT = -2;
}
