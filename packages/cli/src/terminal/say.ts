import { writeSync } from 'node:fs';
import { escapeText } from './escape.js';
import { clearProgress } from './progress.js';

/** Writes a line to stderr and waits until it is out. Everything in it is escaped. */
export async function say(line: string): Promise<void> {
  clearProgress();
  // If stderr itself is broken, there is nowhere to report it.
  await new Promise((done) => process.stderr.write(`${escapeText(line)}\n`, done));
}

/** Writes a line to stderr at once, for a process that a signal is about to end. */
export function sayAtOnce(line: string): void {
  clearProgress();
  try {
    writeSync(2, `${escapeText(line)}\n`);
  } catch {
    // As above.
  }
}
