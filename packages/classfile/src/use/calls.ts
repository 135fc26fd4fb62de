/** The instructions that call bootstrap methods. */
import { NumberList } from '../walk/numbers.js';
import type { BootstrapCaller, UseMember } from './string-use.js';

/** The callers of bootstrap methods. */
export class Calls {
  readonly #methods = new NumberList(Uint16Array);
  readonly #members: (UseMember | undefined)[] = [];
  /** Index of the member, by call. */
  readonly #memberOf = new NumberList(Uint32Array);
  /** Line plus one by call; 0 for none. */
  readonly #lines = new NumberList(Uint32Array);
  /** The largest index of a called method. */
  #most = 0;
  /** Start of each method's calls in a list sorted by method. */
  #starts: Uint32Array | undefined;
  #sorted = new Uint32Array(0);

  add(method: number, member: UseMember | undefined, line: number | undefined): void {
    if (this.#members.length === 0 || this.#members.at(-1) !== member) this.#members.push(member);
    this.#methods.push(method);
    this.#most = Math.max(this.#most, method);
    this.#memberOf.push(this.#members.length - 1);
    this.#lines.push(line === undefined ? 0 : line + 1);
  }

  /** Lists the callers of a method, once all calls are known. */
  list(method: number): readonly BootstrapCaller[] {
    this.#starts ??= this.#sort();
    const callers: BootstrapCaller[] = [];
    if (method > this.#most) return callers;
    const end = this.#starts[method + 1] as number;
    let last = -1;
    let caller: BootstrapCaller = { member: undefined, line: undefined };
    for (let i = this.#starts[method] as number; i < end; i++) {
      const call = this.#sorted[i] as number;
      // Calls of one line share an object, since a file may have millions of them.
      if (last < 0 || !this.#isSamePlace(last, call)) caller = this.#callerOf(call);
      callers.push(caller);
      last = call;
    }
    return callers;
  }

  #isSamePlace(one: number, other: number): boolean {
    return (
      this.#memberOf.at(one) === this.#memberOf.at(other) &&
      this.#lines.at(one) === this.#lines.at(other)
    );
  }

  #callerOf(call: number): BootstrapCaller {
    const line = this.#lines.at(call);
    return {
      member: this.#members[this.#memberOf.at(call)],
      line: line === 0 ? undefined : line - 1,
    };
  }

  #sort(): Uint32Array {
    const count = this.#methods.length;
    const starts = new Uint32Array(this.#most + 3);
    for (let i = 0; i < count; i++) {
      const next = this.#methods.at(i) + 2;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let i = 2; i < starts.length; i++) (starts[i] as number) += starts[i - 1] as number;
    this.#sorted = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const method = this.#methods.at(i) + 1;
      const place = starts[method] as number;
      this.#sorted[place] = i;
      starts[method] = place + 1;
    }
    return starts;
  }
}
