/** Imports grammars, which are TypeScript, without a build of their package. */
import { build } from 'esbuild';

/**
 * Imports the module of a grammar.
 *
 * @param {string} file
 * @returns {Promise<{ name: string, labels: readonly string[], grammar: import('@utf8/core').Grammar }>}
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
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}
