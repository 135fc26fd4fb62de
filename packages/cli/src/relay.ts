/**
 * How threads that convert segments of a text find out where their results go, without a word from
 * anybody else: a result begins where the one before it ends, and that is known as soon as the one
 * before it has been made, not only when it has been written.
 */

/** Which segment is to be taken next; whose turn it is. */
const NEXT = 0;
const TURN = 1;

/** Nobody's turn. */
const STOPPED = -1;

/** What threads share. Segments are taken and handed on by number, from 0. */
export class Relay {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  readonly #end: BigInt64Array;

  /** @param memory - That of the relay of another thread; new by default. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory, 0, 2);
    this.#end = new BigInt64Array(memory, 8);
  }

  /** Takes a segment that nobody has taken. */
  take(): number {
    return Atomics.add(this.#numbers, NEXT, 1);
  }

  /**
   * Waits until all results before a segment's are known to be good, and how long they are.
   *
   * @returns Where the result of the segment begins, in bytes; undefined where the relay has stopped.
   */
  wait(segment: number): number | undefined {
    for (;;) {
      const turn = Atomics.load(this.#numbers, TURN);
      if (turn === STOPPED) return undefined;
      if (turn === segment) return Number(Atomics.load(this.#end, 0));
      Atomics.wait(this.#numbers, TURN, turn);
    }
  }

  /** Hands on to the next segment. Only whose turn it is may do so. */
  pass(segment: number, end: number): void {
    Atomics.store(this.#end, 0, BigInt(end));
    // Unless it has been stopped meanwhile.
    Atomics.compareExchange(this.#numbers, TURN, segment, segment + 1);
    Atomics.notify(this.#numbers, TURN);
  }

  /** Has everybody stop who waits, or will. */
  stop(): void {
    Atomics.store(this.#numbers, TURN, STOPPED);
    Atomics.notify(this.#numbers, TURN);
  }
}
