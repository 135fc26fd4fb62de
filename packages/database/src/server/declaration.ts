/** Columns that are declared in another character set than their text is in. All of it is plain data. */
import type { NamedKey } from '../key.js';

/** A column of a legacy character set that contains UTF-8. */
export interface Misdeclaration {
  /** The name of the column. */
  readonly column: string;
  /** As it was declared, such as `varchar(40)`. */
  readonly type: string;
  /** The character set, as the server names it. */
  readonly charset: string;
  /** Number of values with characters above U+007F that are UTF-8. */
  readonly utf8: number;
  /** Number of other values with bytes above 7F: text of the character set, or malformed. */
  readonly others: number;
  /** The characters of the bytes 80 to FF in the character set; empty for undefined bytes. */
  readonly characters: readonly string[];
  /** Its character set and collation, and those that a repair declares. */
  readonly declaration: {
    /** Such as `latin1 latin1_swedish_ci`. */
    readonly old: string;
    /** Such as `utf8mb4 utf8mb4_unicode_520_ci`. */
    readonly new: string;
  };
  /** Reason why the column cannot be declared anew; undefined if nothing is known to prevent it. */
  readonly refusal: string | undefined;
  /** The first values of both sorts, at most three each. */
  readonly examples: {
    /** Those that are UTF-8. */
    readonly utf8: readonly DeclaredExample[];
    /** The others. */
    readonly others: readonly DeclaredExample[];
  };
}

/** A value of a column that is declared in another character set. */
export interface DeclaredExample {
  /** The key of the row. */
  readonly key: NamedKey;
  /** At most 64 bytes, in upper-case hex, separated by spaces. */
  readonly bytes: string;
}

/** A change of the character set that a column is declared in, which keeps its bytes. */
export interface Declaration {
  /** The name of the column. */
  readonly column: string;
  /** Its type, such as `varchar(40)`. */
  readonly type: string;
  /** The character set and the collation that it has. */
  readonly from: string;
  /** Those that it gets. */
  readonly to: string;
}
