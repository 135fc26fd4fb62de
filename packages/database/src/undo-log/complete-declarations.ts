/** Completes changes of declarations that a kill has interrupted between two statements. */
import type { Server } from '../server/server.js';
import { parseLine, readDeclaration } from './line.js';
import { readBackwards } from './undo-log-reader.js';

/**
 * @param end - The part of the undo log that belongs to committed changes, in bytes. Its last lines are declarations.
 */
export async function completeDeclarations(
  server: Server,
  path: string,
  end: number,
): Promise<void> {
  if (!server.redeclare) return;
  for (const { text } of readBackwards(path, 0, end)) {
    const line = parseLine(text);
    const declaration = line && readDeclaration(line);
    if (!declaration) return;
    await server.redeclare(line.table, declaration, true);
  }
}
