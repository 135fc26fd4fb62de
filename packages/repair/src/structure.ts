/**
 * Structure of a value within its field: a column of PostgreSQL's `jsonb[]` in a row of COPY is an array of
 * JSON. Plain data, which threads can send.
 *
 * If a value does not have its structure, only characters above U+007F are written into it; any other change is
 * refused. A key that becomes equal to another key of its object or hstore is refused by default, because a
 * database would drop one of them. Other escapes of a character, such as `\u00e9`, stay as they are.
 */
export type Structure =
  | {
      /**
       * JSON, such as a `json` or `jsonb` of PostgreSQL. An unpaired `\ud83d` is an unpaired surrogate, and
       * `\u0000` is U+0000. A surrogate escaped as `\ud83d` forms a pair with one in three bytes. The policy `escape`
       * writes `\\ud83d`; `keep` writes `\ud83d` if the target has no surrogates.
       *
       * @see RFC 8259
       */
      readonly is: 'json';
    }
  | {
      /**
       * XML, such as an `xml` of PostgreSQL. The references of two surrogates, `&#55357;&#56838;`, become that of
       * their character. Policies decide about references and characters that XML excludes.
       *
       * @see XML 1.0, sections 2.2 and 4.1
       */
      readonly is: 'xml';
    }
  | {
      /** An `hstore` of PostgreSQL. */
      readonly is: 'hstore';
    }
  | {
      /** An array of PostgreSQL. Text is quoted if it becomes empty or NULL, or begins or ends with a blank. */
      readonly is: 'array';
      /** The structure of its elements, if they have one. */
      readonly of?: Structure | undefined;
    }
  | {
      /** A row type of PostgreSQL. Text is quoted as in an array. */
      readonly is: 'composite';
      /** The structure of each field; null for plain text. */
      readonly of: readonly (Structure | null)[];
    };
