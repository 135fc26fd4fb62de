/** What has to be put back in order when somebody stops the program. */
const signals = ['SIGINT', 'SIGTERM'] as const;

const undos = new Set<() => void>();

/**
 * Has something undone if the program is interrupted.
 *
 * @returns A function to call when there is nothing left to undo.
 */
export function whenInterrupted(undo: () => void): () => void {
  if (undos.size === 0) for (const signal of signals) process.on(signal, interrupt);
  undos.add(undo);
  return () => {
    undos.delete(undo);
    if (undos.size === 0) for (const signal of signals) process.off(signal, interrupt);
  };
}

function interrupt(signal: NodeJS.Signals): void {
  undoAll();
  // Without a handler the signal ends the program, and the shell learns why it ended.
  for (const each of signals) process.off(each, interrupt);
  process.kill(process.pid, signal);
}

/** Undoes what has not been finished. */
export function undoAll(): void {
  for (const undo of undos) undo();
  undos.clear();
}
