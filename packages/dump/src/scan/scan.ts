import type { ScanOptions } from './scan-options.js';
import type { ScanReport } from './scan-report.js';

export type { ScanOptions } from './scan-options.js';
export type { ScanReport };

/**
 * Finds everything that a conversion of records would change, refuse or break.
 *
 * @param options - The inputs, their format and encoding, and the policies of the conversion.
 * @returns Numbers of records and findings, and some examples.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options or paths are invalid, or if no record has a column of
 *   `keys` or `limits`.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if an input cannot be read and there is no `onFailure`.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the report or a temporary file cannot be written.
 * @throws BusyError (`ERR_UTF8_BUSY`) if another run is writing the same report.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { scanDump } from '@utf8/dump';
 *
 * const pair = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
 * writeFileSync('users.csv', Buffer.concat([Buffer.from('id,name\n1,'), pair]));
 * const report = await scanDump({ input: 'users.csv', format: 'csv', from: 'cesu-8+utf-8' });
 * report.columns; // => { pair: { name: 1 } }
 * report.examples.pair?.[0]?.line; // => 2
 * ```
 */
export async function scanDump(options: ScanOptions): Promise<ScanReport> {
  // Loaded late, since a conversion rarely needs it.
  const { runScan } = await import('./run-scan.js');
  return runScan(options);
}
