/** Counts of a conversion, over all segments and runs. */
import type { Codec } from '@utf8/core';
import { repairedKinds } from '@utf8/repair';
import type { ConvertPlan } from '../plan.js';
import { encodeBom, startsWith } from '../rewrite/bom.js';
import { ChangeTotals } from '../rewrite/changes.js';
import {
  addCounts,
  NO_RECORDS,
  type RecordCounts,
  type RejectSettings,
} from '../rewrite/rewriter.js';
import type { TextCounts } from '../rewrite/transcriber.js';

/** Statistics of plain text; the names are those of the JSON. */
export interface TextStats {
  /** The paths of the inputs; `-` is stdin. */
  readonly files: readonly string[];
  /** The label of the encoding of the input. */
  readonly from: string;
  /** The label of the encoding of the output. */
  readonly to: string;
  /** Number of bytes that were read, decompressed. */
  readonly bytesRead: number;
  /** Number of bytes that were written. */
  readonly bytesWritten: number;
  /** Number of characters that were read; 0 unless they are counted, as the next three are. */
  readonly characters: number;
  /** Number of lines of all files; a last line without a line feed is one. */
  readonly lines: number | undefined;
  /** Numbers of characters that both encodings contain with different bytes, by kind. */
  readonly changedCharacters: Readonly<Record<string, number>> | undefined;
  /** Number of lines that were changed. */
  readonly changedLines: number | undefined;
  /** The policy for malformed input. */
  readonly errors: string;
  /** Faults by reason, as far as the policy repaired them. */
  readonly faults: Readonly<Record<string, number>>;
  /** Number of U+0000 by result. */
  readonly nul: {
    /** Number of those that were removed. */
    readonly removed: number;
    /** Number of those that were replaced. */
    readonly replaced: number;
  };
  /** Result for U+FEFF at the start. */
  readonly bom: {
    /** Number of those that were removed, at most one for each input. */
    readonly stripped: number;
    /** Number of those that were added: 0 or 1. */
    readonly added: number;
  };
}

/** Statistics of records; the names are those of the JSON. */
export interface RecordStats {
  /** The path of the input, or `-` for stdin. */
  readonly file: string;
  /** The name of the format. */
  readonly format: string;
  /** The label of the encoding of the input. */
  readonly from: string;
  /** The label of the encoding of the output. */
  readonly to: string;
  /** The policy for malformed input. */
  readonly errors: string;
  /** The policy for unpaired surrogates. */
  readonly unpairedSurrogates: string;
  /** The policy for U+0000. */
  readonly nul: string;
  /** The policy for mojibake. */
  readonly mojibake: string;
  /** Number of bytes that were read, decompressed. */
  readonly bytesRead: number;
  /** Number of bytes that were written. */
  readonly bytesWritten: number;
  /** Number of bytes of rejected records, without text around them such as the start of an INSERT. */
  readonly bytesRejected: number;
  /** Numbers of records: read, written, rejected, and written with changes. */
  readonly records: Readonly<Record<'in' | 'out' | 'rejected' | 'changed', number>>;
  /** Numbers of findings by kind, those in rejected records included. */
  readonly findings: Readonly<Record<string, number>>;
}

interface TextTotals extends Omit<TextCounts, 'changes'> {
  readonly bomsAdded: number;
}

const NO_TEXT: TextTotals = {
  bytesRead: 0,
  bytesWritten: 0,
  characters: 0,
  bomsStripped: 0,
  bomsAdded: 0,
  nuls: 0,
  faults: {},
};

/** Tells whether an output is to begin with U+FEFF: the output of the start of a file. */
const addsBom = ({ bom, range }: ConvertPlan): boolean =>
  bom === 'add' && range.from === 0 && range.to > 0;

/** Adds up the counts of plain text. */
export class TextLedger {
  counts: TextTotals = NO_TEXT;
  readonly #plan: ConvertPlan;
  readonly #bom: Uint8Array;
  readonly #changes: ChangeTotals | undefined;
  /** True while the output still has to begin with a byte order mark. */
  #wantsBom: boolean;

  constructor(plan: ConvertPlan, to: Codec) {
    this.#plan = plan;
    this.#bom = encodeBom(to);
    this.#changes = plan.isCounted ? new ChangeTotals() : undefined;
    this.#wantsBom = addsBom(plan);
  }

  add({ changes, ...counts }: TextCounts): void {
    this.counts = addCounts<TextTotals>(this.counts, { bomsAdded: 0, ...counts });
    if (changes) this.#changes?.add(changes);
  }

  /** Text has no records that could be rejected. */
  passSettings(): number {
    return 0;
  }

  /** Ends an input. */
  endFile(): void {
    this.#changes?.endFile();
  }

  /** Returns the bytes that must precede the output, given its first bytes. */
  begin(output: Uint8Array): Uint8Array | undefined {
    if (!this.#wantsBom) return undefined;
    this.#wantsBom = false;
    if (startsWith(output, this.#bom)) return undefined;
    const mark = { ...NO_TEXT, bytesWritten: this.#bom.length, bomsAdded: 1 };
    this.counts = addCounts<TextTotals>(this.counts, mark);
    return this.#bom;
  }

  /** Everything so far as plain data, for a later run to {@link restore}. */
  get state(): object {
    // A copy, since it is written while the run continues.
    return [this.counts, this.#wantsBom, structuredClone(this.#changes?.state ?? null)];
  }

  restore(state: object): void {
    const [counts, wantsBom, changes] = state as [
      TextTotals,
      boolean,
      ChangeTotals['state'] | null,
    ];
    this.counts = counts;
    this.#wantsBom = wantsBom;
    if (changes && this.#changes) this.#changes.state = changes;
  }

  describe(): TextStats {
    const { inputs: files, from, to, errors, nul } = this.#plan;
    const { bytesRead, bytesWritten, characters, faults, nuls, ...boms } = this.counts;
    const { lines, characters: changedCharacters, changedLines } = this.#changes?.state ?? {};
    return {
      files,
      from,
      to,
      bytesRead,
      bytesWritten,
      characters,
      lines,
      changedCharacters,
      changedLines,
      errors,
      faults,
      nul: { removed: nul === 'remove' ? nuls : 0, replaced: nul === 'remove' ? 0 : nuls },
      bom: { stripped: boms.bomsStripped, added: boms.bomsAdded },
    };
  }
}

/** Adds up the counts of records. */
export class RecordLedger {
  counts: RecordCounts = NO_RECORDS;
  readonly #plan: ConvertPlan;
  readonly #bom: Uint8Array;
  /** The settings under which the last rejected record stands. */
  #settings = '';
  /** True while the output still has to begin with a byte order mark. */
  #wantsBom: boolean;

  constructor(plan: ConvertPlan, to: Codec) {
    this.#plan = plan;
    this.#bom = encodeBom(to);
    this.#wantsBom = addsBom(plan);
  }

  add(counts: RecordCounts): void {
    this.counts = addCounts(this.counts, counts);
  }

  /** Returns how many bytes of the settings of rejected records the file of rejects says already. */
  passSettings({ first, last }: RejectSettings): number {
    const known = this.#settings === first ? first.length : 0;
    this.#settings = last;
    return known;
  }

  endFile(): void {}

  /** Returns the bytes that must precede the output, given its first bytes. */
  begin(output: Uint8Array): Uint8Array | undefined {
    if (!this.#wantsBom) return undefined;
    this.#wantsBom = false;
    if (startsWith(output, this.#bom)) return undefined;
    this.counts = { ...this.counts, bytesWritten: this.counts.bytesWritten + this.#bom.length };
    return this.#bom;
  }

  get state(): object {
    return { ...this.counts, settings: this.#settings, wantsBom: this.#wantsBom };
  }

  restore(state: object): void {
    const { settings, wantsBom, ...counts } = state as RecordCounts & {
      readonly settings: string;
      readonly wantsBom: boolean;
    };
    this.counts = counts;
    this.#settings = settings;
    this.#wantsBom = wantsBom;
  }

  describe(): RecordStats {
    const { inputs, format, from, to, errors, unpairedSurrogates, nul, mojibake } = this.#plan;
    const { records, rejected, changed, findings, ...bytes } = this.counts;
    const { bytesRead, bytesWritten, bytesRejected } = bytes;
    return {
      file: inputs[0] as string,
      format: format.name,
      from,
      to,
      errors,
      unpairedSurrogates,
      nul,
      mojibake,
      bytesRead,
      bytesWritten,
      bytesRejected,
      records: { in: records, out: records - rejected, rejected, changed },
      findings: { ...Object.fromEntries(repairedKinds.map((kind) => [kind, 0])), ...findings },
    };
  }
}
