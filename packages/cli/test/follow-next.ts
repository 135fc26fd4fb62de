/** Runs each `Next:` line that a scan prints in any test, as a user would, and checks what it leaves. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { Result, Surroundings } from './command.js';

/** Runs the command once. */
type Run = (args: readonly string[], surroundings: Surroundings) => Promise<Result>;

/**
 * Follows the advice of a scan: it succeeds, leaves nothing that a second scan would have converted, and its undo log
 * restores the input.
 *
 * @param run - Runs the command on the standard input that the scan had.
 */
export async function followNext(
  scan: Result,
  args: readonly string[],
  input: Uint8Array | undefined,
  surroundings: Surroundings,
  run: Run,
): Promise<void> {
  const from = surroundings.cwd ?? process.cwd();
  for (const [, line = ''] of scan.stdout.toString().matchAll(/^Next: utf8 (.*)$/gm)) {
    const words = split(line);
    // Names in $'…' are for a shell: next-command.test.ts runs these.
    if (!words) continue;
    const cwd = mkdtempSync(join(tmpdir(), 'utf8-next-'));
    try {
      const isFile = words[1] !== undefined && !words[1].startsWith('-');
      const file = isFile ? resolve(from, words[1] as string) : undefined;
      if (file !== undefined) words[1] = file;
      const value = (option: string): string => words[words.indexOf(option) + 1] as string;
      const schema = words.indexOf('--schema');
      if (schema > 0) words[schema + 1] = resolve(from, words[schema + 1] as string);
      const context = `utf8 ${args.join(' ')}\n${scan.stdout}\nutf8 ${line}`;
      const { cwd: _, ...rest } = surroundings;
      const around = { ...rest, cwd };

      const { status, stderr } = await run(words, around);
      const done = stderr.includes(' rejected to ') ? 1 : 0;
      expect({ context, status, stderr }).toEqual({ context, status: done, stderr });

      const output = value('-o');
      const again = await run(
        ['scan', ...words.slice(isFile ? 2 : 1, words.indexOf('--to')), output],
        around,
      );
      expect(again.stdout.toString(), context).not.toContain('Next: ');

      const rejects = words.includes('--rejects') ? join(cwd, value('--rejects')) : '';
      if (existsSync(rejects) && statSync(rejects).size > 0) continue;
      const undo = ['revert', '--undo', value('--undo'), '-o', 'restored', output];
      const restored = await run(undo, around);
      expect({ context, status: restored.status, stderr: restored.stderr }).toEqual({
        context,
        status: 0,
        stderr: restored.stderr,
      });
      const original = file === undefined ? input : readFileSync(file);
      if (original && !isCompressed(original)) {
        expect(readFileSync(join(cwd, 'restored')).equals(original), context).toBe(true);
      }
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  }
}

const isCompressed = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b) || (bytes[0] === 0x28 && bytes[1] === 0xb5);

/** Splits a command line as a shell does; undefined if it has escapes. */
function split(line: string): string[] | undefined {
  if (line.includes("$'")) return undefined;
  return [...line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|\\(.)/g,
      (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? '',
    ),
  );
}
