/** Imports grammars, which are TypeScript, without a build of their package. */
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * Imports the module of a grammar.
 *
 * @param {string} file
 * @returns {Promise<{ name: string, labels: readonly string[], grammar: import('@utf8/core').Grammar, description: string }>}
 */
export async function readGrammar(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
  });
  const [{ text }] = outputFiles;
  const module = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  );
  const [description] =
    /\/\*\*(?:(?!\*\/).)*\*\/(?=\s*export const grammar\b)/s.exec(readFileSync(file, 'utf8')) ?? [];
  if (!description) throw new Error(`${file}: the grammar has no docstring`);
  return { ...module, description };
}
