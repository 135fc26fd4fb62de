/** What a run does before a signal ends it. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const actions = new Set<() => void>();

/** Adds an action, such as the removal of temporary files. It must not wait for anything. */
export function beforeStop(action: () => void): void {
  if (actions.size === 0) for (const signal of signals) process.once(signal, stop);
  actions.add(action);
}

function stop(signal: NodeJS.Signals): void {
  for (const action of actions) action();
  for (const each of signals) process.off(each, stop);
  // Without a handler it ends the process, so that a shell sees which signal it was.
  process.kill(process.pid, signal);
}
