/** What streaming coders share: input that a chunk's end has cut waits for the next chunk. */

/** The unfinished bytes of the last chunk, with a new one behind them. */
export function join(pending: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (pending.length === 0) return chunk;
  const joined = new Uint8Array(pending.length + chunk.length);
  joined.set(pending);
  joined.set(chunk, pending.length);
  return joined;
}

export const NOTHING: Uint8Array = /* @__PURE__ */ new Uint8Array(0);
