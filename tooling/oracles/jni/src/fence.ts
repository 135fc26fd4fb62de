/** The fenced code of a Markdown page. */

export interface Fence {
  readonly language: string;
  readonly code: string;
  /** Line of the first line of code, from 1. */
  readonly line: number;
}

export function findFences(page: string): Fence[] {
  return Array.from(page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), (match) => {
    const [, language = '', code = ''] = match;
    return { language, code, line: page.slice(0, match.index).split('\n').length + 1 };
  });
}

/** The lines that a program says that it prints: each `// => …`. */
export const findOutput = (code: string): string[] =>
  Array.from(code.matchAll(/\/\/ => (.*)$/gm), ([, line = '']) => line.trim());
