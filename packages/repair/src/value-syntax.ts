/**
 * The syntax of a value within its field: a column of PostgreSQL's `jsonb[]` in a row of COPY is an array
 * of JSON. Plain data, which threads can send.
 */
export type ValueSyntax =
  | { readonly is: 'json' }
  | { readonly is: 'hstore' }
  /** An array of PostgreSQL, and the syntax of its elements if they have one. */
  | { readonly is: 'array'; readonly of?: ValueSyntax | undefined }
  /** A row type of PostgreSQL, and the syntax of each field; null for plain text. */
  | { readonly is: 'composite'; readonly of: readonly (ValueSyntax | null)[] };
