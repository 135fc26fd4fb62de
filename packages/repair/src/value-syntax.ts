/**
 * The syntax of a value within its field: a column of PostgreSQL's `jsonb[]` in a row of COPY is an array
 * of JSON. Plain data, which threads can send.
 */
export type ValueSyntax =
  | {
      /** JSON, such as a `json` or `jsonb` of PostgreSQL. */
      readonly is: 'json';
    }
  | {
      /** An `hstore` of PostgreSQL. */
      readonly is: 'hstore';
    }
  | {
      /** An array of PostgreSQL. */
      readonly is: 'array';
      /** The syntax of its elements, if they have one. */
      readonly of?: ValueSyntax | undefined;
    }
  | {
      /** A row type of PostgreSQL. */
      readonly is: 'composite';
      /** The syntax of each field; null for plain text. */
      readonly of: readonly (ValueSyntax | null)[];
    };
