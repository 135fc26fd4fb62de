import { groupByLead, type Leads } from './character.js';
import type { Codec } from './codec.js';
import type { Kernel, Scratch } from './kernel.js';
import type { ErrorPolicy } from './policy.js';
import { createSpeller, type Speller } from './speller.js';
import { createTableKernel } from './table-kernel.js';
import type { PackedRow, Tables } from './tables.js';

/** What the drivers of one codec share: the tables, made ready for use, and the kernel. */
export class Engine {
  readonly name: string;
  readonly tables: Tables;
  readonly kernel: Kernel;
  /** What spells a character, by its first byte. */
  readonly sequences: Leads;
  /** What stands alone where it is faulty, by its first byte. */
  readonly units: Leads;
  readonly speller: Speller;
  /** The first `length` code units of the scratch as a string, by what the platform has for that. */
  readonly takeText: ((scratch: Scratch, length: number) => string) | undefined;
  /**
   * The same encoding read as characters: its halves joined. Where the domain has no lone halves, the
   * engine itself.
   */
  readonly paired: Engine;

  /**
   * @param name - The name that errors carry.
   * @param tables - The grammar as data.
   * @param kernel - Puts faster loops before the tables', or in their place.
   * @param takeText - What the platform has for that, if it is wanted.
   */
  constructor(
    name: string,
    tables: Tables,
    kernel?: (table: Kernel) => Kernel,
    takeText?: Engine['takeText'],
  ) {
    const { rows, spelled = rows, paired } = tables;
    this.name = name;
    this.tables = tables;
    this.sequences = groupByLead(rows);
    this.units = groupByLead(
      rows.flatMap(([, ...units]) => units.map((unit): PackedRow => [0, unit])),
    );
    this.speller = createSpeller(spelled);
    this.paired = paired ? new Engine(name, paired) : this;
    this.takeText = takeText;
    const table = createTableKernel(this);
    this.kernel = kernel?.(table) ?? table;
  }
}

/**
 * The engine that works under a policy. Under `surrogateescape` lone halves stand for bytes, so an
 * encoding of code units works as the one of its characters.
 */
export function engineFor(engine: Engine, policy: ErrorPolicy): Engine {
  return policy === 'surrogateescape' ? engine.paired : engine;
}

const engines = new WeakMap<Codec['decode'], Engine>();

/** Remembers which engine is behind a codec's `decode`, for {@link findEngine}. */
export function registerEngine(decode: Codec['decode'], engine: Engine): void {
  engines.set(decode, engine);
}

/** The engine behind a codec's `decode`, if this package made it. */
export function findEngine(decode: Codec['decode']): Engine | undefined {
  return engines.get(decode);
}
