/** What is used of Node's `Buffer`, whose types would let the rest of Node in. */
interface NodeBuffer {
  readonly prototype: {
    indexOf(this: Uint8Array, value: number | Uint8Array, from: number): number;
  };
  from(
    memory: ArrayBufferLike,
    offset: number,
    length: number,
  ): { toString(encoding: 'latin1'): string };
}

/** Undefined elsewhere than in Node and its like. */
export const nodeBuffer: NodeBuffer | undefined = Reflect.get(globalThis, 'Buffer');
