import type { ErrorPolicy } from '../fault/policy.js';
import type { PackedGrammar, PackedRow } from '../grammar/packed.js';
import type { Kernel, Loops } from './kernel.js';
import { FAULT, groupByLead, type Leads, readSequence, type Sequence } from './sequence.js';
import { prepareRow, type Spelling } from './spelling.js';

/** Rows prepared for reading and writing. */
interface Prepared {
  /** What spells a character, by its first byte. */
  readonly leads: Leads;
  /** What stands alone if it is faulty, by its first byte. */
  readonly units: Leads;
  /** How code points are written. */
  readonly spellings: readonly Spelling[];
}

function prepare({ rows, written = rows }: PackedGrammar): Prepared {
  const units = rows.flatMap(([, ...units]) => units.map((unit): PackedRow => [0, unit]));
  return {
    leads: groupByLead(rows),
    units: groupByLead(units),
    spellings: written.map(prepareRow),
  };
}

/** What is faster than rows. */
export interface Accelerator {
  /** For short input, and for what the kernel doubts. */
  readonly loops: Loops;
  readonly kernel: Kernel;
}

/**
 * What the functions of one codec share: its grammar, prepared when that is first needed, and what
 * makes it fast.
 */
export class Engine {
  /** The name that errors contain. */
  readonly name: string;
  /** Further names that `Decoder` and `Encoder` accept. */
  readonly labels: readonly string[];
  readonly packed: PackedGrammar;
  /**
   * The same encoding without unpaired surrogates, if that is something else. `surrogateescape` works
   * with it, since surrogates stand for bytes there.
   */
  readonly scalars: Engine | undefined;
  readonly accelerator: Accelerator | undefined;
  /** The codec's function: an object with another one is another codec, whatever else it has. */
  decode: unknown;
  #prepared: Prepared | undefined;

  /**
   * @param scalars - See {@link Engine.scalars}.
   * @param accelerator - Loops and a kernel; without them the rows serve.
   */
  constructor(
    name: string,
    labels: readonly string[],
    packed: PackedGrammar,
    scalars?: Engine,
    accelerator?: Accelerator,
  ) {
    this.name = name;
    this.labels = labels;
    // As `isolate`, which takes ten bytes more.
    this.packed = Object.setPrototypeOf({ ...packed }, null);
    this.scalars = scalars;
    this.accelerator = accelerator;
  }

  get prepared(): Prepared {
    this.#prepared ??= prepare(this.packed);
    return this.#prepared;
  }

  /** Tells whether a byte, or a code point, stands for itself. */
  isAscii(value: number): boolean {
    return value < 0x80 && value >= this.packed.firstAscii;
  }

  /** Tells whether a string can contain a code point, which may be below 0 for a fault. */
  isText(codePoint: number): boolean {
    return codePoint >= 0 && codePoint <= 0x10ffff;
  }

  /** Reads the sequence that begins at an offset, or as much of one as there is. */
  read(bytes: Uint8Array, offset: number): Sequence {
    return readSequence(this.prepared.leads, bytes, offset);
  }

  /** Reads what is faulty at an offset: a unit, or as much of one as there is; what a `!` row refuses. */
  readFault(bytes: Uint8Array, offset: number, sequence: Sequence): Sequence {
    return sequence.codePoint !== FAULT
      ? sequence
      : readSequence(this.prepared.units, bytes, offset);
  }
}

/** Finds the engine of a codec; undefined if the codec is not one of this copy of this package. */
export function findEngine(codec: { decode?: unknown; engine?: unknown }): Engine | undefined {
  const { engine } = codec;
  return engine instanceof Engine && engine.decode === codec.decode ? engine : undefined;
}

/** Selects the engine that works under a policy; see {@link Engine.scalars}. */
export function engineFor(engine: Engine, policy: ErrorPolicy): Engine {
  return (policy === 'surrogateescape' && engine.scalars) || engine;
}
