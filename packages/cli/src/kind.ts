/** The kinds of character that encodings of this family spell differently. */
export const kinds = ['pair', 'four-byte form', 'lone half', 'nul', 'overlong', 'other'] as const;

/** One of them; `other` is whatever has no name of its own. */
export type Kind = (typeof kinds)[number];
