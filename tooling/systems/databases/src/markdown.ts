/** The scripts in the documentation, which the tests run unchanged. */
import { readFileSync } from 'node:fs';

/** The code blocks of a language below a heading, as they are written. */
export function findScripts(page: string, heading: string, language: string): string[] {
  const text = readFileSync(
    new URL(`../../../../apps/site/pages/${page}`, import.meta.url),
    'utf8',
  );
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`${page} has no heading "${heading}"`);
  const blocks = section.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return Array.from(blocks)
    .filter(([, name]) => name === language)
    .map(([, , code]) => code as string);
}
