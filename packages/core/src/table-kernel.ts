import { ACCEPT, type Automaton } from './automaton.js';
import type { Kernel, Progress } from './kernel.js';
import type { Speller } from './speller.js';

/**
 * The kernel that every grammar has: its tables, run byte by byte. It serves where no faster kernel
 * is, in the `/lite` modules, and as the reference that faster ones are compared with.
 *
 * It decodes 115 to 195 MB/s where the unrolled loops do 240 to 640 (64 KiB, Node 20, x86-64, `npm run
 * bench`). What that buys is that it is right for any grammar.
 */
export class TableKernel implements Kernel {
  readonly #tables: { readonly automaton: Automaton; readonly speller: Speller };

  /** @param tables - Asked for at each call, so that they are derived only when one is made. */
  constructor(tables: { readonly automaton: Automaton; readonly speller: Speller }) {
    this.#tables = tables;
  }

  decode(
    source: Uint8Array,
    from: number,
    to: number,
    target: Uint16Array,
    at: number,
    progress: Progress,
  ): void {
    const { classes, transitions, values, bases, reject } = this.#tables.automaton;
    let boundary = from;
    let written = at;
    let state = ACCEPT;
    let codePoint = 0;
    for (let i = from; i < to; ) {
      const byte = source[i++] as number;
      codePoint = (codePoint + (values[(bases[state] as number) + byte] as number)) | 0;
      state = transitions[state + (classes[byte] as number)] as number;
      if (state !== ACCEPT) {
        if (state === reject) break;
        continue;
      }
      if (codePoint > 0xffff) {
        if (codePoint > 0x10ffff) break;
        target[written++] = 0xd7c0 + (codePoint >> 10);
        target[written++] = 0xdc00 + (codePoint & 0b11_1111_1111);
      } else {
        target[written++] = codePoint;
      }
      boundary = i;
      codePoint = 0;
    }
    progress.read = boundary;
    progress.written = written;
  }

  encode(text: string, from: number, target: Uint8Array, at: number, progress: Progress): void {
    const speller = this.#tables.speller;
    let i = from;
    while (i < text.length) {
      const codePoint = text.codePointAt(i) as number;
      const spelling = speller.find(codePoint);
      if (!spelling || spelling.length > target.length - at) break;
      speller.write(spelling, codePoint, target, at);
      at += spelling.length;
      i += codePoint > 0xffff ? 2 : 1;
    }
    progress.read = i;
    progress.written = at;
  }

  validate(source: Uint8Array, from: number, to: number): number {
    return findDoubt(this.#tables.automaton, source, from, to);
  }
}

/** The index behind the last whole sequence before the first that the automaton refuses. */
export function findDoubt(
  { classes, transitions, reject }: Automaton,
  source: Uint8Array,
  from: number,
  to: number,
): number {
  let boundary = from;
  let state = ACCEPT;
  for (let i = from; i < to; ) {
    state = transitions[state + (classes[source[i++] as number] as number)] as number;
    if (state === ACCEPT) boundary = i;
    else if (state === reject) break;
  }
  return boundary;
}
