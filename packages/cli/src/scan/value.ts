/**
 * What a field says: its bytes without the escapes and doubled quotes of its format. Lengths and keys are
 * those of values, not of how a file spells them.
 */
import type { Field } from '../formats/format.js';
import { type Escapes, unspell } from './unspell.js';

const QUOTE = 0x27;

/** How a field is spelled. */
interface Spelling {
  readonly escapes?: Escapes | undefined;
  /** The byte that is doubled. */
  readonly quote?: number | undefined;
}

const PLAIN: Spelling = {};

/**
 * The value of a field.
 *
 * @param format - The name of its format.
 * @param bytes - What the field lies in.
 * @param text - What the field has become; what lies there by default.
 */
export function readValue(
  format: string,
  bytes: Uint8Array,
  field: Field,
  text: Uint8Array = bytes.subarray(field.start, field.end),
): Uint8Array {
  if (field.kind !== 'text') return text;
  const { escapes, quote } = findSpelling(format, bytes, field);
  return unspell(text, escapes, quote);
}

function findSpelling(format: string, bytes: Uint8Array, field: Field): Spelling {
  const before = bytes[field.start - 1];
  const escapes = field.escapes !== false;
  switch (format) {
    case 'jsonl':
      return { escapes: 'json' };
    case 'copy':
      return { escapes: 'postgres' };
    case 'mysqldump':
      return { escapes: escapes ? 'mysql' : undefined, quote: before };
    case 'pg_dump':
      // What stands in no quotes is a column of COPY.
      return {
        escapes: escapes ? 'postgres' : undefined,
        quote: before === QUOTE ? QUOTE : undefined,
      };
    case 'csv':
    case 'tsv':
      return before !== undefined && before === bytes[field.end] ? { quote: before } : PLAIN;
    default:
      return PLAIN;
  }
}
