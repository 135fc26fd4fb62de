/** The parts of Node that the scan of `@utf8/dump` needs, for browsers. Files and threads are not among them. */
import { Buffer } from 'buffer/';

export { Buffer };

/** Nothing waits for signals here, and the worker has a turn. */
export const setImmediate = (run: () => void): unknown => setTimeout(run);

export const process = { env: {}, platform: 'browser' };

export const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export const getSystemErrorMap = (): Map<number, [string, string]> => new Map();

/** Compares plain data. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, its] = [Object.entries(one), Object.keys(other)];
  return (
    mine.length === its.length &&
    mine.every(
      ([key, value]) =>
        Object.hasOwn(other, key) &&
        isDeepStrictEqual(value, (other as Readonly<Record<string, unknown>>)[key]),
    )
  );
}

/** A hash of 32 bytes, for maps: it guards nothing. */
export function createHash(): { update(text: string): { digest(): Uint8Array } } {
  return {
    update: (text) => ({
      digest: () =>
        Uint8Array.from({ length: 32 }, (_, seed) => {
          let hash = 0x811c9dc5 ^ (seed * 0x9e3779b9);
          for (let i = 0; i < text.length; i++) {
            hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
          }
          return (hash ^ (hash >>> 15)) & 0xff;
        }),
    }),
  };
}

export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Files are opened nowhere; some modules prepare for it. */
export const promisify = <Function_>(given: Function_): Function_ => given;

export const constants = {};
