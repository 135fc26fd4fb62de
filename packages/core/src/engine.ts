import { groupByLead, type Leads } from './character.js';
import type { Codec } from './codec.js';
import type { Kernel } from './kernel.js';
import type { ErrorPolicy } from './policy.js';
import { Speller } from './speller.js';
import { TableKernel } from './table-kernel.js';
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
  /** The length of the longest sequence, in bytes. */
  readonly longest: number;
  /** From which code point on up to 7F a byte is the character of its number. */
  readonly firstPlain: number;
  /** U+FEFF as this encoding spells it. */
  readonly bom: Uint8Array;
  #paired: Engine | undefined;

  /**
   * @param name - The name that errors carry.
   * @param tables - The grammar as data.
   * @param kernel - Faster loops than the tables', or what puts them before the tables'.
   */
  constructor(name: string, tables: Tables, kernel?: Kernel | ((table: Kernel) => Kernel)) {
    const { written, accepted = [], paired } = tables;
    const rows = [...written, ...accepted];
    // In a domain of code units a pair is written whole.
    const pairs = paired?.written.filter(([first]) => first > 0xffff) ?? [];
    this.name = name;
    this.tables = tables;
    this.sequences = groupByLead(rows);
    this.units = groupByLead(
      rows.flatMap(([, ...units]) => units.map((unit): PackedRow => [0, unit])),
    );
    this.speller = new Speller([...written, ...pairs]);
    this.longest = Math.max(...[...rows, ...pairs].map(([, ...units]) => units.flat().length / 2));
    this.firstPlain =
      this.speller.spellings.find(
        ({ first, last, length, bytes }) => length === 1 && bytes[0] === first && last === 0x7f,
      )?.first ?? 0x80;
    this.bom = this.speller.spell(0xfeff);
    const table = new TableKernel(this);
    this.kernel = typeof kernel === 'function' ? kernel(table) : (kernel ?? table);
  }

  /**
   * The same encoding read as characters: its halves joined. Where the domain has no lone halves, the
   * engine itself.
   */
  get paired(): Engine {
    const { paired } = this.tables;
    this.#paired ??= paired ? new Engine(this.name, paired) : this;
    return this.#paired;
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
