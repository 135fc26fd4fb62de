/** Cleanup before a signal ends the program. */
import { writeSync } from 'node:fs';
import type { Phrase } from '@utf8/dump';
import { discardUnfinished, whenInterrupted } from '@utf8/files';
import { spellPhrase } from '../option/flag.js';
import { escapeText } from './escape.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isListening = false;

/** Makes signals remove unfinished files, except those that `--resume` needs, before they end the program. */
export function catchSignals(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of signals) process.once(signal, stop);
}

/**
 * Adds an action, such as the end of other programs. It must not wait for anything, and may return a
 * sentence to print.
 */
export function beforeStop(action: () => unknown): void {
  catchSignals();
  whenInterrupted(action);
}

function stop(signal: NodeJS.Signals): void {
  for (const sentence of discardUnfinished())
    writeAtOnce(escapeText(`utf8: ${spellPhrase(sentence as string | Phrase)}`));
  for (const each of signals) process.off(each, stop);
  // Without a handler it ends the process, so that a shell sees which signal it was.
  process.kill(process.pid, signal);
}

/** Writes a line to stderr before the program continues or ends. The line is escaped already. */
export function writeAtOnce(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // If stderr itself is broken, there is nowhere to report it.
  }
}
