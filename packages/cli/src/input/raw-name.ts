/** File names as bytes: Node reads the command line as UTF-8, and loses other bytes. */
import { readFileSync } from 'node:fs';

/**
 * Restores arguments that are not UTF-8, each byte of a fault as U+DC80 to U+DCFF (PEP 383). Only Linux
 * tells the bytes; elsewhere U+FFFD stays.
 */
export async function recoverNames(args: readonly string[]): Promise<readonly string[]> {
  if (process.platform !== 'linux' || !args.some((arg) => arg.includes('\uFFFD'))) return args;
  const raw = readFileSync('/proc/self/cmdline').subarray(0, -1);
  const { decode } = await import('@utf8/strict');
  const words = decode(raw, { errors: 'surrogateescape' }).split('\0');
  // Options of Node stand before the program.
  return words.slice(words.length - args.length);
}
