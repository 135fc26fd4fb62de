/** Imports grammars, which are TypeScript, without a build of their package. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

// By its path: `npm test` installs nothing for this folder.
const core = new URL('../../../packages/core/dist/index.js', import.meta.url).href;

/**
 * Imports the module of a grammar.
 *
 * @param {string} file
 * @returns {Promise<{ name: string, labels: readonly string[], grammar: import('@utf8/core').Grammar, description: string }>}
 */
export async function readGrammar(file) {
  const source = readFileSync(file, 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const text = outputText.replace("'@utf8/core'", () => JSON.stringify(core));
  const module = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  );
  const [description] = /\/\*\*(?:(?!\*\/).)*\*\/(?=\s*export const grammar\b)/s.exec(source) ?? [];
  if (!description) throw new Error(`${file}: the grammar has no docstring`);
  return { ...module, description };
}
