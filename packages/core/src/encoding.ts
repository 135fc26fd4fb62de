import type { Kernel } from './fast/kernel.js';
import type { Loops } from './fast/loops.js';
import type { ErrorPolicy } from './fault/policy.js';
import type { PackedGrammar, PackedRow } from './grammar/packed.js';
import { prepareRow } from './rows/prepared-row.js';
import type { PreparedRows, Rows } from './rows/rows.js';
import { FAULT, groupByLead, readSequence, type Sequence } from './rows/sequence.js';

function prepare({ rows, written = rows }: PackedGrammar): PreparedRows {
  const units = rows.flatMap(([, ...units]) => units.map((unit): PackedRow => [0, unit]));
  return {
    leads: groupByLead(rows),
    units: groupByLead(units),
    written: written.map(prepareRow),
  };
}

/**
 * An encoding at run time: the data that all functions of its codec share. Its rows read and write one
 * character at a time, its loops and its kernel many.
 */
export class Encoding implements Rows {
  readonly name: string;
  /** Further names that `TextDecoder` accepts. */
  readonly labels: readonly string[];
  readonly packed: PackedGrammar;
  /**
   * The encoding without unpaired surrogates, if that differs. `surrogateescape` needs it, because it
   * represents bytes as surrogates.
   */
  readonly scalars: Encoding | undefined;
  readonly loops: Loops | undefined;
  /** Undefined in `/lite` and without a compiler. */
  readonly kernel: Kernel | undefined;
  /** The codec's function, which identifies the codec: an object with another `decode` is another codec. */
  decode: unknown;
  #prepared: PreparedRows | undefined;

  /**
   * @param scalars - See {@link Encoding.scalars}.
   * @param loops - Without loops, the rows convert everything.
   */
  constructor(
    name: string,
    labels: readonly string[],
    packed: PackedGrammar,
    scalars?: Encoding,
    loops?: Loops,
    kernel?: Kernel,
  ) {
    this.name = name;
    this.labels = labels;
    // Not by `isolate`, which would make bundles ten bytes larger.
    this.packed = Object.setPrototypeOf({ ...packed }, null);
    this.scalars = scalars;
    this.loops = loops;
    this.kernel = kernel;
  }

  get prepared(): PreparedRows {
    this.#prepared ??= prepare(this.packed);
    return this.#prepared;
  }

  /** Tells whether a string can contain a code point, which may be below 0 for a fault. */
  isText(codePoint: number): boolean {
    return codePoint >= 0 && codePoint <= 0x10ffff;
  }

  read(bytes: Uint8Array, offset: number): Sequence {
    return readSequence(this.prepared.leads, bytes, offset);
  }

  readFault(bytes: Uint8Array, offset: number, sequence: Sequence): Sequence {
    return sequence.codePoint !== FAULT
      ? sequence
      : readSequence(this.prepared.units, bytes, offset);
  }
}

/** Selects the encoding that works under a policy; see {@link Encoding.scalars}. */
export function encodingFor(encoding: Encoding, policy: ErrorPolicy): Encoding {
  return (policy === 'surrogateescape' && encoding.scalars) || encoding;
}
