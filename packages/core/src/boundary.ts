import { type Bytes, toUint8Array, viewOf } from './argument/bytes.js';
import { refuse } from './argument/check.js';
import { readCharacter } from './character.js';
import type { Codec } from './codec/codec.js';
import type { Encoding } from './encoding.js';
import { UnitFinder } from './rows/unit-finder.js';

/** Finds the greatest boundary at or before an index, which is within the bytes. */
function floorBoundary(encoding: Encoding, bytes: Uint8Array, index: number): number {
  if (index >= bytes.length) return bytes.length;
  let boundary = findBoundary(encoding, bytes, index);
  for (;;) {
    const { length } = readCharacter(encoding, bytes, boundary);
    if (boundary + length > index) return boundary;
    boundary += length;
  }
}

/** Kept outside of the encoding, so that bundles without boundary functions omit it. */
const finders = new WeakMap<Encoding, UnitFinder>();

function finderOf(encoding: Encoding): UnitFinder {
  const finder = finders.get(encoding) ?? new UnitFinder(encoding);
  finders.set(encoding, finder);
  return finder;
}

/**
 * Finds a boundary at or before an index from the bytes close to it: the start of a unit that no earlier
 * sequence contains. Returns 0 if the start of units cannot be found.
 */
export function findBoundary(encoding: Encoding, bytes: Uint8Array, index: number): number {
  const units = finderOf(encoding);
  if (!units.isSelfSynchronizing) return 0;
  let boundary = units.findStart(bytes, index);
  for (;;) {
    let reaching = boundary;
    let start = boundary;
    for (let joined = 1; joined < units.mostJoined && start > 0; joined++) {
      start = units.findStart(bytes, start - 1);
      const { length } = readCharacter(encoding, bytes, start);
      if (start + length > boundary) reaching = start;
    }
    if (reaching === boundary) return boundary;
    boundary = reaching;
  }
}

/** Checks an index and brings it within the bytes. */
function checkIndex(index: number, length: number): number {
  if (typeof index !== 'number' || Number.isNaN(index)) {
    refuse('an index in bytes', index);
  }
  return Math.min(Math.max(Math.floor(index), 0), length);
}

export function createFloorBoundary(encoding: Encoding): Codec['floorBoundary'] {
  return (input, index) => {
    const bytes = toUint8Array(input);
    return floorBoundary(encoding, bytes, checkIndex(index, bytes.length));
  };
}

export function createCeilBoundary(encoding: Encoding): Codec['ceilBoundary'] {
  return (input, index) => {
    const bytes = toUint8Array(input);
    const at = checkIndex(index, bytes.length);
    const floor = floorBoundary(encoding, bytes, at);
    if (floor === at) return at;
    return floor + readCharacter(encoding, bytes, floor).length;
  };
}

export function createTruncate(encoding: Encoding): Codec['truncate'] {
  return (input: Bytes, maxBytes: number) => {
    const bytes = toUint8Array(input);
    const end = floorBoundary(encoding, bytes, checkIndex(maxBytes, bytes.length));
    const view = viewOf(input).subarray(0, end);
    // The input's own `subarray` would call the constructor that the input names, which may be wrong.
    const prototype = Object.getPrototypeOf(input);
    return (isBuffer(prototype) ? Object.setPrototypeOf(view, prototype) : view) as never;
  };
}

/** Tells whether a prototype is that of Node's `Buffer`. */
function isBuffer(prototype: unknown): boolean {
  try {
    return (globalThis as { Buffer?: { prototype: unknown } }).Buffer?.prototype === prototype;
  } catch {
    // Some programs forbid globals by getters that throw.
    return false;
  }
}
