/** Typed arrays by their internal slots: an array's own properties may say otherwise. */

type Getter<Result> = (this: Uint8Array) => Result;

const getterOf = (name: string): unknown =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name)?.get;

/** Gets the length of an array in bytes. */
export const getLength: Getter<number> = /* @__PURE__ */ getterOf('length') as Getter<number>;
/** Gets the memory of an array. */
export const getBuffer: Getter<ArrayBufferLike> = /* @__PURE__ */ getterOf(
  'buffer',
) as Getter<ArrayBufferLike>;
/** Gets where in its memory an array begins, in bytes. */
export const getOffset: Getter<number> = /* @__PURE__ */ getterOf('byteOffset') as Getter<number>;

/** Tells whether no other thread can write to an array, so that it may be read twice. */
export const isStable = (array: Uint8Array): boolean =>
  getBuffer.call(array) instanceof ArrayBuffer;

/** Up to how many bytes are copied one by one: a view takes 50 ns to make. */
const FEW = 64;

/** Copies `source[from..to)` into a target. */
export function copy(
  source: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  at: number,
): void {
  if (to - from > FEW) {
    const { set } = Uint8Array.prototype;
    const offset = getOffset.call(source) + from;
    set.call(target, new Uint8Array(getBuffer.call(source), offset, to - from), at);
  } else {
    for (let i = from; i < to; i++) target[at++] = source[i] as number;
  }
}
