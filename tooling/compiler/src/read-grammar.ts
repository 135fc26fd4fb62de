/** Imports grammars, which are TypeScript, without a build of their package. */
import { readFileSync } from 'node:fs';
import type { Grammar } from '@utf8/core';
import ts from 'typescript';

// By its path: `npm test` installs nothing for this folder.
const core = new URL('../../../packages/core/dist/index.js', import.meta.url).href;

/** A module of a grammar. */
export interface GrammarModule {
  readonly name: string;
  readonly labels: readonly string[];
  readonly grammar: Grammar;
  /** The docstring of the grammar. */
  readonly description: string;
}

/** Imports the module of a grammar. */
export async function readGrammar(file: string): Promise<GrammarModule> {
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
