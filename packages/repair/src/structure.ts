/**
 * Structure of a value within its field: a column of PostgreSQL's `jsonb[]` in a row of COPY is an array of
 * JSON. Plain data, which threads can send.
 */
export type Structure =
  | {
      /** JSON, such as a `json` or `jsonb` of PostgreSQL. */
      readonly is: 'json';
    }
  | {
      /** XML, such as an `xml` of PostgreSQL. */
      readonly is: 'xml';
    }
  | {
      /** An `hstore` of PostgreSQL. */
      readonly is: 'hstore';
    }
  | {
      /** An array of PostgreSQL. */
      readonly is: 'array';
      /** The structure of its elements, if they have one. */
      readonly of?: Structure | undefined;
    }
  | {
      /** A row type of PostgreSQL. */
      readonly is: 'composite';
      /** The structure of each field; null for plain text. */
      readonly of: readonly (Structure | null)[];
    };
