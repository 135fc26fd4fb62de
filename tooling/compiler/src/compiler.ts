/** The compiler as programs import it. */
export { assemble } from './assemble.mjs';
export { listGrammars } from './files.js';
export { generate } from './generate.js';
export { planKernel } from './kernel-plan.js';
export { readGrammar } from './read-grammar.js';
export { writeEntry } from './write-entry.js';
