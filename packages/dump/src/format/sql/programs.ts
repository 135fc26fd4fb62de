/** Stored programs, whose statements do not run with the statement that creates them. */
import type { Words } from './words.js';

/** Tells whether a statement creates a program, or is a block of its own, in which semicolons end nothing. */
export function hasBody(words: Words): boolean {
  const rest = words.copy();
  if (rest.accept('begin not atomic')) return true;
  if (!rest.accept('create') && !rest.accept('alter')) return false;
  // OR REPLACE, DEFINER = 'name'@'host' and the like may precede it.
  for (let i = 0; i < MOST; i++) {
    const { text, isQuoted } = rest.next();
    if (isQuoted) continue;
    if (PROGRAMS.test(text)) return true;
    if (OTHERS.test(text)) return false;
  }
  return false;
}

const MOST = 16;
const PROGRAMS = /^(trigger|procedure|function|event|package)$/;
const OTHERS = /^(table|database|schema|view|index|user|role|server|tablespace|sequence|logfile)$/;
