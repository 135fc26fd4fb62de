/** Instructions of READMEs, so that tests can follow them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The block of JavaScript in a package's README that begins with a comment that names a file. */
export function findScript(name: string, file: string): string {
  const url = new URL(`../../${name}/README.md`, import.meta.url);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const [, script] = new RegExp(`\`\`\`js\\n(// ${file}\\n[^]*?)\`\`\``).exec(text) ?? [];
  if (script === undefined)
    throw new Error(`No block in the README of ${name} begins with // ${file}.`);
  return script;
}
