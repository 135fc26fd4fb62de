/** The commands, grouped by their input, each with a summary. A command is loaded only if it runs. */
import type { Command } from '../option/option.js';

type Entry = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ command: Command }>,
  heading: string,
];

const LOOK = 'Look';
const FILES = 'Files';
const DATABASES = 'Databases';
const PROGRAMS = 'Programs';

export const directory: readonly Entry[] = [
  ['detect', 'list the encodings that files may be in', () => import('./detect.js'), LOOK],
  ['check', 'list malformed characters', () => import('./check.js'), LOOK],
  ['explain', 'explain bytes, one sequence at a time', () => import('./explain.js'), LOOK],
  ['scan', 'list what a conversion would change or break', () => import('./scan.js'), LOOK],
  ['convert', 'convert text or dumps to another encoding', () => import('./convert.js'), FILES],
  ['revert', 'undo a conversion, byte for byte', () => import('./revert.js'), FILES],
  [
    'verify',
    'compare the source of a migration with its target',
    () => import('./verify.js'),
    FILES,
  ],
  ['repair', 'repair the text of a live database', () => import('./repair.js'), DATABASES],
  [
    'strings',
    'list the strings of JVM class files and jars',
    () => import('./strings.js'),
    PROGRAMS,
  ],
  ['probe', 'report how a program reads malformed text', () => import('./probe.js'), PROGRAMS],
];

/** Loads all commands. */
export const loadCommands = (): Promise<Command[]> =>
  Promise.all(directory.map(async ([, , load]) => (await load()).command));
