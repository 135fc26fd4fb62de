/** What a scan finds. Property names and their order are those of the JSON report. */
import type { FaultReason } from '@utf8/core';
import { type MojibakePolicy, repairedKinds } from '@utf8/repair';

/** The values of the key columns as text, by column; null if a value is missing or NULL. */
export type RecordKey = Readonly<Record<string, string | null>>;

/** Where a finding is. */
export interface FindingPlace {
  /** Its path, or `-` for stdin. */
  readonly file: string;
  /** The number of the record, from 1; 0 outside of records. */
  readonly record: number;
  /** The line, from 1. */
  readonly line: number;
  /** The table of the record, if it is known. */
  readonly table?: string | undefined;
  /** Its name, or its number from 1 if it has none. */
  readonly column: string | number;
  /** Present if the scan has keys. */
  readonly key?: RecordKey | undefined;
  /** In bytes from the start of the uncompressed file. */
  readonly offset: number;
}

/** The record that a finding conflicts with. */
export interface OtherRecord extends Pick<FindingPlace, 'file' | 'record' | 'line'> {
  /** The values of its key columns. */
  readonly key: RecordKey;
}

/** How the bytes of two keys compare. */
export type KeyRelation = 'less' | 'equal' | 'greater';

/** What is found, without its place. */
export type FindingDetail =
  /** A character that a conversion would change or refuse; `mojibake` is kept unless the policy repairs it. */
  | {
      /** What the character is. */
      readonly kind: (typeof repairedKinds)[number];
      /** Upper-case hex, separated by spaces. */
      readonly bytes: string;
      /** The same for the result; null if the conversion refuses it. */
      readonly becomes: string | null;
      /** Why the bytes are malformed, if they are. */
      readonly reason?: FaultReason | undefined;
    }
  /** A key that only the conversion makes equal to another one. */
  | {
      /** Keys that become equal. */
      readonly kind: 'equal keys';
      /** What the key becomes. */
      readonly becomes: RecordKey;
      /** The record with the other key. */
      readonly other: OtherRecord;
    }
  /** A key that the conversion moves to the other side of the previous record's key. */
  | {
      /** Keys whose order changes. */
      readonly kind: 'order';
      /** The previous record. */
      readonly other: OtherRecord;
      /** How this key compares with that of the other record before the conversion. */
      readonly before: KeyRelation;
      /** How the two compare after the conversion. */
      readonly after: KeyRelation;
    }
  /** A text that would be longer than its column allows. */
  | {
      /** A text that becomes too long. */
      readonly kind: 'over the limit';
      /** As in the options: `40b`. */
      readonly limit: string;
      /** The length before the conversion, in the unit of the limit. */
      readonly before: number;
      /** The length after the conversion, in the unit of the limit. */
      readonly after: number;
    }
  /** A character that the server would store as `?`, since a character set lacks it. */
  | {
      /** Whether the column or the connection lacks the character. */
      readonly kind: 'narrow column' | 'narrow connection';
      /** Upper-case hex, separated by spaces. */
      readonly bytes: string;
      /** The character set. */
      readonly charset: string;
      /** The line that says so; 0 if none does. */
      readonly declared: number;
    }
  /** A dump that leaves the encoding of its text to the server, or to its client. */
  | {
      /** An encoding that the dump does not state. */
      readonly kind: 'unstated encoding';
      /** What it says instead, such as `SQL_ASCII`; null if it says nothing. */
      readonly charset: string | null;
    }
  /** A value that decides the partition of its row, and changes. */
  | {
      /** A value that decides a partition. */
      readonly kind: 'partition key';
      /** Upper-case hex, separated by spaces. */
      readonly bytes: string;
    }
  /** A value that may be text or binary, so that a conversion keeps it, though it would change a text. */
  | {
      /** Something that may not be text. */
      readonly kind: 'text or binary';
      /** Upper-case hex, separated by spaces. */
      readonly bytes: string;
    }
  /** An escape, such as `\ud83d`, that a column of jsonb would refuse, in JSON that no column declares. */
  | {
      /** An escape in what may be JSON. */
      readonly kind: 'undeclared JSON';
      /** Upper-case hex, separated by spaces. */
      readonly bytes: string;
    }
  /** A row that refers to one that is rejected, directly or by way of others. */
  | {
      /** A row whose parent is rejected. */
      readonly kind: 'orphaned row';
    }
  /** A length, as PHP serializes it, that the conversion makes wrong. */
  | {
      /** A length that becomes wrong. */
      readonly kind: 'length prefix';
      /** The length as it is spelled, such as `s:6:`. */
      readonly prefix: string;
    }
  /** A noncharacter, or a code point such as `U+50000` in a plane without characters. */
  | {
      /** A code point without a character. */
      readonly kind: 'noncharacter or unassigned';
      /** Upper-case hex, separated by spaces. */
      readonly bytes: string;
      /** The code point, such as `U+FFFE`. */
      readonly character: string;
    };

/** What a finding is about: a character to repair, or something that its repair would break. */
export type ScanKind = FindingDetail['kind'];

/** All kinds of finding, in the order of a summary. */
export const scanKinds: readonly ScanKind[] = [
  ...repairedKinds,
  'equal keys',
  'over the limit',
  'narrow column',
  'narrow connection',
  'unstated encoding',
  'text or binary',
  'partition key',
  'orphaned row',
  'order',
  'length prefix',
  'undeclared JSON',
  'noncharacter or unassigned',
];

/** The kinds that do not affect a conversion. */
export const suggestedKinds = (mojibake: MojibakePolicy): readonly ScanKind[] =>
  mojibake === 'keep' ? ['mojibake', 'noncharacter or unassigned'] : ['noncharacter or unassigned'];

/** A finding of {@link scanDump}; `kind` tells which. */
export type ScanFinding = FindingPlace & FindingDetail;
