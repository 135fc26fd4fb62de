/** A module with nothing in it, whose import `first.mjs` times beside the codecs'. */
export {};
