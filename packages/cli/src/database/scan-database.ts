/** `utf8 scan URL`: what a repair of a live database would change, skip or break. */
import { scanDatabase } from '@utf8/database';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createStyle } from '../terminal/style.js';
import { nameAfterDatabase } from '../words/database-command.js';
import { hasMisdeclared, nameSuggested } from '../words/repair-report.js';
import {
  addCommand,
  addLook,
  type DatabaseValues,
  discardAtStop,
  findExitCode,
  readOptions,
  requireFiles,
} from './live.js';

export async function scanUrl(url: string, given: DatabaseValues): Promise<number> {
  requireFiles(given as Readonly<Record<string, unknown>>);
  discardAtStop();
  const { allow = [], json, mojibake } = given;
  const result = await scanDatabase(readOptions(url, given));
  const printer = new Printer(createStyle(json), true);
  const { found } = result;
  if (json) printer.add(formatJson({ type: 'summary', ...result }));
  else {
    addLook(printer, result, allow);
    const { candidates = 0, skipped = 0 } = found ?? {};
    const suggested = found ? nameSuggested(found) : [];
    const declarations = found?.tables.flatMap((table) => table.declarations) ?? [];
    const isAsked = mojibake === 'repair' && allow.includes('narrow-column');
    if (suggested.length > 0) {
      const names = [given['json-columns'] ?? [], suggested].flat();
      addCommand(printer, 'Next', 'scan', url, { ...given, 'json-columns': names.join(',') });
    } else if (!isAsked && declarations.some(({ refusal }) => refusal === undefined)) {
      const both = [...new Set([...allow, 'narrow-column'])];
      addCommand(printer, 'Next', 'scan', url, { ...given, mojibake: 'repair', allow: both });
    } else if (
      (candidates > skipped || declarations.some(({ action }) => action === 'allow')) &&
      !result.stopped
    ) {
      const undo = nameAfterDatabase(url);
      addCommand(printer, 'Next', 'repair', url, { ...given, undo });
    }
  }
  await printer.print();
  const code = findExitCode(result);
  return code === 0 && mojibake === 'repair' && found && hasMisdeclared(found) ? 1 : code;
}
