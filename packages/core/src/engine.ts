import { type Automaton, deriveAutomaton } from './automaton.js';
import type { Codec } from './codec.js';
import { flatten, type Grammar, type Row, type Unit } from './grammar.js';
import type { Kernel } from './kernel.js';
import type { ErrorPolicy } from './policy.js';
import { pairSurrogates } from './rows.js';
import { Speller } from './speller.js';
import { TableKernel } from './table-kernel.js';

/**
 * What the drivers of one codec share: the grammar, what is derived from it, and the kernel. Each
 * part is derived when it is first asked for, so that a program pays for what it uses.
 */
export class Engine {
  readonly name: string;
  readonly grammar: Grammar;
  readonly kernel: Kernel;
  #automaton: Automaton | undefined;
  #speller: Speller | undefined;
  #paired: Engine | undefined;
  #units: readonly Unit[] | undefined;
  #longest: number | undefined;
  #firstPlain: number | undefined;
  #bom: Uint8Array | undefined;

  /**
   * @param name - The name that errors carry.
   * @param grammar - The definition.
   * @param kernel - Faster loops than the tables', or what puts them before the tables'.
   */
  constructor(name: string, grammar: Grammar, kernel?: Kernel | ((table: Kernel) => Kernel)) {
    this.name = name;
    this.grammar = grammar;
    this.kernel =
      typeof kernel === 'function'
        ? kernel(new TableKernel(this))
        : (kernel ?? new TableKernel(this));
  }

  get automaton(): Automaton {
    this.#automaton ??= deriveAutomaton(this.grammar);
    return this.#automaton;
  }

  get speller(): Speller {
    this.#speller ??= new Speller(this.spelled);
    return this.#speller;
  }

  /**
   * The same encoding read as characters: its halves joined (see {@link pairSurrogates}). Where the
   * domain has no lone halves, the engine itself.
   */
  get paired(): Engine {
    this.#paired ??=
      this.grammar.domain === 'code units'
        ? new Engine(this.name, pairSurrogates(this.grammar))
        : this;
    return this.#paired;
  }

  /** The `=` rows; in a domain of code units also the pairs, so that a pair is written whole. */
  get spelled(): readonly Row[] {
    const pairs = this.paired.grammar.rows.filter(({ first }) => first > 0xffff);
    return this.paired === this ? this.grammar.rows : [...this.grammar.rows, ...pairs];
  }

  get units(): readonly Unit[] {
    this.#units ??= this.grammar.rows.flatMap((row) => row.units);
    return this.#units;
  }

  /** The length of the longest sequence, in bytes. */
  get longest(): number {
    // Of the rows and not of the automaton, which a codec with a kernel may never need.
    this.#longest ??= Math.max(
      ...[...this.grammar.rows, ...this.spelled].map((row) => flatten(row).length),
    );
    return this.#longest;
  }

  /** From which code point on up to 7F a byte is the character of its number. */
  get firstPlain(): number {
    this.#firstPlain ??=
      this.grammar.rows.find((row) => {
        const [byte, ...more] = flatten(row);
        return row.last === 0x7f && byte?.first === row.first && more.length === 0;
      })?.first ?? 0x80;
    return this.#firstPlain;
  }

  /** U+FEFF as this encoding spells it. */
  get bom(): Uint8Array {
    this.#bom ??= this.speller.spell(0xfeff);
    return this.#bom;
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

/** Remembers which engine is behind a codec's `decode`, for {@link engineOf}. */
export function registerEngine(decode: Codec['decode'], engine: Engine): void {
  engines.set(decode, engine);
}

/**
 * The engine of a codec. A codec from elsewhere (another copy of this package, or somebody's own
 * object) has one too, on the tables of its grammar.
 */
export function engineOf(codec: Codec): Engine {
  const known = engines.get(codec.decode);
  if (known) return known;
  const engine = new Engine(codec.name, codec.grammar);
  engines.set(codec.decode, engine);
  return engine;
}
