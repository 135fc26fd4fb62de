/** Makes an input that fails as small as it gets within some time. */
import { check } from './check.js';
import type { Target } from './target.js';

/** Returns the message of a failure without the parts that differ between inputs. */
export function describeFailure(error: unknown): string {
  const { name = 'Error', message = String(error) } = Object(error);
  const bare = String(message)
    .replace(/"(?:[^"\\]|\\.)*"?/g, '""')
    .replace(/\b(?:[\da-f]{2} ?)+\b|\d+/gi, '0');
  return `${name}: ${bare.slice(0, 60)}`;
}

/** Runs a target; undefined if it does not fail. */
export async function fail(target: Target, bytes: Uint8Array): Promise<unknown> {
  try {
    await check(target, bytes);
  } catch (error) {
    return error ?? new Error('nothing was thrown');
  }
}

/** Number of bytes at the end that are changed in order to skip others. */
const CHOICES = 8;

/** Returns the smallest input found that fails in the same way; the same one if none is smaller. */
export async function minimise(
  target: Target,
  bytes: Uint8Array,
  milliseconds = 60_000,
): Promise<Uint8Array> {
  const first = await fail(target, bytes);
  if (first === undefined) return bytes;
  const wanted = describeFailure(first);
  const end = Date.now() + milliseconds;
  let best: Uint8Array = bytes;
  const attempt = async (bytes: Uint8Array): Promise<boolean> => {
    if (Date.now() > end) return false;
    const error = await fail(target, bytes);
    if (error === undefined || describeFailure(error) !== wanted) return false;
    best = bytes;
    return true;
  };
  const without = (bytes: Uint8Array, at: number, size: number): Uint8Array =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
  /** Leaves bytes out, many at once and then few. */
  const cut = async (): Promise<void> => {
    for (let size = 0; size !== best.length; ) {
      size = best.length;
      for (let step = Math.ceil(size / 2); step > 0; step = Math.floor(step / 2)) {
        for (let at = best.length - step; at >= 0; at -= step) {
          await attempt(without(best, at, step));
          at = Math.min(at, best.length);
        }
      }
    }
  };
  /** Leaves out one or two bytes that another choice makes superfluous: choices are at the end. */
  const trade = async (): Promise<boolean> => {
    for (let at = 0; at < best.length; at++) {
      for (const size of [2, 1]) {
        const shorter = without(best, at, size);
        for (let i = Math.max(0, shorter.length - CHOICES); i < shorter.length; i++) {
          for (let byte = 0; byte < 0x100; byte++) {
            const other = Buffer.from(shorter);
            other[i] = byte;
            if (await attempt(other)) return true;
          }
        }
      }
    }
    return false;
  };
  /** Replaces bytes that may be anything by a zero, or a letter. */
  const calm = async (): Promise<void> => {
    for (let i = 0; i < best.length; i++) {
      for (const byte of [0, 0x61]) {
        if (best[i] === byte) break;
        const other = Buffer.from(best);
        other[i] = byte;
        if (await attempt(other)) break;
      }
    }
  };
  do {
    await cut();
    await calm();
  } while (await trade());
  return best;
}
