// The types that programs compare results with.
export type Owned = Uint8Array<ArrayBuffer>;
export type OwnedCodePoints = Uint32Array<ArrayBuffer>;
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
