/** A context of `node:vm`, in a Node of its own. */
import { bundleProgram } from './bundle.js';
import { runChild } from './child.js';
import type { Task } from './inside/loader.js';
import { listEntries, listModules, root } from './modules.js';
import type { Report } from './report.js';

/**
 * Runs a bundle in a new context.
 *
 * @param edge - The file of `@edge-runtime/vm`, for a context that is made by it.
 */
export async function runContext(program: string, bundle: string, edge?: string): Promise<Report> {
  const modules = Object.fromEntries(listModules());
  const task: Task = { root, bundle, modules, entries: listEntries(), edge };
  const loader = await bundleProgram('loader', 'esm');
  const options = ['--experimental-vm-modules', '--no-warnings', loader, JSON.stringify(task)];
  return runChild(program, options);
}
