/** Methods of Node's `Buffer` that are used here. Its own types would add all types of Node. */
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

function findBuffer(): NodeBuffer | undefined {
  try {
    return Reflect.get(globalThis, 'Buffer');
  } catch {
    return undefined;
  }
}

/** Undefined on platforms without `Buffer`, or if a program has made it throw. */
export const nodeBuffer: NodeBuffer | undefined = findBuffer();
