/** Findings of a scan. Property names and their order are those of the JSON report. */
import type { FaultReason } from '@utf8/core';
import { repairedKinds } from '@utf8/repair';
import type { RepairChoice } from '../pool/work.js';

/** Place of a record, or of something in it. */
export interface RecordPlace {
  /** The path of the file, or `-` for stdin. */
  readonly file: string;
  /** The line, from 1; of a record, the one that it begins on. */
  readonly line: number;
  /** The number of the record, from 1; 0 outside of records. */
  readonly record: number;
}

/** A finding of {@link scanDump}; `kind` tells which. */
export type ScanFinding = RecordPlace & {
  /** The table of the record, if it is known. */
  readonly table?: string | undefined;
  /** Its name, or its number from 1 if it has none. */
  readonly column: string | number;
  /**
   * The values of the key columns as text, by column; null if a value is missing or NULL. Present if the scan has
   * keys.
   */
  readonly key?: Readonly<Record<string, string | null>> | undefined;
  /** In bytes from the start of the uncompressed file. */
  readonly offset: number;
} & (
    | {
        /** A character that a conversion would change or refuse; `mojibake` is kept unless the policy repairs it. */
        readonly kind: Exclude<(typeof repairedKinds)[number], 'noncharacter'>;
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
        /** Upper-case hex of the result; null if the conversion refuses it. */
        readonly becomes: string | null;
        /** Reason that the bytes are malformed, if they are. */
        readonly reason?: FaultReason | undefined;
        /** Of an `inner-length` that is refused: whether it is wrong before the conversion, too. */
        readonly isAlreadyWrong?: boolean | undefined;
        /** For mojibake, the encodings in which UTF-8 was read, the last one first: one for each layer. */
        readonly through?: readonly string[] | undefined;
      }
    /** A key that only the conversion makes equal to another one. */
    | {
        /** Keys that become equal. */
        readonly kind: 'equal-keys';
        /** Key after the conversion. */
        readonly becomes: Readonly<Record<string, string | null>>;
        /** The record with the other key. */
        readonly other: RecordPlace & {
          /** The values of its key columns as text; null if a value is missing or NULL. */
          readonly key: Readonly<Record<string, string | null>>;
        };
      }
    /** A key that the conversion moves to the other side of the previous record's key. */
    | {
        /** Keys whose order changes. */
        readonly kind: 'order';
        /** The previous record. */
        readonly other: RecordPlace & {
          /** The values of its key columns as text; null if a value is missing or NULL. */
          readonly key: Readonly<Record<string, string | null>>;
        };
        /** Order of this key and that of the other record before the conversion. */
        readonly before: 'less' | 'equal' | 'greater';
        /** Order of the two keys after the conversion. */
        readonly after: 'less' | 'equal' | 'greater';
      }
    /** A text that would be longer than its column allows. */
    | {
        /** A text that becomes too long. */
        readonly kind: 'too-long';
        /** As in the options: `40b`. */
        readonly limit: string;
        /** The length before the conversion, in the unit of the limit. */
        readonly before: number;
        /** The length after the conversion, in the unit of the limit. */
        readonly after: number;
      }
    /**
     * A character that the server would store as `?`, since a character set lacks it, or as other characters, since the
     * dump declares another encoding than that of its text.
     */
    | {
        /** Cause: the column or the connection lacks the character, or the declaration is wrong. */
        readonly kind: 'declared-encoding' | 'narrow-column' | 'narrow-connection';
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
        readonly kind: 'unstated-encoding';
        /** Declaration in the dump, such as `SQL_ASCII`; null if there is none. */
        readonly charset: string | null;
      }
    /** U+FEFF at the start, which some programs take for a part of the first name or statement. */
    | {
        /** A byte order mark at the start of a file. */
        readonly kind: 'byte-order-mark';
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
      }
    /** A value that decides the partition of its row, and changes. */
    | {
        /** A value that decides a partition. */
        readonly kind: 'partition-key';
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
      }
    /** A value that may be text or binary, so that a conversion keeps it, though it would change a text. */
    | {
        /** Something that may not be text. */
        readonly kind: 'text-or-binary';
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
      }
    /** An escape, such as `\ud83d`, that a column of jsonb would refuse, in JSON that no column declares. */
    | {
        /** An escape in a value that may be JSON. */
        readonly kind: 'undeclared-json';
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
      }
    /** A reference such as `&#55357;`, or a control, that no parser accepts, in XML that no column declares. */
    | {
        /** A reference or a control in a value that may be XML. */
        readonly kind: 'undeclared-xml';
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
      }
    /** A row that refers to one that is rejected, directly or by way of others. */
    | {
        /** A row whose parent is rejected. */
        readonly kind: 'orphaned-row';
      }
    /** A noncharacter. */
    | {
        /** A code point that is never a character. */
        readonly kind: 'noncharacter';
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
        /** The code point, such as `U+FFFE`; present if the policy keeps it. */
        readonly character?: string;
        /** Its replacement in upper-case hex; null if the conversion refuses it; absent if it stays. */
        readonly becomes?: string | null;
      }
    /** A code point such as `U+50000` in a plane without characters. */
    | {
        /** A code point without a character. */
        readonly kind: 'unassigned';
        /** Upper-case hex, separated by spaces. */
        readonly bytes: string;
        /** The code point. */
        readonly character: string;
      }
  );

/** The values of the key columns as text, by column; null if a value is missing or NULL. */
export type RecordKey = NonNullable<ScanFinding['key']>;

/** Place of a finding. */
export type FindingPlace = Pick<
  ScanFinding,
  keyof RecordPlace | 'table' | 'column' | 'key' | 'offset'
>;

/** Finding without its place. */
export type FindingDetail = WithoutPlace<ScanFinding>;

type WithoutPlace<Finding> = Finding extends unknown ? Omit<Finding, keyof FindingPlace> : never;

/** Kind of a finding: a character to repair, or something that its repair would break. */
export type ScanKind = ScanFinding['kind'];

/** All kinds of finding, in the order of a summary. */
export const scanKinds: readonly ScanKind[] = [
  ...repairedKinds,
  'equal-keys',
  'too-long',
  'declared-encoding',
  'narrow-column',
  'narrow-connection',
  'unstated-encoding',
  'text-or-binary',
  'partition-key',
  'orphaned-row',
  'order',
  'undeclared-json',
  'undeclared-xml',
  'unassigned',
  'byte-order-mark',
];

/** The kinds that do not affect a conversion. */
export const suggestedKinds = ({
  mojibake,
  noncharacters = 'keep',
}: KeepingPolicies): readonly ScanKind[] => [
  ...(mojibake === 'keep' ? (['mojibake'] as const) : []),
  ...(noncharacters === 'keep' ? (['noncharacter'] as const) : []),
  'unassigned',
  'byte-order-mark',
];

/** The policies that may keep findings of a scan. */
export type KeepingPolicies = Pick<RepairChoice, 'mojibake' | 'noncharacters'>;
