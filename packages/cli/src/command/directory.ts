/** The commands, each with a summary, and loaded only if it runs. */
import type { Command } from '../option/option.js';

type Entry = readonly [name: string, summary: string, load: () => Promise<{ command: Command }>];

export const directory: readonly Entry[] = [
  ['convert', 'convert text or dumps to another encoding', () => import('./convert.js')],
  ['revert', 'undo a conversion, byte for byte', () => import('./revert.js')],
  ['repair', 'repair the text of a live database', () => import('./repair.js')],
  ['scan', 'list what a conversion would change, refuse or break', () => import('./scan.js')],
  ['verify', 'compare the source of a migration with its target', () => import('./verify.js')],
  ['check', 'list malformed bytes', () => import('./check.js')],
  ['detect', 'list the encodings that files may be in', () => import('./detect.js')],
  ['explain', 'explain bytes, one sequence at a time', () => import('./explain.js')],
  ['probe', 'report how a program reads malformed text', () => import('./probe.js')],
  ['strings', 'list the strings of JVM class files and jars', () => import('./strings.js')],
];

/** Loads all commands. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(directory.map(async ([, , load]) => (await load()).command));
