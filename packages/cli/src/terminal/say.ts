import { escapeText } from './escape.js';
import { clearProgress } from './progress.js';
import { writeAtOnce } from './signals.js';
import { createStyle, escapePainted } from './style.js';

/** Writes a line to stderr and waits until it is out. Everything in it is escaped, except for colour. */
export async function say(line: string): Promise<void> {
  clearProgress();
  // If stderr itself is broken, there is nowhere to report it.
  await new Promise((done) => process.stderr.write(`${paint(line)}\n`, done));
}

/** Writes a line to stderr at once, for a process that a signal is about to end. */
export function sayAtOnce(line: string): void {
  clearProgress();
  writeAtOnce(paint(line));
}

/** The name of the program at the start of a line. */
const NAME = /^utf8(?=: )/;

function paint(line: string): string {
  const style = createStyle(false, 'stderr');
  const text = style.hasColor ? line.replace(NAME, style.title) : line;
  return style.hasColor ? escapePainted(text) : escapeText(text);
}
