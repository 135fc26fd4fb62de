/** What a conversion counts, over all segments and runs. */
import type { Codec } from '@utf8/core';
import { repairedKinds } from '@utf8/repair';
import type { ConvertPlan } from '../plan.js';
import { encodeBom, startsWith } from '../rewrite/bom.js';
import { ChangeTotals } from '../rewrite/changes.js';
import { addCounts, NO_RECORDS, type RecordCounts } from '../rewrite/counts.js';
import type { TextCounts } from '../rewrite/transcriber.js';

type Numbers = Readonly<Record<string, number>>;

/** Statistics of plain text; the names are those of the JSON. */
export interface TextStats {
  readonly files: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Counted only on request, as the next three are. */
  readonly characters: number;
  readonly lines: number | undefined;
  readonly changedCharacters: Numbers | undefined;
  readonly changedLines: number | undefined;
  readonly errors: string;
  /** Faults by reason, as far as the policy repaired them. */
  readonly faults: Numbers;
  readonly nul: { readonly removed: number; readonly replaced: number };
  readonly bom: { readonly stripped: number; readonly added: number };
}

/** Statistics of records; the names are those of the JSON. */
export interface RecordStats {
  readonly file: string;
  readonly format: string;
  readonly from: string;
  readonly to: string;
  readonly errors: string;
  readonly unpairedSurrogates: string;
  readonly nul: string;
  readonly mojibake: string;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly bytesRejected: number;
  readonly records: Readonly<Record<'in' | 'out' | 'rejected' | 'changed', number>>;
  /** Numbers of findings by kind, those in rejected records included. */
  readonly findings: Numbers;
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

/** Adds up the counts of plain text. */
export class TextLedger {
  counts: TextTotals = NO_TEXT;
  readonly #plan: ConvertPlan;
  readonly #bom: Uint8Array;
  readonly #changes: ChangeTotals | undefined;
  /** Whether the output still has to begin with a byte order mark. */
  #wantsBom: boolean;

  constructor(plan: ConvertPlan, to: Codec) {
    this.#plan = plan;
    this.#bom = encodeBom(to);
    this.#changes = plan.isCounted ? new ChangeTotals() : undefined;
    const { bom, range } = plan;
    this.#wantsBom = bom === 'add' && range.from === 0 && range.to > 0;
  }

  add({ changes, ...counts }: TextCounts): void {
    this.counts = addCounts<TextTotals>(this.counts, { bomsAdded: 0, ...counts });
    if (changes) this.#changes?.add(changes);
  }

  /** Ends an input. */
  endFile(): void {
    this.#changes?.endFile();
  }

  /** Returns what must precede the output, given its first bytes. */
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
    return [this.counts, this.#wantsBom, this.#changes?.state ?? null];
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

  constructor(plan: ConvertPlan) {
    this.#plan = plan;
  }

  add(counts: RecordCounts): void {
    this.counts = addCounts(this.counts, counts);
  }

  endFile(): void {}

  begin(): undefined {}

  get state(): object {
    return this.counts;
  }

  restore(state: object): void {
    this.counts = state as RecordCounts;
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
